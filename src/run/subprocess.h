// Runs another program and listens to what it says: the compiler of users' models, components.
//
// The program gets a process group of its own, because it has children (a compiler has), and a signal for this program
// ends all of them. It may hang, ignore signals or leave children behind that keep its output open; this call returns
// all the same:
//   1. SIGINT or SIGTERM for this program, or the end of the time, sends SIGTERM to the group; whoever is still there
//      after `grace` gets SIGKILL.
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
  std::string input = {};            // on its standard input, whole
  double seconds = std::numeric_limits<double>::infinity();
  bool both_outputs = false;  // its stderr is part of the output; otherwise it is that of this program
  // It may ask the user something (a password, on the terminal): it gets this program's standard input instead of
  // `input` and stays in the process group if that is a terminal. The terminal then sends Ctrl-C to all of them.
  bool interactive = false;
  // For the error if it cannot be started: "cannot run the compiler 'g++': No such file or directory; install it".
  std::string kind = "program", remedy = {};
};

struct Finished {
  enum class Stopped { No, Time, Interrupt };

  int exit_code = 0;              // 128 + the signal if one ended it
  std::string output;             // as much as it said
  Stopped stopped = Stopped::No;  // by this call
};

// Throws UsageError if the program cannot be started. REQUIRES: a command of one word or more.
Finished run_subprocess(const Subprocess& wanted);

// A compiler: its output is all it says. Throws UsageError, and Interrupted on Ctrl-C.
Finished run_program(const std::vector<std::string>& command);

}  // namespace heddle::run
