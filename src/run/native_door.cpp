#include "run/native_door.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "core/model_error.h"
#include "native/system.h"
#include "run/errors.h"
#include "run/lower_program.h"

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

native::SystemOptions system_options(const Switches& switches, const BuildOptions& build) {
  native::SystemOptions options;
  options.memoise = build.memoise;
  if (const auto races = switches.find("races"); races != switches.end()) {
    if (races->second != "report" && races->second != "allow") {
      throw UsageError(fmt::format("--races {}: it is report or allow", races->second));
    }
    if (races->second == "allow") options.races = native::Races::Allow;
  }
  return options;
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
  const std::shared_ptr<const native::Image> image = lower_program({.sources = {given.text}});
  if (image->start == native::none) {
    throw ModelError(
        fmt::format("{}: there is nothing to run: the program has no `main`", given.text));
  }
  const auto settle = [file = given.text, image](const RunSettings& settings) {
    Instance instance;
    instance.model = file;
    instance.options = settings.switches;
    instance.options["file"] = file;
    system_options(settings.switches, {});
    instance.build = [image, switches = settings.switches](const BuildOptions& build) {
      return std::make_unique<native::System>(image, system_options(switches, build));
    };
    return instance;
  };
  return {.file = given.text, .definition = {}, .settle = settle};
}

}  // namespace heddle::run
