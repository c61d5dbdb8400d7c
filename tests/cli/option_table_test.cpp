// The option table: what one row is enough for, and that the program's own rows keep the rules.
#include "cli/option_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "cli/command_arguments.h"
#include "cli/command_line.h"
#include "cli/errors.h"
#include "cli/findings.h"
#include "cli/man_page.h"
#include "cli/option_manual.h"
#include "cli/option_values.h"
#include "cli/output.h"
#include "cli/reduction_arguments.h"
#include "cli/run_arguments.h"
#include "report/trace_json.h"
#include "run/switches.h"

namespace heddle::cli::option_table_test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

const Program program = {"heddle", "A program.", "heddle 0 (test)", "  heddle check paxos\n", "0 holds"};

std::string error_of(const CommandLine& line, const std::vector<std::string>& words) {
  try {
    line.parse(words);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

// --- One row more.

enum class Weather { Fine, Stormy };

struct WeatherOptions {
  Weather weather = Weather::Fine;
};

// As a door or a component would bring it.
Option weather_row() {
  return {.names = "--weather",
          .value = "KIND",
          .help = "What it is like outside: fine or stormy",
          .manual = "what it is like outside; in storms messages get lost",
          .places = {{"check simulate", "Surroundings (nobody can change them)"}},
          .into = choice(&WeatherOptions::weather, {{"fine", Weather::Fine}, {"stormy", Weather::Stormy}}),
          .recorded = Option::Recorded::IfGiven};
}

std::vector<Option> with_weather() {
  std::vector<Option> options = option_table();
  options.push_back(weather_row());
  return options;
}

TEST(OneRow, IsParsed) {
  const CommandLine line(program, commands(), with_weather());
  const CommandLine::Parsed given = line.parse({"check", "paxos", "--weather", "stormy"});
  ASSERT_NE(given.command, nullptr);
  EXPECT_EQ(given.command->name, "check");
  EXPECT_EQ(given.arguments.of<WeatherOptions>().weather, Weather::Stormy);
  EXPECT_EQ(given.arguments.of<RunArguments>().given, "paxos");
  EXPECT_EQ(line.parse({"check", "paxos"}).arguments.of<WeatherOptions>().weather, Weather::Fine);
}

TEST(OneRow, MistakesAreToldLikeThoseOfOthers) {
  const CommandLine line(program, commands(), with_weather());
  EXPECT_EQ(error_of(line, {"check", "paxos", "--weather", "foggy"}),
            "--weather: foggy not in {fine,stormy}; see heddle check --help");
  EXPECT_EQ(error_of(line, {"check", "paxos", "--wether", "fine"}),
            "check has no option --wether; did you mean --weather? See heddle check --help");
  EXPECT_EQ(error_of(line, {"audit", "paxos", "--weather", "fine"}),
            "audit has no option --weather. See heddle audit --help");
}

TEST(OneRow, IsInTheHelp) {
  const CommandLine line(program, commands(), with_weather());
  const std::string help = line.help("check");
  EXPECT_THAT(help, HasSubstr("Surroundings (nobody can change them):\n  --weather KIND "));
  EXPECT_THAT(help, HasSubstr("What it is like outside: fine or stormy"));
  EXPECT_EQ(line.parse({"check", "--help"}).text, help);
  EXPECT_THAT(line.help("audit"), Not(HasSubstr("--weather")));
}

TEST(OneRow, IsInTheManual) {
  const std::string row =
      "| `--weather fine\\|stormy` | what it is like outside; in storms messages get lost; default "
      "`fine` |\n";
  const std::string page = "Text\n<!-- options of check: Surroundings -->\nold\n<!-- end of options -->\nmore\n";
  EXPECT_EQ(refresh_tables(page, with_weather()),
            "Text\n<!-- options of check: Surroundings -->\n| option | |\n|---|---|\n" + row +
                "<!-- end of options -->\nmore\n");
  EXPECT_THAT(options_markdown(with_weather(), "simulate", {}), HasSubstr(row));
}

TEST(OneRow, IsInTheManPage) {
  for (const ManPage& page : man_pages(CommandLine(program, commands(), with_weather()))) {
    const bool has_it = page.file == "heddle-check.1" || page.file == "heddle-simulate.1";
    EXPECT_EQ(page.text.find("\\fB\\-\\-weather\\fR \\fIfine|stormy\\fR\n") != page.text.npos, has_it) << page.file;
  }
}

// From the command line through the model into the trace.
TEST(OneRow, IsInTheTrace) {
  std::vector<run::Switch> switches = run::switch_table();
  switches.push_back({.name = "weather",
                      .apply = [](Model& model, const std::string& value,
                                  const run::Switches&) { model.network.losses = value == "stormy" ? 1 : 0; },
                      .in_force = [](const Model& model) { return model.network.losses > 0 ? "stormy" : "fine"; },
                      .plain = "fine"});
  const CommandLine line(program, commands(), with_weather());
  const RunArguments given = run_arguments(line.parse({"check", "x", "--weather", "stormy"}).arguments);
  Model model(Definition{.name = "empty", .summary = "", .build = [](Model&) {}});
  run::apply_switches(model, given.switches, switches);
  EXPECT_EQ(model.network.losses, 1u);
  trace::Trace trace;
  trace.options = run::effective_switches(model, given.switches, switches);
  EXPECT_EQ(trace.options, (run::Switches{{"loss", "1"}, {"network", "multiset"}, {"weather", "stormy"}}));
  EXPECT_THAT(report::to_json(trace), HasSubstr("\"weather\": \"stormy\""));
}

// A switch is one row too: run/switches.cpp says what it does to a model, and the program has an option for it.
TEST(OneRow, OfASwitchIsAnOption) {
  std::vector<Option> options = option_table();
  options.push_back(option_of({.name = "tide",
                               .value = "KIND",
                               .help = "high or low",
                               .values = {"high", "low"},
                               .apply = [](Model&, const std::string&, const run::Switches&) {}}));
  const CommandLine line(program, commands(), options);
  EXPECT_EQ(line.parse({"simulate", "x", "--tide", "low"}).arguments.recorded, (run::Switches{{"tide", "low"}}));
  EXPECT_THAT(line.help("audit"), HasSubstr("--tide KIND"));
  EXPECT_THAT(options_markdown(options, "check", {}), HasSubstr("| `--tide high\\|low` |"));
}

// --- A command that runs no model.

struct QueryOptions {
  std::vector<std::string> files;
  std::uint64_t most = 10;
};

TEST(ACommand, NeedsNoModel) {
  std::vector<Command> all = commands();
  int seen = 0;
  all.push_back({"query", "Ask a database", [&](const Arguments& given) {
                   seen = static_cast<int>(given.of<QueryOptions>().most);
                   return 0;
                 }});
  std::vector<Option> options = option_table();
  options.push_back({.names = "FILE", .help = "Queries", .places = {{"query"}}, .into = texts(&QueryOptions::files)});
  options.push_back({.names = "-m,--most",
                     .value = "N",
                     .help = "Rows, at most",
                     .places = {{"query", "Size"}},
                     .into = number(&QueryOptions::most).within(1, 99),
                     .shows_default = true});
  const CommandLine line(program, all, options);
  const CommandLine::Parsed parsed = line.parse({"query", "a.sql", "b.sql", "-m", "7"});
  EXPECT_EQ(parsed.command->run(parsed.arguments), 0);
  EXPECT_EQ(seen, 7);
  EXPECT_EQ(parsed.arguments.of<QueryOptions>().files.size(), 2u);
  EXPECT_THAT(line.help(""), HasSubstr("query"));
  EXPECT_THAT(line.help("query"), HasSubstr("-m,--most N=10"));
  EXPECT_THAT(error_of(line, {"query", "-m", "100"}), HasSubstr("100 not in range 1 to 99"));
  EXPECT_THAT(error_of(line, {"quary"}), HasSubstr("did you mean query?"));
}

// --- The rows of the program.

const CommandLine& own() { return heddle_command_line(); }

TEST(OptionTable, BrokenRulesAreFound) {
  const auto broken = [](Option option) {
    std::vector<Option> options = option_table();
    options.push_back(std::move(option));
    EXPECT_THROW(check_options(options), std::logic_error);
  };
  broken({.names = "--threads", .value = "N", .help = "again", .places = {{"check"}}});
  broken({.names = "--list-specs", .help = "again", .places = {{"lin"}}, .into = recorded_flag()});
  broken({.names = "--nowhere", .value = "N", .help = "of no command"});
  broken({.names = "--nameless", .help = "a value without a name", .places = {{"check"}}});
  EXPECT_NO_THROW(check_options(option_table()));
}

TEST(OptionTable, NamesCommandsThatExist) {
  for (const Option& option : option_table()) {
    for (const Place& place : option.places) {
      for (const std::string& name : split(place.commands, ' ')) {
        EXPECT_THAT(commands(), Contains(testing::Field(&Command::name, name))) << option.names;
      }
    }
  }
}

TEST(OptionTable, HelpNamesEveryValue) {
  for (const Option& option : option_table()) {
    for (const Place& place : option.places) {
      for (const std::string& value : option.into.allowed) {
        EXPECT_THAT(place.help.empty() ? option.help : place.help, HasSubstr(value)) << option.names;
      }
    }
  }
}

TEST(OptionTable, WhatIsNotGivenIsTheStructsDefault) {
  const Arguments given = own().parse({"check", "paxos"}).arguments;
  EXPECT_EQ(given.of<SearchOptions>().order, SearchOptions::Order::BreadthFirst);
  EXPECT_EQ(given.of<ReductionArguments>().split, Split::Combined);
  EXPECT_EQ(given.of<FindingOptions>().trace_file, "heddle-trace.json");
  EXPECT_TRUE(given.recorded.empty());
}

TEST(OptionTable, WordsBecomeValues) {
  const Arguments given = own()
                              .parse({"check", "paxos",     "--search", "dfs",       "--store", "bitstate",  "--split",
                                      "reply", "--depth",   "9",        "-p",        "a=1",     "-p",        "b=2",
                                      "-q",    "--crashes", "A=1",      "--crashes", "B=2",     "--deadlock"})
                              .arguments;
  EXPECT_EQ(given.of<SearchOptions>().order, SearchOptions::Order::DepthFirst);
  EXPECT_EQ(given.of<SearchOptions>().store, SearchOptions::Store::Bitstate);
  EXPECT_EQ(given.of<SearchOptions>().limits.depth, 9u);
  EXPECT_EQ(given.of<ReductionArguments>().split, Split::Reply);
  EXPECT_THAT(given.of<RunArguments>().parameters, testing::ElementsAre("a=1", "b=2"));
  EXPECT_TRUE(given.of<OutputOptions>().quiet);
  EXPECT_EQ(given.recorded, (run::Switches{{"crashes", "A=1,B=2"}, {"deadlock", "true"}}));
}

TEST(OptionTable, RefineRecordsItsDefaultsToo) {
  EXPECT_EQ(own().parse({"refine", "log"}).arguments.recorded,
            (run::Switches{{"object", "qtree"}, {"spec", "strict"}}));
  EXPECT_EQ(own().parse({"refine", "log", "--clients", "1,2", "--log-of-commands"}).arguments.recorded,
            (run::Switches{{"clients", "1,2"}, {"log-of-commands", "on"}, {"object", "qtree"}, {"spec", "strict"}}));
}

TEST(OptionTable, EveryCommandHasAManPage) {
  const std::vector<ManPage> pages = man_pages(own());
  for (const Command& command : commands()) {
    const auto page = std::ranges::find(pages, "heddle-" + command.name + ".1", &ManPage::file);
    ASSERT_EQ(page == pages.end(), command.hidden) << command.name;
    if (command.hidden) continue;
    EXPECT_THAT(page->text, testing::StartsWith(".TH HEDDLE-"));
    EXPECT_THAT(page->text, Not(HasSubstr("`"))) << command.name;
    EXPECT_THAT(page->text, Not(HasSubstr("]("))) << command.name;
  }
  EXPECT_EQ(pages.front().file, "heddle.1");
  EXPECT_THAT(own().help(""), Not(HasSubstr("\n  man ")));
}

// It takes seconds to compile wherever it is included.
TEST(OptionTable, OneFileKnowsTheParser) {
  namespace fs = std::filesystem;
  const fs::path source = fs::path(HEDDLE_SOURCE_DIR) / "src";
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(source)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path());
    const std::string text(std::istreambuf_iterator<char>(file), {});
    if (text.find("CLI/") != text.npos || text.find("CLI::") != text.npos) {
      files.push_back(entry.path().lexically_relative(source).string());
    }
  }
  EXPECT_THAT(files, testing::ElementsAre("cli/command_line.cpp"));
}

TEST(Values, GoBothWays) {
  for (const std::string& name : split_kinds().names()) EXPECT_EQ(split_kinds().name(*split_kinds().find(name)), name);
  EXPECT_EQ(split_kinds().find("all"), std::nullopt);
  EXPECT_EQ(search_descriptions().name(SearchOptions::Order::RandomWalk), "random walk");
}

TEST(Split, PartsThatAreEmptyCountExceptTheLast) {
  EXPECT_THAT(split("a,b", ','), testing::ElementsAre("a", "b"));
  EXPECT_THAT(split("a,,b,", ','), testing::ElementsAre("a", "", "b"));
  EXPECT_THAT(split("", ','), testing::ElementsAre(""));
  EXPECT_THAT(split(",", ','), testing::ElementsAre(""));
}

}  // namespace
}  // namespace heddle::cli::option_table_test
