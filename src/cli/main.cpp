// The program `heddle`. This file parses and dispatches; commands.cpp lists all commands, option_table.cpp all options.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/errors.h"
#include "cli/output.h"
#include "cli/standard_output.h"
#include "core/budget.h"
#include "core/user_code.h"
#include "run/compile_model.h"

namespace {

using namespace heddle;

// Ends the program after a mistake on the command line. The options of the output are not known then, so --json is
// looked for among the words: somebody may wait for an object.
int fail(const std::vector<std::string>& words, const cli::UsageError& error) {
  cli::OutputOptions options;
  options.json = std::ranges::find(words, "--json") != words.end();
  report::RunReport report;
  if (!words.empty()) report.command = words[0];
  return cli::run_and_finish(cli::Output(options), report, [&] { throw error; });
}

}  // namespace

int main(int argc, char** argv) {
  Budget::install_interrupt_handler();  // first, so that a signal ends no command without its closing line
  const std::vector<std::string> words(argv + 1, argv + argc);
  cli::CommandLine::Parsed parsed;
  try {
    parsed = cli::heddle_command_line().parse(words);
  } catch (const cli::UsageError& error) {
    return fail(words, error);
  }
  if (parsed.command == nullptr) {
    fmt::print(cli::standard_output(), "{}", parsed.text);
    return cli::Output({}).finish_nothing();
  }
  cli::keep_standard_output();
  cli::remember_command(words);
  restart_on_failure(argv, ::fileno(cli::standard_output()));
  run::on_loading(cli::expect_the_worst);
  return parsed.command->run(parsed.arguments);
}
