// Precompiles in a workplace of the cache, and compares times and sizes before an entry is used.
#include "run/precompiled_header.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "run/subprocess.h"

namespace heddle::run {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_headers = 2;  // some 80 MB each

// "<time> <size>"; empty if there is no such file.
std::string stamp(const fs::path& file) {
  std::error_code error;
  const auto time = fs::last_write_time(file, error);
  if (error) return {};
  const auto size = fs::file_size(file, error);
  return error ? std::string() : fmt::format("{} {}", time.time_since_epoch().count(), size);
}

// Returns the path of the program that a command begins with; empty if there is none.
fs::path find_program(const std::string& name) {
  std::error_code error;
  if (name.find('/') != name.npos) return fs::exists(name, error) ? fs::absolute(name, error) : fs::path();
  const char* path = std::getenv("PATH");
  std::istringstream directories(path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin");
  for (std::string directory; std::getline(directories, directory, ':');) {
    const fs::path candidate = fs::path(directory.empty() ? "." : directory) / name;
    if (::access(candidate.c_str(), X_OK) == 0 && fs::is_regular_file(candidate, error)) return candidate;
  }
  return {};
}

// Reads lines "<stamp> <path>" and returns the paths; none if a file has changed.
std::optional<std::vector<fs::path>> unchanged_files(const fs::path& list) {
  std::ifstream file(list);
  if (!file) return std::nullopt;
  std::vector<fs::path> files;
  for (std::string line; std::getline(file, line);) {
    std::size_t space = line.find(' ');
    if (space != line.npos) space = line.find(' ', space + 1);
    if (space == line.npos) return std::nullopt;
    files.emplace_back(line.substr(space + 1));
    if (stamp(files.back()) != line.substr(0, space)) return std::nullopt;
  }
  return files;
}

void write(const fs::path& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

// Makes an entry in `place`. Returns false if it is not worth keeping. An entry without a precompiled form is: it says
// that this compiler cannot make one.
bool make(const fs::path& place, const std::vector<std::string>& compiler, const std::vector<std::string>& flags,
          const fs::path& include_directory) {
  const auto start = fs::file_time_type::clock::now();
  const fs::path header = place / "model.h", list = place / "model.d";
  write(header, "#include \"heddle/version.h\"\n#include \"heddle/heddle.h\"\n");
  std::vector<std::string> command = compiler;
  command.insert(command.end(), flags.begin(), flags.end());
  command.insert(command.end(),
                 {"-x", "c++-header", "-MD", "-MF", list.string(), "-o", header.string() + ".gch", header.string()});
  const run::Finished finished = run::run_program(command);
  std::error_code error;
  if (finished.exit_code != 0) {
    fs::remove(header.string() + ".gch", error);
    if (finished.output.find("No space left on device") != std::string::npos) return false;
    std::string files;  // the entry counts until Heddle's headers change
    for (const fs::directory_entry& file : fs::recursive_directory_iterator(include_directory / "heddle", error)) {
      if (file.is_regular_file(error)) files += fmt::format("{} {}\n", stamp(file.path()), file.path().string());
    }
    write(place / "files", files);
    return true;
  }
  std::ifstream rule_file(list, std::ios::binary);
  const std::string rule{std::istreambuf_iterator<char>(rule_file), std::istreambuf_iterator<char>()};
  std::string files;
  for (const fs::path& file : parse_dependencies(rule)) {
    const fs::path absolute = fs::absolute(file, error);
    if (absolute == header) continue;
    // A file that changed in the meantime may not be what the compiler saw.
    if (error || fs::last_write_time(absolute, error) >= start || error) return false;
    files += fmt::format("{} {}\n", stamp(absolute), absolute.string());
  }
  if (files.empty()) return false;
  write(place / "files", files);
  return true;
}

void prune(const fs::path& directory, const fs::path& used) {
  std::vector<std::pair<fs::file_time_type, fs::path>> entries;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, error)) {
    if (entry.path().extension() == ".pch" && entry.path() != used) {
      entries.emplace_back(entry.last_write_time(error), entry.path());
    }
  }
  std::ranges::sort(entries, std::greater<>());
  for (std::size_t i = most_headers - 1; i < entries.size(); ++i) fs::remove_all(entries[i].second, error);
}

}  // namespace

bool begins_with_heddle(std::string_view source) {
  bool in_comment = false;
  while (!source.empty()) {
    const std::size_t end = std::min(source.find('\n'), source.size());
    std::string_view line = source.substr(0, end);
    source.remove_prefix(std::min(end + 1, source.size()));
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == line.npos) continue;
    line.remove_prefix(first);
    if (!in_comment && line.starts_with("//")) continue;
    if (in_comment || line.starts_with("/*")) {
      const std::size_t close = line.find("*/", in_comment ? 0 : 2);
      in_comment = close == line.npos;
      if (!in_comment && line.find_first_not_of(" \t\r", close + 2) != line.npos) return false;
      continue;
    }
    if (!line.starts_with("#include")) return false;
    if (line.starts_with("#include <heddle/heddle.h>") || line.starts_with("#include \"heddle/heddle.h\"")) return true;
  }
  return false;
}

std::optional<PrecompiledHeader> precompiled_header(ModelCache& cache, const std::vector<std::string>& compiler,
                                                    const std::vector<std::string>& flags,
                                                    const fs::path& include_directory) {
  const fs::path program = find_program(compiler.front());
  // If a precompiled header does not fit, g++ reads the header itself, but clang refuses the model.
  const bool clang = std::ranges::any_of(
      compiler, [](const std::string& word) { return fs::path(word).filename().string().find("clang") != word.npos; });
  if (!cache.persistent() || program.empty() || clang) return std::nullopt;
  const std::string key = hash_text(fmt::format("{}\n{}\n{}\n{}", program.string(), stamp(program),
                                                fmt::join(compiler, "\n"), fmt::join(flags, "\n")));
  const fs::path entry = cache.directory() / (key + ".pch");
  auto files = unchanged_files(entry / "files");
  std::error_code error;
  if (!files) {
    const fs::path place = cache.workplace();
    if (!cache.persistent() || !make(place, compiler, flags, include_directory)) return std::nullopt;
    fs::remove(place / "model.d", error);
    files = unchanged_files(entry / "files");  // another run may have been faster
    if (!files) {
      fs::remove_all(entry, error);
      fs::rename(place, entry, error);
      files = unchanged_files(entry / "files");
    }
    if (!files) return std::nullopt;
    prune(cache.directory(), entry);
  }
  if (!fs::exists(entry / "model.h.gch", error)) return std::nullopt;
  fs::last_write_time(entry, fs::file_time_type::clock::now(), error);  // prune() goes by it
  PrecompiledHeader found{entry / "model.h", {}};
  const std::string prefix = (include_directory / "heddle" / "").string();
  for (const fs::path& file : *files) {
    if (file.string().starts_with(prefix)) found.files.push_back(file);
  }
  return found;
}

}  // namespace heddle::run
