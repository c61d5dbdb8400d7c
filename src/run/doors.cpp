// The rows, and the errors for what no row accepts.
#include "run/doors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include "net/load_net.h"
#include "run/actor_door.h"
#include "run/errors.h"
#include "run/native_door.h"
#include "run/net_door.h"
#include "run/suggestions.h"
#include "run/words.h"

namespace heddle::run {
namespace {

const std::string run_models = "check audit schedules simulate explore replay";

std::vector<Door> make_doors() {
  const std::vector<std::string> of_protocols = {"model", "network", "refinement"};
  return {
      {.name = "library",
       .commands = run_models + " models",
       .takes = "a library model (`heddle models`)",
       .reads = "",
       .accepts = [](const std::string& given) { return find_model(given) != nullptr; },
       .options = of_protocols,
       .lacks = "this is a protocol, not a program in C or C++",
       .open = open_library},
      {.name = "program",
       .commands = run_models + " explain",
       .takes = "a program's .c or .cpp file",
       .reads = "programs in .c and .cpp files",
       .accepts = is_program_file,
       .options = {"native", "linearizable"},
       .lacks = "a program has no messages and processes",
       .open = open_program,
       .told = true,
       .component = "lower"},
      {.name = "protocol",
       .commands = run_models + " models",
       .takes = "a model's .cpp file",
       .reads = "models in .cpp files",
       .accepts = is_source_file,
       .options = of_protocols,
       .lacks = "this is a protocol, not a program in C or C++",
       .open = open_source_file,
       .told = true},
      {.name = "net",
       .commands = run_models,
       .takes = "a .net or .pnml file",
       .reads = "nets in .net and .pnml files",
       .accepts = [](const std::string& given) { return net::is_net_file(given); },
       .options = {"deadlock"},
       .lacks = "a net has no messages and processes",
       .open = open_net},
      {.name = "history",
       .commands = "lin",
       .takes = "recorded histories (Jepsen's EDN or log, JSON, a trace); - for standard input",
       .reads = ""},
      {.name = "transactions",
       .commands = "serializable",
       .takes = "a recorded history of transactions (Elle's list-append or rw-register in EDN or JSON); - for standard "
                "input",
       .reads = ""},
      {.name = "call log",
       .commands = "refine",
       .takes = "one JSON object a line, such as {\"call\": \"commit\", \"round\": 2}; - for standard input",
       .reads = ""},
  };
}

// Throws UsageError for a parameter, bug or switch that means nothing to the door.
void check_options(const Door& door, const Source& source, const RunSettings& settings) {
  if (!door.has_option("model")) {
    if (!settings.parameters.empty())
      throw UsageError(fmt::format("{}: a {} has no parameters; drop --param", source.file, door.name));
    if (!settings.bug.empty())
      throw UsageError(fmt::format("{}: a {} has no bugs to switch on; drop --bug", source.file, door.name));
  }
  for (const auto& [name, value] : settings.switches) {
    const auto row = std::ranges::find(switch_table(), name, &Switch::name);
    // A switch that does not exist is refused when it is applied.
    if (door.has_option(name) || (row == switch_table().end() ? door.has_option("model") : door.has_option(row->group)))
      continue;
    throw UsageError(fmt::format("{}{}{}; drop --{}", source.file, source.file.empty() ? "" : ": ", door.lacks, name));
  }
}

[[noreturn]] void fail_unknown(const std::string& given, const std::vector<Door>& table) {
  std::error_code ignored;
  if (std::filesystem::exists(given, ignored)) {
    std::vector<std::string> kinds;
    for (const Door& door : table) {
      if (!door.reads.empty()) kinds.push_back(door.reads);
    }
    std::string text;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      text += (i == 0 ? "" : i + 1 < kinds.size() ? ", " : " and ") + kinds[i];
    }
    throw UsageError(fmt::format("{}: Heddle reads {}", given, text));
  }
  if (std::filesystem::exists(given + ".cpp", ignored)) {
    throw UsageError(fmt::format("there is no model '{}' in the library; did you mean {}.cpp?", given, given));
  }
  std::string hint = did_you_mean(given, library_names());
  if (hint.empty()) hint = "; `heddle models` lists them";
  throw UsageError(fmt::format("there is no model '{}' in the library{}", given, hint));
}

// A name that ends like a file, and is none. Throws UsageError.
void check_there_is(const std::string& given) {
  constexpr std::array endings = {".c", ".cpp", ".cc", ".cxx", ".net", ".pnml"};
  std::error_code ignored;
  const std::string extension = std::filesystem::path(given).extension().string();
  if (std::ranges::find(endings, extension) == endings.end() || std::filesystem::exists(given, ignored)) return;
  throw UsageError(fmt::format("there is no file '{}'", given));
}

}  // namespace

bool Door::of(const std::string& command) const {
  const std::vector<std::string> all = split(commands, ' ');
  return std::ranges::find(all, command) != all.end();
}

bool Door::has_option(const std::string& option) const { return std::ranges::find(options, option) != options.end(); }

const std::vector<Door>& doors() {
  static const std::vector<Door> table = make_doors();
  return table;
}

std::string taken_by(const std::string& command, const std::vector<Door>& table) {
  std::string text;
  for (const Door& door : table) {
    if (door.of(command)) text += (text.empty() ? "" : ", ") + door.takes;
  }
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

Source open(const Given& given, const std::vector<Door>& table) {
  check_there_is(given.text);
  for (const Door& door : table) {
    if (!door.open || !door.accepts(given.text)) continue;
    Source source = door.open(given);
    source.settle = [door, settle = std::move(source.settle), file = source.file](const RunSettings& settings) {
      check_options(door, {.file = file, .definition = {}, .settle = {}}, settings);
      Instance instance = settle(settings);
      if (door.told) instance.door = door.name;
      return instance;
    };
    return source;
  }
  check_wish(given);
  fail_unknown(given.text, table);
}

Source open(const std::string& given, const std::string& model) { return open(Given{given, model, false}); }

}  // namespace heddle::run
