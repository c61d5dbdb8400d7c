// The only file that knows CLI11: declares the rows of the table to it, and turns its errors into sentences of our own.
#include "cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <limits>
#include <list>
#include <sstream>
#include <system_error>

#include "cli/errors.h"
#include "cli/option_groups.h"
#include "run/suggestions.h"

namespace heddle::cli {
namespace {

// The variables that CLI11 converts an option's values into. They live as long as its App.
struct Slot {
  const Option* row = nullptr;
  const CLI::Option* option = nullptr;
  bool flag = false;
  std::string text = {};
  std::vector<std::string> texts = {};
  std::uint32_t number32 = 0;
  std::uint64_t number64 = 0;
};

// Refuses what is not a number of digits only, or too large: CLI11 would take "-1" and 2^64 for other numbers.
std::string no_count(const std::string& text) {
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == text.npos;
  if (!digits) return fmt::format("'{}' is not a number; write digits only", text);
  std::uint64_t number = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc{}) return "";
  return fmt::format("{} is too large a number; the largest is {}", text, std::numeric_limits<std::uint64_t>::max());
}

// Declares a row of the table to CLI11. The descriptions of its validators are left out of --help: rows say it better.
CLI::Option* declare(CLI::App& app, const Option& row, const Place& place, Slot& slot) {
  const std::string& help = place.help.empty() ? row.help : place.help;
  const Binding& binding = row.into;
  CLI::Option* option = nullptr;
  switch (binding.kind) {
    case Binding::Kind::Flag:
      option = app.add_flag(row.names, slot.flag, help);
      break;
    case Binding::Kind::Text:
      option = app.add_option(row.names, slot.text, help);
      break;
    case Binding::Kind::Texts:
      option = app.add_option(row.names, slot.texts, help);
      break;
    case Binding::Kind::Number32:
      option = app.add_option(row.names, slot.number32, help);
      break;
    case Binding::Kind::Number64:
      option = app.add_option(row.names, slot.number64, help);
      break;
  }
  if (!row.is_flag()) option->type_name(row.value);
  if (binding.separator != 0) {
    option->delimiter(binding.separator)->allow_extra_args(false);
  } else if (binding.kind == Binding::Kind::Texts && !row.is_argument()) {
    // The option takes one value each time. Without this the help shows "NAME=VALUE ...".
    option->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
  if (binding.kind == Binding::Kind::Number32 || binding.kind == Binding::Kind::Number64) option->check(no_count);
  if (!binding.allowed.empty()) option->check(CLI::IsMember(binding.allowed).description(""));
  if (binding.range) option->check(CLI::Range(binding.range->first, binding.range->second).description(""));
  if (binding.positive) option->check(CLI::Validator(CLI::PositiveNumber).description(""));
  if (row.required) option->required();
  if (row.shows_default) option->default_str(binding.fallback());
  if (!row.excludes.empty()) option->excludes(app.get_option(row.excludes));
  if (!place.group.empty()) option->group(place.group);
  return option;
}

struct ParserOfCommand {
  const Command* command = nullptr;
  CLI::App* app = nullptr;
  std::list<Slot> slots = {};
};

// The whole table in CLI11's terms.
class Parser {
 public:
  Parser(const Program& program, const std::vector<Command>& commands, const std::vector<Option>& options)
      : app_(program.description, program.name) {
    app_.set_version_flag("-V,--version", program.version);
    app_.require_subcommand(1);
    app_.footer(fmt::format("\nExamples:\n{}\nExit code: {}.", program.examples, program.exit_codes));
    for (const Command& command : commands) {
      ParserOfCommand& parser = parsers_.emplace_back();
      parser.command = &command;
      parser.app = app_.add_subcommand(command.name, command.summary);
      parser.app->footer("");  // without this it has the footer of the program
      if (command.hidden) parser.app->group("");
      for (const Option& row : options) {
        const Place* place = row.place_in(command.name);
        if (place == nullptr) continue;
        Slot& slot = parser.slots.emplace_back();
        slot.row = &row;
        slot.option = declare(*parser.app, row, *place, slot);
      }
    }
  }

  CLI::App& app() { return app_; }

  const ParserOfCommand* find(const std::string& name) const {
    for (const ParserOfCommand& parser : parsers_) {
      if (parser.command->name == name) return &parser;
    }
    return nullptr;
  }
  // Returns the command that the user chose.
  const ParserOfCommand& chosen() const { return *find(app_.get_subcommands().front()->get_name()); }

 private:
  CLI::App app_;
  std::list<ParserOfCommand> parsers_;
};

// Describes the first option that the command does not have; empty if it has all of them.
std::string unknown_option(const CLI::App& command, const std::vector<std::string>& arguments) {
  std::vector<std::string> options;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  }
  const std::vector<std::string> rest = command.remaining(true);
  for (const std::string& argument : arguments) {
    if (std::ranges::find(rest, argument) == rest.end()) continue;
    const std::string name = argument.substr(0, argument.find('='));
    if (!name.starts_with("-")) continue;
    return fmt::format("{} has no option {}{}", command.get_name(), name, run::did_you_mean(name, options));
  }
  return {};
}

// Describes the words that are left over after parsing, in the order of the command line: CLI11 lists them backwards.
std::string left_over(const CLI::App& command, const std::vector<std::string>& arguments) {
  const std::vector<std::string> rest = command.remaining(true);
  std::string all;
  for (const std::string& argument : arguments) {
    if (std::ranges::find(rest, argument) != rest.end()) all += (all.empty() ? "" : " ") + argument;
  }
  return fmt::format("{} does not know what to do with: {}", command.get_name(), all);
}

std::vector<std::string> names_of(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  for (const Command& command : commands) {
    if (!command.hidden) names.push_back(command.name);
  }
  return names;
}

std::string unknown_command(const std::vector<Command>& commands, const std::string& given) {
  const std::vector<std::string> names = names_of(commands);
  const std::string hint = run::did_you_mean(given, names);
  return fmt::format("there is no command '{}'{} The commands are {}", given, hint.empty() ? "." : hint,
                     run::listed(names));
}

std::string usage_error(const Parser& parser, const std::vector<Command>& commands, const CLI::ParseError& error,
                        const std::vector<std::string>& words) {
  if (words.empty()) return "no command; one of " + run::listed(names_of(commands)) + ", or --help";
  const ParserOfCommand* command = parser.find(words[0]);
  if (command == nullptr && !words[0].starts_with("-")) return unknown_command(commands, words[0]);
  const auto is = [&](CLI::ExitCodes code) { return error.get_exit_code() == static_cast<int>(code); };
  // A mistyped option is told first: what seems to be missing may be the value that it has taken.
  if (command != nullptr && (is(CLI::ExitCodes::ExtrasError) || is(CLI::ExitCodes::RequiredError))) {
    const std::vector<std::string> arguments(words.begin() + 1, words.end());
    std::string text = unknown_option(*command->app, arguments);
    if (text.empty() && is(CLI::ExitCodes::ExtrasError)) text = left_over(*command->app, arguments);
    if (!text.empty()) return fmt::format("{}{} See heddle {} --help", text, text.ends_with('?') ? "" : ".", words[0]);
  }
  return fmt::format("{}; see heddle {}--help", error.what(), command != nullptr ? words[0] + " " : "");
}

// What stands after -- is for the compiler of programs: --flags.
std::vector<std::string> with_flags(const std::vector<std::string>& words) {
  const std::vector<std::string> takes_programs = split(runs_a_program, ' ');
  const auto dashes = std::ranges::find(words, "--");
  if (dashes == words.end() || std::ranges::find(takes_programs, words[0]) == takes_programs.end()) return words;
  std::string flags;
  for (auto word = dashes + 1; word != words.end(); ++word) {
    const bool plain = !word->empty() && word->find_first_of(" '\"\\\t\n") == word->npos;
    std::string quoted = "'";
    for (const char c : *word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    flags += (flags.empty() ? "" : " ") + (plain ? *word : quoted + "'");
  }
  std::vector<std::string> out(words.begin(), dashes);
  out.push_back("--flags=" + flags);
  return out;
}

// CLI11 takes the next word for the value of "--trace=", and "--json" for the value of "--loss" if it comes next.
void refuse_missing_values(const Parser& parser, const std::vector<std::string>& words) {
  const ParserOfCommand* const command = words.empty() ? nullptr : parser.find(words[0]);
  if (command == nullptr) return;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--") return;
    if (!word.starts_with("--")) continue;
    const CLI::Option* const option = command->app->get_option_no_throw(word);
    const bool takes_value = option != nullptr && option->get_items_expected_max() > 0;
    if (takes_value && i + 1 < words.size() && words[i + 1].starts_with("--") &&
        command->app->get_option_no_throw(words[i + 1]) != nullptr) {
      throw UsageError(
          fmt::format("{}: the value is missing, {} is an option; see heddle {} --help", word, words[i + 1], words[0]));
    }
    if (word.find('=') != word.size() - 1) continue;
    const std::string name = word.substr(0, word.size() - 1);
    if (command->app->get_option_no_throw(name) == nullptr) continue;
    throw UsageError(fmt::format("{}: the value is empty; see heddle {} --help", name, words[0]));
  }
}

std::string text_of(const Slot& slot) {
  if (slot.row->is_flag()) return slot.row->into.recorded_as;
  if (slot.row->into.kind == Binding::Kind::Text) return slot.text;
  std::string text;
  for (const std::string& one : slot.option->results()) text += (text.empty() ? "" : ",") + one;
  return text;
}

void store(const Slot& slot, Arguments& arguments) {
  const Option& row = *slot.row;
  const bool given = slot.option->count() > 0 && (!row.is_flag() || slot.flag);
  if (given && row.into.set) {
    const bool wide = row.into.kind == Binding::Kind::Number64;
    row.into.set(arguments, {slot.text, slot.texts, wide ? slot.number64 : slot.number32});
  }
  if (given) arguments.named.insert(row.name());
  if (given && row.recorded != Option::Recorded::Never) arguments.recorded[row.name()] = text_of(slot);
  if (!given && row.recorded == Option::Recorded::Always) arguments.recorded[row.name()] = row.into.fallback();
}

}  // namespace

CommandLine::CommandLine(Program program, std::vector<Command> commands, std::vector<Option> options)
    : program_(std::move(program)), commands_(std::move(commands)), options_(std::move(options)) {
  check_options(options_);
}

CommandLine::Parsed CommandLine::parse(const std::vector<std::string>& given) const {
  const std::vector<std::string> words = with_flags(given);
  Parser parser(program_, commands_, options_);
  refuse_missing_values(parser, words);
  try {
    parser.app().parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::Success& success) {  // --help and --version
    std::ostringstream text;
    parser.app().exit(success, text, text);
    return {.text = text.str()};
  } catch (const CLI::ParseError& error) {
    throw UsageError(usage_error(parser, commands_, error, words));
  }
  const ParserOfCommand& chosen = parser.chosen();
  Parsed parsed{.command = chosen.command};
  for (const Slot& slot : chosen.slots) store(slot, parsed.arguments);
  return parsed;
}

std::string CommandLine::help(const std::string& command) const {
  Parser parser(program_, commands_, options_);
  if (command.empty()) {
    return parser.app().get_formatter()->make_help(&parser.app(), program_.name, CLI::AppFormatMode::Normal);
  }
  const ParserOfCommand* found = parser.find(command);
  if (found == nullptr) throw UsageError(unknown_command(commands_, command));
  return found->app->help(program_.name);
}

}  // namespace heddle::cli
