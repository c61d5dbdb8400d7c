#include "run/lower_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <fstream>
#include <optional>

#include "core/model_error.h"
#include "heddle_paths.h"
#include "run/compile_model.h"
#include "run/compiler_failure.h"
#include "run/component.h"
#include "run/errors.h"
#include "run/model_cache.h"
#include "run/subprocess.h"

namespace heddle::run {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> listed_files(const fs::path& list) {
  std::ifstream file(list);
  std::vector<fs::path> files;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) files.emplace_back(line);
  }
  return files;
}

fs::path lower(const ProgramFiles& program, ModelCache& cache, const std::string& key) {
  const auto start = fs::file_time_type::clock::now();
  const fs::path lower = find_component("lower");
  if (::isatty(STDERR_FILENO) != 0) fmt::print(stderr, "compiling {} ...\n", program.sources.front().string());
  const fs::path place = cache.workplace();
  const fs::path image = place / "program.image", depends = place / "program.files";
  std::vector<std::string> command = {lower.string(), "--output", image.string(), "--depends", depends.string()};
  for (const fs::path& source : program.sources) command.push_back(source.string());
  command.insert(command.end(), {"--", "-I" + model_compiler().headers.string()});  // of heddle/native.h
  command.insert(command.end(), program.flags.begin(), program.flags.end());
  const Finished finished = run_program(command);
  if (finished.exit_code != 0) {
    const fs::path& first = program.sources.front();
    fail_to_compile(first, read_source(first), finished.output, cache,
                    fmt::format("{}: heddle-lower failed with exit code {}", first.string(), finished.exit_code));
  }
  std::fwrite(finished.output.data(), 1, finished.output.size(), stderr);  // warnings
  std::vector<fs::path> files = listed_files(depends);
  if (files.empty()) return image;
  files.push_back(lower);
  return cache.keep(key, image, files, start);
}

}  // namespace

std::shared_ptr<const native::Image> lower_program(const ProgramFiles& program) {
  std::string identity =
      fmt::format("{}\n{}\n{}\n", native::image_version, paths::version, fmt::join(program.flags, "\n"));
  for (const fs::path& source : program.sources) {
    identity += fmt::format("{}\n{}\n", fs::absolute(source).string(), read_source(source));
  }
  const std::string key = hash_text(identity);
  ModelCache cache(".image");
  if (const std::optional<fs::path> kept = cache.find(key)) {
    try {
      return std::make_shared<const native::Image>(native::read_image(read_source(*kept)));
    } catch (const native::ImageError&) {
      // Damaged, or of another version: it is made again.
    }
  }
  return std::make_shared<const native::Image>(native::read_image(read_source(lower(program, cache, key))));
}

}  // namespace heddle::run
