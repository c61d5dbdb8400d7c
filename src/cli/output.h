// Where a command's words go. Without --json everything is for people and goes to stdout, and the last line is the closing
// line. With --json stdout gets exactly one object; whatever is said besides it goes to stderr. --quiet leaves only the end.
//
// Thread-safe: no; commands speak from one thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "report/run_json.h"
#include "report/text.h"

namespace heddle::cli {

struct OutputOptions {
  bool json = false, quiet = false, ascii = false;
  int width = 0;  // 0: of the terminal
};

class Output {
 public:
  explicit Output(OutputOptions options) : options_(options) {}

  const OutputOptions& options() const { return options_; }
  // One or more whole lines, without the last newline.
  void say(std::string_view text) const;
  // What was rendered by others; the newlines at its end do not count.
  void show(std::string_view rendered) const;
  // A run as a picture, without its title where that has been said already.
  void show(const trace::Trace& trace, bool title = true) const;
  report::TextOptions text_options() const;

  // The closing line or the object; returns the exit code. A stdout that cannot be written to is an error of its own.
  int finish(const report::RunReport& report) const;
  // After everything that goes to stdout has been written there: only the check that it was.
  int finish_nothing() const;
  // What is said should the program end by a signal or exit() while it works on `report`.
  std::string last_words(const report::RunReport& report) const;
  bool json() const { return options_.json; }
  // For commands without a run: the object if --json was given, otherwise the line.
  int finish(std::string_view line, std::string_view json) const;

 private:
  OutputOptions options_;
};

// Since the program began: compiling, searching, minimising, everything.
double command_seconds();

// Runs `work`, which fills in the report, says what the sections of the report have to say, and finishes. Exceptions
// become the verdict: error, or unknown for Ctrl-C and for memory that ran out.
int run_and_finish(const Output& output, report::RunReport& report, const std::function<void()>& work);
// An exception that nothing can catch, such as one from a global variable of a user's model while that is loaded, ends the
// program. From here on it still ends in a closing line, or the object, and exit code 3; `doing` says in what connection.
void expect_the_worst(std::string doing);

// For commands without a run, whose work finishes by itself when nothing goes wrong.
int run_plainly(const Output& output, std::string_view command, const std::function<int(const Output&)>& work);

}  // namespace heddle::cli
