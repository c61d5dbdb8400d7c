// Parses the JSON, finds the entry of a file, and keeps the flags that change what a program is.
#include "run/compile_commands.h"

#include <fmt/format.h>
#include <boost/json.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>

#include "run/errors.h"
#include "run/suggestions.h"
#include "run/words.h"

namespace heddle::run {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr std::string_view how_to_make =
    "`cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON` writes it into the build folder, and so does `bear -- make`";

[[noreturn]] void refuse(const fs::path& origin, std::size_t entry, std::string_view why) {
  throw UsageError(fmt::format("{}: entry {}: {}; {}", origin.string(), entry + 1, why, how_to_make));
}

std::string text_of(const json::object& entry, std::string_view name, const fs::path& origin, std::size_t number) {
  const json::value* const value = entry.if_contains(name);
  if (value == nullptr) refuse(origin, number, fmt::format("there is no \"{}\"", name));
  if (!value->is_string()) refuse(origin, number, fmt::format("\"{}\" is no text", name));
  return std::string(value->as_string());
}

std::vector<std::string> arguments_of(const json::object& entry, const fs::path& origin, std::size_t number) {
  const json::value* const list = entry.if_contains("arguments");
  if (list == nullptr) {
    if (entry.if_contains("command") == nullptr) refuse(origin, number, "there is no \"command\" and no \"arguments\"");
    return shell_words(text_of(entry, "command", origin, number));
  }
  if (!list->is_array()) refuse(origin, number, "\"arguments\" is no list");
  std::vector<std::string> arguments;
  for (const json::value& one : list->as_array()) {
    if (!one.is_string()) refuse(origin, number, "\"arguments\" is no list of texts");
    arguments.emplace_back(one.as_string());
  }
  return arguments;
}

fs::path absolute_in(const fs::path& folder, const fs::path& file) { return (folder / file).lexically_normal(); }

template <std::size_t size>
bool is_one_of(const std::array<std::string_view, size>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}
template <std::size_t size>
bool begins_with_one_of(const std::array<std::string_view, size>& prefixes, std::string_view word) {
  return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return word.starts_with(prefix); });
}

constexpr std::array<std::string_view, 5> launchers = {"ccache", "sccache", "distcc", "icecc", "buildcache"};
// Without meaning for what the program is: output, dependencies, linking, optimisation, warnings, instrumentation.
constexpr std::array<std::string_view, 21> dropped = {"-c",  "-S",  "-E",    "-M", "-MM",     "-MD",     "-MMD",
                                                      "-MG", "-MP", "-pipe", "-s", "-shared", "-static", "-rdynamic",
                                                      "-pg", "-p",  "-v",    "-w", "-###",    "--",      "-save-temps"};
constexpr std::array<std::string_view, 10> dropped_with_value = {"-o", "-MF", "-MT",      "-MQ",         "-MJ",
                                                                 "-x", "-L",  "-Xlinker", "-Xassembler", "-fplugin"};
constexpr std::array<std::string_view, 27> dropped_families = {"-W",
                                                               "-O",
                                                               "-g",
                                                               "-l",
                                                               "-L",
                                                               "-o",
                                                               "-MF",
                                                               "-MT",
                                                               "-MQ",
                                                               "-fsanitize",
                                                               "-fno-sanitize",
                                                               "-flto",
                                                               "-fno-lto",
                                                               "-fprofile",
                                                               "-fcoverage",
                                                               "--coverage",
                                                               "-ftest-coverage",
                                                               "-fdiagnostics",
                                                               "-fno-diagnostics",
                                                               "-fcolor",
                                                               "-fno-color",
                                                               "-ffile-prefix-map",
                                                               "-fdebug-prefix-map",
                                                               "-fplugin",
                                                               "-fstack-protector",
                                                               "-fcf-protection",
                                                               "-fuse-ld"};

}  // namespace

std::vector<CompileCommand> parse_compile_commands(std::string_view text, const fs::path& origin) {
  boost::system::error_code error;
  const json::value whole = json::parse({text.data(), text.size()}, error);
  if (error) throw UsageError(fmt::format("{}: not JSON: {}; {}", origin.string(), error.message(), how_to_make));
  if (!whole.is_array()) {
    throw UsageError(fmt::format("{}: not a list of compile commands; {}", origin.string(), how_to_make));
  }
  std::vector<CompileCommand> commands;
  for (std::size_t i = 0; i < whole.as_array().size(); ++i) {
    const json::value& one = whole.as_array()[i];
    if (!one.is_object()) refuse(origin, i, "it is no object");
    const json::object& entry = one.as_object();
    // A relative folder is relative to that of the list.
    const fs::path folder = absolute_in(fs::absolute(origin).parent_path(), text_of(entry, "directory", origin, i));
    commands.push_back({.file = absolute_in(folder, text_of(entry, "file", origin, i)),
                        .folder = folder,
                        .arguments = arguments_of(entry, origin, i)});
  }
  return commands;
}

CompileCommand compile_command(const fs::path& place, const fs::path& source) {
  std::error_code error;
  const fs::path origin = fs::is_directory(place, error) ? place / "compile_commands.json" : place;
  std::ifstream file(origin, std::ios::binary);
  if (!file) {
    throw UsageError(
        fmt::format("--compile-commands {}: there is no {}; {}", place.string(), origin.string(), how_to_make));
  }
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::vector<CompileCommand> commands = parse_compile_commands(text, origin);
  const fs::path wanted = fs::absolute(source).lexically_normal();
  auto found = std::ranges::find(commands, wanted, &CompileCommand::file);
  if (found == commands.end()) {
    // By another way to the same file: a symbolic link.
    found = std::ranges::find_if(commands, [&](const CompileCommand& one) {
      std::error_code ignored;
      return one.file.filename() == wanted.filename() && fs::equivalent(one.file, wanted, ignored);
    });
  }
  if (found != commands.end()) return std::move(*found);
  std::set<std::string> names;
  for (const CompileCommand& one : commands) names.insert(one.file.filename().string());
  throw UsageError(fmt::format(
      "{}: there is no entry for {}; if the file is not part of the build, give its flags after --, without "
      "--compile-commands{}",
      origin.string(), source.string(), did_you_mean(source.filename().string(), {names.begin(), names.end()})));
}

std::vector<std::string> flags_of(const CompileCommand& command) {
  std::vector<std::string> flags;
  const std::vector<std::string>& given = command.arguments;
  std::size_t i = 0;
  while (i < given.size() && is_one_of(launchers, fs::path(given[i]).filename().string())) ++i;
  ++i;  // the compiler
  for (; i < given.size(); ++i) {
    const std::string& word = given[i];
    if (is_one_of(dropped_with_value, word)) {
      ++i;
    } else if (word.starts_with("-Wp,-D") || word.starts_with("-Wp,-U")) {
      flags.push_back(word.substr(4));
    } else if (is_one_of(dropped, word) || begins_with_one_of(dropped_families, word)) {
      continue;
    } else if (word.starts_with("-") || absolute_in(command.folder, word) != command.file) {
      flags.push_back(word);
    }
  }
  return flags;
}

}  // namespace heddle::run
