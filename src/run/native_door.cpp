#include "run/native_door.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <set>
#include <string_view>
#include <utility>

#include "core/model_error.h"
#include "native/enumerate_clients.h"
#include "native/places.h"
#include "native/system.h"
#include "report/numbers.h"
#include "report/program_report.h"
#include "run/client_outcomes.h"
#include "run/errors.h"
#include "run/lower_program.h"
#include "run/words.h"

namespace heddle::run {
namespace {

constexpr std::array<std::string_view, 3> cxx_extensions = {".cpp", ".cc", ".cxx"};

// Whether a line includes a header of Heddle other than the one for programs.
bool includes_model_header(const std::string& file) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const auto hash = line.find_first_not_of(" \t");
    if (hash == line.npos || line[hash] != '#' || line.find("include", hash) == line.npos) continue;
    const auto at = line.find("heddle/");
    if (at == line.npos || at == 0 || (line[at - 1] != '<' && line[at - 1] != '"')) continue;
    if (!line.substr(at).starts_with("heddle/native.h")) return true;
  }
  return false;
}

// The words of a text, as a shell separates them: by blanks, except between single quotes or after a backslash.
std::vector<std::string> shell_words(std::string_view text) {
  std::vector<std::string> words;
  bool inside = false, quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (!quoted && (c == ' ' || c == '\t')) {
      inside = false;
      continue;
    }
    if (!std::exchange(inside, true)) words.emplace_back();
    if (c == '\'') {
      quoted = !quoted;
    } else if (c == '\\' && !quoted && i + 1 < text.size()) {
      words.back() += text[++i];
    } else {
      words.back() += c;
    }
  }
  return words;
}

std::string switch_of(const Switches& switches, const std::string& name) {
  const auto found = switches.find(name);
  return found == switches.end() ? "" : found->second;
}

native::SystemOptions system_options(const Switches& switches, const BuildOptions& build) {
  native::SystemOptions options;
  options.memoise = build.memoise;
  const auto one_of = [&](const std::string& name, const std::string& usual, const std::string& other) {
    const std::string given = switch_of(switches, name);
    if (given.empty() || given == usual) return false;
    if (given != other) throw UsageError(fmt::format("--{} {}: it is {} or {}", name, given, usual, other));
    return true;
  };
  if (one_of("races", "report", "allow")) options.races = native::Races::Allow;
  if (one_of("granularity", "accesses", "calls")) options.calls = native::Calls::Visible;
  return options;
}

std::uint64_t number_of(const Switches& switches, const std::string& name, std::uint64_t least, std::uint64_t most,
                        std::uint64_t otherwise) {
  const std::string given = switch_of(switches, name);
  if (given.empty()) return otherwise;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), value);
  if (error != std::errc() || end != given.data() + given.size() || value < least || value > most) {
    throw UsageError(fmt::format("--{} {}: it is a number from {} to {}", name, given, least, most));
  }
  return value;
}

native::ClientBounds bounds_of(const Switches& switches) {
  using native::Client;
  native::ClientBounds bounds;
  bounds.threads = static_cast<std::uint32_t>(number_of(switches, "client-threads", 2, Client::most_threads, 2));
  bounds.calls = static_cast<std::uint32_t>(number_of(switches, "calls", 1, Client::most_calls, 2));
  bounds.values = static_cast<std::uint32_t>(number_of(switches, "values", 1, 100, 2));
  bounds.most = number_of(switches, "clients", 1, 1'000'000, bounds.most);
  bounds.seed = number_of(switches, "client-seed", 0, ~std::uint64_t{0}, bounds.seed);
  return bounds;
}

void refuse_client_switches(const Switches& switches, const std::string& why) {
  for (const char* name : {"client", "client-threads", "calls", "values", "clients", "client-seed", "granularity"}) {
    if (switches.contains(name)) throw UsageError(fmt::format("{}; drop --{}", why, name));
  }
}

// The clients of a run, and what the report says about them.
struct ChosenClients {
  std::vector<native::Client> list;
  std::string text;
  bool sampled = false;
};

ChosenClients choose_clients(const std::string& file, const std::optional<native::Harness>& harness,
                             const Switches& switches) {
  if (!harness) {
    refuse_client_switches(switches, file + " has no harness");
    return {};
  }
  if (const std::string given = switch_of(switches, "client"); !given.empty()) {
    for (const char* name : {"client-threads", "calls", "values", "clients", "client-seed"}) {
      if (switches.contains(name)) throw UsageError(fmt::format("--client says it all; drop --{}", name));
    }
    try {
      return {{native::parse_client(given, *harness)}, "this client", false};
    } catch (const native::ClientError& error) {
      throw UsageError(fmt::format("--client: {}", error.what()));
    }
  }
  const native::ClientBounds bounds = bounds_of(switches);
  native::Clients clients = native::enumerate_clients(*harness, bounds);
  const auto counted = [](std::uint64_t n, const char* what) { return report::counted(n, what); };
  std::string which = clients.complete() ? fmt::format("all {}", counted(clients.list.size(), "client"))
                                         : fmt::format("{} of about {:.3g} clients", clients.list.size(), clients.all);
  which += fmt::format(" of at most {}, {} each, {}", counted(bounds.threads, "thread"), counted(bounds.calls, "call"),
                       counted(bounds.values, "value"));
  const bool sampled = !clients.complete();
  return {std::move(clients.list), std::move(which), sampled};
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
  return std::ranges::find(cxx_extensions, extension) != cxx_extensions.end() && !includes_model_header(given);
}

Source open_program(const Given& given) {
  const auto settle = [file = given.text](const RunSettings& settings) {
    system_options(settings.switches, {});
    ProgramFiles files{.sources = {file}, .flags = shell_words(switch_of(settings.switches, "flags"))};
    if (const std::string link = switch_of(settings.switches, "link"); !link.empty()) {
      for (const std::string& more : split(link, ',')) files.sources.emplace_back(more);
    }
    const std::shared_ptr<const native::Image> image = lower_program(files);
    if (image->start == native::none) {
      throw ModelError(fmt::format(
          "{}: there is nothing to run. A program needs a `main`, or a harness: HEDDLE_HARNESS(Queue, push, pop), "
          "after #include <heddle/native.h>",
          file));
    }
    const ChosenClients clients = choose_clients(file, native::harness_of(*image), settings.switches);
    std::shared_ptr<const std::vector<std::set<std::string>>> admitted;
    if (!clients.list.empty()) {
      native::SystemOptions options = system_options(settings.switches, {});
      options.clients = clients.list;
      admitted =
          std::make_shared<const std::vector<std::set<std::string>>>(sequential_outcomes(image, std::move(options)));
    }
    Instance instance;
    instance.model = file;
    instance.options = settings.switches;
    instance.options["file"] = file;
    instance.build = [image, switches = settings.switches, list = clients.list, admitted](const BuildOptions& build) {
      native::SystemOptions options = system_options(switches, build);
      options.clients = list;
      options.admitted = admitted;
      return std::make_unique<native::System>(image, std::move(options));
    };
    instance.add_sections = [weaker = weaker_orders(*image), text = clients.text,
                             sampled = clients.sampled](report::RunReport& run) {
      auto& section = run.sections.at<report::ProgramReport>();
      section.weaker_orders = weaker;
      section.clients = text;
      section.sampled = sampled;
    };
    return instance;
  };
  return {.file = given.text, .definition = {}, .settle = settle};
}

}  // namespace heddle::run
