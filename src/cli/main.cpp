// heddle: the one program. Every command is in a file of its own (command.h); this one parses and dispatches.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/standard_output.h"
#include "cli/suggestions.h"
#include "core/user_code.h"
#include "heddle_paths.h"

namespace {

using namespace heddle;

constexpr std::string_view footer = R"(
Examples:
  heddle check paxos                           a model of the library
  heddle check paxos --bug accept_always       the same with a mistake in it
  heddle check paxos --reduce none             every state, nothing left out
  heddle new lock && heddle check lock.cpp     a model of your own
  heddle replay heddle-trace.json              a violation once more
  heddle lin history.edn --spec register       a recorded history
  heddle refine calls.jsonl                    calls that an implementation has logged

Exit code: 0 holds, 1 violated, 2 unknown (a budget ran out), 3 error.)";

// What is left over after parsing, in the order it was given: CLI11 lists it backwards.
std::string left_over(const CLI::App& command, const std::vector<std::string>& arguments) {
  std::vector<std::string> options;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  }
  const std::vector<std::string> rest = command.remaining(true);
  for (const std::string& argument : arguments) {
    if (std::ranges::find(rest, argument) == rest.end()) continue;
    const std::string name = argument.substr(0, argument.find('='));
    if (!name.starts_with("-")) continue;
    return fmt::format("{} has no option {}{}", command.get_name(), name, cli::did_you_mean(name, options));
  }
  std::string all;
  for (const std::string& argument : arguments) {
    if (std::ranges::find(rest, argument) != rest.end()) all += (all.empty() ? "" : " ") + argument;
  }
  return fmt::format("{} does not know what to do with: {}", command.get_name(), all);
}

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands(nullptr)) commands.push_back(command->get_name());
  return commands;
}

std::string unknown_command(const CLI::App& app, const std::string& given) {
  const std::vector<std::string> commands = commands_of(app);
  const std::string hint = cli::did_you_mean(given, commands);
  return fmt::format("there is no command '{}'{} The commands are {}", given, hint.empty() ? "." : hint,
                     cli::listed(commands));
}

std::string usage_error(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& arguments) {
  const std::vector<std::string> commands = commands_of(app);
  const bool known = !arguments.empty() && std::ranges::find(commands, arguments[0]) != commands.end();
  if (arguments.empty()) return "no command; one of " + cli::listed(commands) + ", or --help";
  if (!known && !arguments[0].starts_with("-")) return unknown_command(app, arguments[0]);
  if (known && error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) {
    const std::string text = left_over(*app.get_subcommand(arguments[0]), {arguments.begin() + 1, arguments.end()});
    return fmt::format("{}{} See heddle {} --help", text, text.ends_with('?') ? "" : ".", arguments[0]);
  }
  return fmt::format("{}; see heddle {}--help", error.what(), known ? arguments[0] + " " : "");
}

// `heddle help check` is `heddle check --help`, and `heddle version` is `heddle --version`.
void add_help(CLI::App& app, cli::Command& run) {
  auto topic = std::make_shared<std::string>();
  CLI::App* help = app.add_subcommand("help", "Show the options of a command");
  help->add_option("COMMAND", *topic, "Which; left out: this list")->type_name("");
  help->callback([topic, &app, &run] {
    run = [topic, &app] {
      const std::vector<std::string> commands = commands_of(app);
      if (!topic->empty() && std::ranges::find(commands, *topic) == commands.end()) {
        report::RunReport report;
        report.command = "help";
        return cli::run_and_finish(cli::Output({}), report,
                                   [&] { throw std::invalid_argument(unknown_command(app, *topic)); });
      }
      // App::help() of the program would tell of the command that was given, which is `help`.
      const std::string text = topic->empty()
                                   ? app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal)
                                   : app.get_subcommand(*topic)->help(app.get_name());
      fmt::print(cli::standard_output(), "{}", text);
      return cli::Output({}).finish_nothing();
    };
  });
  app.add_subcommand("version", "Show the version of the program")->callback([&app, &run] {
    run = [&app] {
      fmt::print(cli::standard_output(), "{}\n", app.version());
      return cli::Output({}).finish_nothing();
    };
  });
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Heddle finds, explains and rules out bugs in concurrent and distributed systems.", "heddle");
  app.set_version_flag("-V,--version",
                       fmt::format("heddle {} (models are compiled with {})", paths::version, paths::cxx_compiler));
  app.require_subcommand(1);
  app.footer(std::string(footer));
  cli::Command run;
  cli::add_check(app, run);
  cli::add_audit(app, run);
  cli::add_schedules(app, run);
  cli::add_replay(app, run);
  cli::add_simulate(app, run);
  cli::add_lin(app, run);
  cli::add_refine(app, run);
  cli::add_convert(app, run);
  cli::add_models(app, run);
  cli::add_new(app, run);
  add_help(app, run);
  for (CLI::App* command : app.get_subcommands(nullptr)) command->footer("");  // otherwise that of the program

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help and --version
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    cli::OutputOptions options;
    options.json = std::ranges::find(arguments, "--json") != arguments.end();
    report::RunReport report;
    if (!arguments.empty()) report.command = arguments[0];
    const std::string text = usage_error(app, error, arguments);
    return cli::run_and_finish(cli::Output(options), report, [&] { throw std::invalid_argument(text); });
  }
  cli::keep_standard_output();
  restart_on_failure(argv, ::fileno(cli::standard_output()));
  return run();
}
