// Sends a command's words where they belong. Without --json everything is for people and goes to stdout, and the last
// line is the closing line. With --json stdout gets exactly one object, and everything else goes to stderr. --quiet
// leaves only the closing line or the object.
//
// Not thread-safe: commands speak from one thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/run_json.h"
#include "report/text.h"

namespace heddle::cli {

struct OutputOptions {
  bool json = false, quiet = false, ascii = false;
  int width = 0;          // 0: that of the terminal
  std::string html = {};  // the file to write a page to; empty: none
};

class Output {
 public:
  explicit Output(OutputOptions options) : options_(std::move(options)) {}

  const OutputOptions& options() const { return options_; }
  // Prints one or more whole lines. The text comes without the last newline.
  void say(std::string_view text) const;
  // Prints what was rendered elsewhere, without the newlines at its end.
  void show(std::string_view rendered) const;
  // Prints a run as a picture. `title` is false where the title has been printed already.
  void show(const trace::Trace& trace, bool title = true) const;
  report::TextOptions text_options() const;

  // Prints the closing line or the object and returns the exit code, which is that of an error if stdout cannot be
  // written to.
  int finish(const report::RunReport& report) const;
  // Prints nothing; returns the exit code after the check that all of stdout has been written.
  int finish_nothing() const;
  // Returns what to print if a signal or exit() ends the program while it works on `report`.
  std::string last_words(const report::RunReport& report) const;
  bool json() const { return options_.json; }
  // For commands without a run: prints the object if --json was given, otherwise the line.
  int finish(std::string_view line, std::string_view json) const;

 private:
  OutputOptions options_;
};

// Keeps the command line, for pages: "heddle check paxos --bug accept_always".
void remember_command(const std::vector<std::string>& words);

// The words that it was made of, without the name of the program.
const std::vector<std::string>& command_words();

// Returns the seconds since the program began: compiling, searching, minimising, everything counts.
double command_seconds();

// Runs `work`, which fills in the report, prints the texts of the report's sections, and finishes. Exceptions become
// the verdict: unknown for Ctrl-C and for memory that ran out, otherwise error.
int run_and_finish(const Output& output, report::RunReport& report, const std::function<void()>& work);
// Prepares for an exception that nothing can catch, such as one from a global variable of a user's model. From now
// on the program then ends with a closing line, or the object, and exit code 3. `doing` says what the program was
// doing.
void expect_the_worst(std::string doing);

// For commands without a run: `work` finishes the output itself, and an exception finishes it as in run_and_finish.
int run_plainly(const Output& output, std::string_view command, const std::function<int(const Output&)>& work);

}  // namespace heddle::cli
