// Builds the key of the image from sources and flags, looks in the cache, and calls heddle-lower.
#include "run/lower_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <fstream>
#include <optional>

#include "core/model_error.h"
#include "core/user_code.h"
#include "core/verdict.h"
#include "heddle_paths.h"
#include "run/compile_commands.h"
#include "run/compile_model.h"
#include "run/compiler_failure.h"
#include "run/compiler_messages.h"
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

// A source with flags of its own, as heddle-lower takes it.
std::vector<std::string> words_for(const fs::path& source, const ProgramFiles& program) {
  if (program.compile_commands.empty()) return {source.string()};
  const CompileCommand command = compile_command(program.compile_commands, source);
  const std::vector<std::string> flags = flags_of(command);
  std::vector<std::string> words = {source.string(), "--in", command.folder.string(), "--with",
                                    std::to_string(flags.size())};
  words.insert(words.end(), flags.begin(), flags.end());
  return words;
}

// What clang says has a place and is treated as the words of a compiler; what heddle-lower says is the error.
[[noreturn]] void fail(const fs::path& first, const Finished& finished, const ModelCache& cache) {
  const std::string text = read_source(first);
  if (!compiler_errors(finished.output, first.string(), text, 1).lines.empty()) {
    fail_to_compile(first, text, finished.output, cache, "");
  }
  const bool said = finished.exit_code == exit_code(Verdict::Error) && !finished.output.empty();
  throw ModelError(said ? fmt::format("{}: {}", first.string(), one_line(finished.output))
                        : fmt::format("{}: heddle-lower failed with exit code {}: {}", first.string(),
                                      finished.exit_code, one_line(finished.output)));
}

fs::path lower(const ProgramFiles& program, const std::vector<std::string>& words, ModelCache& cache,
               const std::string& key) {
  const auto start = fs::file_time_type::clock::now();
  const fs::path lower = find_component("lower");
  if (::isatty(STDERR_FILENO) != 0) fmt::print(stderr, "compiling {} ...\n", program.sources.front().string());
  const fs::path place = cache.workplace();
  fs::path image = place / "program.image";
  const fs::path depends = place / "program.files";
  std::vector<std::string> command = {lower.string(), "--output", image.string(), "--depends", depends.string()};
  command.insert(command.end(), words.begin(), words.end());
  command.insert(command.end(), {"--", "-I" + model_compiler().headers.string()});  // of heddle/native.h
  command.insert(command.end(), program.flags.begin(), program.flags.end());
  const Finished finished = run_program(command);
  if (finished.exit_code != 0) fail(program.sources.front(), finished, cache);
  std::fwrite(finished.output.data(), 1, finished.output.size(), stderr);  // warnings
  std::vector<fs::path> read = listed_files(depends);
  if (read.empty()) return image;
  read.push_back(lower);
  return cache.keep(key, image, read, start);
}

std::vector<std::string> words_for(const ProgramFiles& program) {
  std::vector<std::string> words;
  for (const fs::path& source : program.sources) {
    for (std::string& word : words_for(source, program)) words.push_back(std::move(word));
  }
  return words;
}

}  // namespace

// The entry lists heddle-lower and the runtime with their hashes, but those of the tree that made it: the key says
// which tree that is.
std::string image_key(const ProgramFiles& program, const ComponentTree& tree) {
  std::string identity =
      fmt::format("{}\n{}\n{}\n{}\n{}\n", native::image_version, paths::version, tree.prefix.string(),
                  fmt::join(program.flags, "\n"), fmt::join(words_for(program), "\n"));
  for (const fs::path& source : program.sources) {
    identity += fmt::format("{}\n{}\n", fs::absolute(source).string(), read_source(source));
  }
  return hash_text(identity);
}

std::shared_ptr<const native::Image> lower_program(const ProgramFiles& program) {
  const std::vector<std::string> files = words_for(program);
  const std::string key = image_key(program, own_components());
  ModelCache cache(".image");
  if (const std::optional<fs::path> kept = cache.find(key)) {
    try {
      return std::make_shared<const native::Image>(native::read_image(read_source(*kept)));
    } catch (const native::ImageError&) {
      // Damaged, or of another version: it is made again.
    } catch (const UsageError&) {
      // Another process has just removed it.
    }
  }
  constexpr int most_tries = 5;
  for (int tries = 1;; ++tries) {
    const fs::path image = lower(program, files, cache, key);
    try {
      return std::make_shared<const native::Image>(native::read_image(read_source(image)));
    } catch (const UsageError&) {
      // Another process cleans the cache at this very moment.
      if (tries == most_tries) throw;
    }
  }
}

}  // namespace heddle::run
