// Turns switches into options of a native::System, and tells programs from models by their text.
#include "run/native_door.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

#include "core/model_error.h"
#include "native/places.h"
#include "native/system.h"
#include "report/program_report.h"
#include "run/errors.h"
#include "run/harness_clients.h"
#include "run/lower_program.h"
#include "run/words.h"

namespace heddle::run {
namespace {

constexpr std::array<std::string_view, 3> cxx_extensions = {".cpp", ".cc", ".cxx"};

// Whether a line includes a header of Heddle other than the one for programs, or lists transitions without any: then
// the compiler's words about a model help, those about a program do not.
bool is_model_file(const std::string& file) {
  std::ifstream in(file);
  bool lists_transitions = false, includes_native = false;
  for (std::string line; std::getline(in, line);) {
    lists_transitions |= line.find("heddle::transitions<") != line.npos;
    const auto hash = line.find_first_not_of(" \t");
    if (hash == line.npos || line[hash] != '#' || line.find("include", hash) == line.npos) continue;
    const auto at = line.find("heddle/");
    if (at == line.npos || at == 0 || (line[at - 1] != '<' && line[at - 1] != '"')) continue;
    if (!line.substr(at).starts_with("heddle/native.h")) return true;
    includes_native = true;
  }
  return lists_transitions && !includes_native;
}

std::string switch_of(const Switches& switches, const std::string& name) {
  const auto found = switches.find(name);
  return found == switches.end() ? "" : found->second;
}

// "-1..4"
native::MachineSettings::Range parse_range(const std::string& text) {
  constexpr std::int64_t most = 1'000;
  native::MachineSettings::Range range;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, range.first);
  const bool dots = first.ec == std::errc() && std::string_view(first.ptr, end).starts_with("..");
  const auto last = dots ? std::from_chars(first.ptr + 2, end, range.last) : first;
  if (!dots || last.ec != std::errc() || last.ptr != end || range.first > range.last ||
      range.last > std::numeric_limits<std::int32_t>::max() || range.first < std::numeric_limits<std::int32_t>::min() ||
      range.last - range.first >= most) {
    throw UsageError(fmt::format(
        "--nondet {}: it is FIRST..LAST, two numbers of 32 bits, at most {} values, such as -1..4", text, most));
  }
  return range;
}

native::SystemOptions system_options(const Switches& switches) {
  native::SystemOptions options;
  const auto one_of = [&](const std::string& name, const std::string& usual, const std::string& other) {
    const std::string given = switch_of(switches, name);
    if (given.empty() || given == usual) return false;
    if (given != other) throw UsageError(fmt::format("--{} {}: it is {} or {}", name, given, usual, other));
    return true;
  };
  if (one_of("races", "report", "allow")) options.races = native::Races::Allow;
  options.leaks = switch_of(switches, "leaks") == "true";
  if (one_of("granularity", "accesses", "calls")) options.calls = native::Calls::Visible;
  if (const std::string range = switch_of(switches, "nondet"); !range.empty()) options.nondet = parse_range(range);
  return options;
}

// What is to be atomic, as --atomic says.
std::vector<native::Section> sections_of(const native::Image& image, const Switches& switches) {
  std::vector<native::Section> sections;
  const std::string given = switch_of(switches, "atomic");
  if (given.empty()) return sections;
  try {
    for (const std::string& one : split(given, ',')) sections.push_back(native::parse_section(image, one));
    native::section_numbers(image, sections);
  } catch (const native::SectionError& error) {
    throw UsageError(fmt::format("--atomic {}", error.what()));
  }
  return sections;
}

HarnessSettings harness_settings(const native::Image& image, const Switches& switches,
                                 const std::optional<native::Harness>& harness) {
  HarnessSettings out;
  out.system = system_options(switches);
  out.system.sections = sections_of(image, switches);
  const std::string specification = switch_of(switches, "linearizable");
  if (!specification.empty()) out.specification = &fitting_specification(specification, *harness);
  out.histories = out.specification != nullptr || switch_of(switches, "history") == "true";
  return out;
}

// The same program with the smallest client that fails in the same way.
std::optional<SmallerInstance> smaller_instance(const std::shared_ptr<const native::Image>& image,
                                                const HarnessSettings& how, const native::Client& client,
                                                Switches switches, const std::string& file, const std::string& property,
                                                const Limits& limits) {
  std::optional<SmallestClient> found = smallest_client(image, how, client, property, limits);
  if (!found) return std::nullopt;
  const native::Harness harness = native::harness_of(*image).value();
  for (const char* name : {"client-threads", "calls", "values", "clients", "client-seed"}) switches.erase(name);
  switches["client"] = text(found->client, harness);
  switches["file"] = file;
  return SmallerInstance{.system = std::move(found->system),
                         .finding = std::move(found->finding),
                         .options = std::move(switches),
                         .from = fmt::format("the client {}", text(client, harness))};
}

// Lines of the user's code that ask for less than sequential consistency.
std::vector<std::string> weaker_orders(const native::Image& image) {
  std::set<std::pair<std::string, std::uint32_t>> lines;
  for (std::uint32_t f = 0; f < image.functions.size(); ++f) {
    const auto& operations = image.functions[f].operations;
    for (std::uint32_t at = 0; at < operations.size(); ++at) {
      using enum native::Code;
      using native::Ordering;
      const native::Operation& x = operations[at];
      if (x.code != Load && x.code != Store && x.code != CompareExchange && x.code != ReadModifyWrite) continue;
      const auto order = static_cast<Ordering>(x.flags & native::ordering_mask);
      if (order == Ordering::Plain || order == Ordering::SequentiallyConsistent) continue;
      const native::StackLine line = native::user_line(native::lines_of(image, f, at));
      if (!line.library && line.line != 0) lines.emplace(std::filesystem::path(line.file).filename(), line.line);
    }
  }
  std::vector<std::string> out;
  for (const auto& [file, line] : lines) out.push_back(fmt::format("{}:{}", file, line));
  return out;
}

}  // namespace

bool is_program_file(const std::string& given) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(given, error)) return false;
  const std::string extension = std::filesystem::path(given).extension().string();
  if (extension == ".c") return true;
  return std::ranges::find(cxx_extensions, extension) != cxx_extensions.end() && !is_model_file(given);
}

ProgramFiles program_files(const std::string& file, const Switches& switches) {
  ProgramFiles files{.sources = {file},
                     .flags = shell_words(switch_of(switches, "flags")),
                     .compile_commands = switch_of(switches, "compile-commands")};
  if (const std::string link = switch_of(switches, "link"); !link.empty()) {
    for (const std::string& more : split(link, ',')) files.sources.emplace_back(more);
  }
  return files;
}

std::string program_command(const std::string& command, const std::string& file, const Switches& switches) {
  std::string out = fmt::format("heddle {} {}", command, shell_quoted(file));
  for (const auto& [name, value] : switches) {
    if (name == "flags" || name == "file") continue;
    const auto row = std::ranges::find(switch_table(), name, &Switch::name);
    const bool is_flag = row != switch_table().end() && row->kind == Switch::Kind::Flag;
    out += is_flag ? fmt::format(" --{}", name) : fmt::format(" --{} {}", name, shell_quoted(value));
  }
  if (const std::string flags = switch_of(switches, "flags"); !flags.empty()) out += " -- " + flags;
  return out;
}

Program load_program(const std::string& file, const Switches& switches) {
  system_options(switches);
  Program program{.image = lower_program(program_files(file, switches)), .harness = {}, .clients = {}, .how = {}};
  if (program.image->start == native::none) {
    throw ModelError(fmt::format(
        "{}: there is nothing to run. A program needs a `main`, or a harness: HEDDLE_HARNESS(Queue, push, pop), "
        "after #include <heddle/native.h>",
        file));
  }
  program.harness = native::harness_of(*program.image);
  program.clients = choose_clients(file, program.harness, switches);
  program.how = harness_settings(*program.image, switches, program.harness);
  return program;
}

Source open_program(const Given& given) {
  const auto settle = [file = given.text](const RunSettings& settings) {
    const Program program = load_program(file, settings.switches);
    const ChosenClients& clients = program.clients;
    const native::SystemOptions checked = with_clients(program.image, program.how, clients.list);
    Instance instance;
    instance.model = file;
    instance.options = settings.switches;
    instance.options["file"] = file;
    const auto comparisons = std::make_shared<native::FreedComparisons>();
    instance.build = [image = program.image, checked, comparisons](const BuildOptions& build) {
      native::SystemOptions options = checked;
      options.freed_comparisons = comparisons;
      options.memoise = build.memoise;
      options.symmetry = build.exchanges;
      return std::make_unique<native::System>(image, std::move(options));
    };
    const auto survey = std::make_shared<ClientSurvey>();
    if (program.harness) {
      instance.explained_by = program_command("explain", file, settings.switches);
      instance.ends_in = [survey](const TransitionSystem& system, std::span<const Slot> state) {
        survey->note(dynamic_cast<const native::System&>(system), state);
      };
      instance.smaller = [image = program.image, how = program.how, all = clients.list, switches = settings.switches,
                          file](const TransitionSystem& system, const Finding& finding, const Limits& limits) {
        return smaller_instance(image, how, all[finding.path.initial], switches, file,
                                system.properties()[finding.property].name, limits);
      };
    }
    instance.add_sections = [weaker = weaker_orders(*program.image), text = clients.text, sampled = clients.sampled,
                             survey, comparisons,
                             object = checked.judge ? checked.judge->object() : ""](report::RunReport& run) {
      auto& section = run.sections.at<report::ProgramReport>();
      section.weaker_orders = weaker;
      section.freed_comparisons = [comparisons] { return comparisons->lines(); };
      section.clients = text;
      section.sampled = sampled;
      section.histories = object;
      section.failing = [survey] { return survey->failing(); };
    };
    return instance;
  };
  return {.file = given.text, .definition = {}, .settle = settle};
}

}  // namespace heddle::run
