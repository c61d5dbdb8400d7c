// Runs another program and collects its output: the compiler of users' models, a component.
//
// The program gets its own process group, because it may have children (a compiler has), and a signal for this program
// has to end all of them, also those in groups of their own, as a build tool gives them to its commands. The program
// may hang, ignore signals or leave children behind that keep its output open. The call returns all the same:
//   1. SIGINT or SIGTERM for this program, or the end of the time, sends SIGTERM to the program and its descendants.
//      Those that are still there after `grace` get SIGKILL.
//   2. After the program itself has ended, only what has been written by then is read.
// Thread-safe.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace heddle::run {

struct Subprocess {
  static constexpr double grace = 0.6;  // seconds between SIGTERM and SIGKILL

  std::vector<std::string> command;  // found through PATH, not interpreted by a shell
  std::string input = {};            // all of its standard input
  double seconds = std::numeric_limits<double>::infinity();
  bool both_outputs = false;  // its stderr is part of the output; otherwise its stderr is that of this program
  // The program may ask the user something, such as a password. It gets this program's standard input instead of
  // `input`. If that is a terminal, the program stays in this process group, and the terminal sends Ctrl-C to both.
  bool interactive = false;
  // For the error if it cannot be started: "cannot run the compiler 'g++': No such file or directory; install it".
  std::string kind = "program", remedy = {};
};

struct Finished {
  enum class Stopped { No, Time, Interrupt };

  int exit_code = 0;              // 128 + the signal if one ended the program
  std::string output;             // what it wrote before it ended
  Stopped stopped = Stopped::No;  // why this call stopped it
};

// Throws UsageError if the program cannot be started.
// REQUIRES: the command has at least one word.
Finished run_subprocess(const Subprocess& wanted);

// Runs a compiler; the output includes its stderr. Throws UsageError if it cannot be started, and Interrupted on
// Ctrl-C.
Finished run_program(const std::vector<std::string>& command);

// Ends all programs that are being run, and their descendants, because this program is about to end. Calls of
// run_subprocess do not return after this.
void end_subprocesses();

}  // namespace heddle::run
