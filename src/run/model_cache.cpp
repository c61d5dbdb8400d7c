// Workplaces become entries by rename, so that no reader sees half of one.
#include "run/model_cache.h"

#include <fmt/format.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <utility>

#include "run/cache_folder.h"
#include "run/errors.h"

namespace heddle::run {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view format = "heddle model 1";

std::optional<std::string> read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();  // in blocks: headers are many
  return std::move(text).str();
}

std::string hash_file(const fs::path& path) {
  const auto text = read(path);
  return text ? hash_text(*text) : "";
}

std::optional<fs::path> make_unique_directory(const fs::path& parent) {
  std::string name = (parent / "work-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) return std::nullopt;
  return name;
}

}  // namespace

std::string hash_text(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

ModelCache::ModelCache(std::string extension) : extension_(std::move(extension)), directory_(cache_directory()) {
  if (directory_.empty()) return;
  std::error_code error;
  if (fs::create_directories(directory_, error)) fs::permissions(directory_, fs::perms::owner_all, error);
  if (::access(directory_.c_str(), R_OK | W_OK | X_OK) != 0) directory_.clear();
}

ModelCache::~ModelCache() {
  std::error_code ignored;
  for (const fs::path& place : workplaces_) fs::remove_all(place, ignored);
}

std::optional<fs::path> ModelCache::find(const std::string& key) const {
  if (directory_.empty()) return std::nullopt;
  fs::path object = directory_ / (key + extension_);
  std::ifstream list(directory_ / (key + ".files"));
  std::string line;
  if (!std::getline(list, line) || line != format) return std::nullopt;
  if (!std::getline(list, line) || line.empty() || line != hash_file(object)) return std::nullopt;
  while (std::getline(list, line)) {
    const auto space = line.find(' ');
    if (space == line.npos || hash_file(line.substr(space + 1)) != line.substr(0, space)) return std::nullopt;
  }
  std::error_code ignored;
  fs::last_write_time(object, fs::file_time_type::clock::now(), ignored);  // CacheFolder goes by it
  return object;
}

fs::path ModelCache::workplace() {
  std::optional<fs::path> place;
  if (!directory_.empty() && !(place = make_unique_directory(directory_))) directory_.clear();
  std::error_code error;
  const fs::path temporary = fs::temp_directory_path(error);
  if (!place) place = make_unique_directory(error ? fs::path("/tmp") : temporary);
  if (!place) {
    throw UsageError(
        fmt::format("a model needs a place to be compiled in, but neither {} nor {} can be written to; free some "
                    "space, or set XDG_CACHE_HOME or TMPDIR",
                    cache_directory().string(), temporary.string()));
  }
  workplaces_.push_back(*place);
  return *place;
}

std::optional<fs::path> ModelCache::keep_messages(const std::string& name, const std::string& text) const {
  std::error_code error;
  const fs::path temporary = fs::temp_directory_path(error);
  if (directory_.empty() && error) return std::nullopt;
  std::string path = ((directory_.empty() ? temporary : directory_) / (name + ".errors-XXXXXX")).string();
  const int file = ::mkstemp(path.data());  // a name that nobody can have prepared
  if (file < 0) return std::nullopt;
  const bool written = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  ::close(file);
  fs::path wanted = directory_.empty() ? fs::path(path) : directory_ / (name + ".errors.txt");
  if (written && !directory_.empty()) fs::rename(path, wanted, error);
  if (written && !error) return wanted;
  fs::remove(path, error);
  return std::nullopt;
}

fs::path ModelCache::keep(const std::string& key, const fs::path& object, const std::vector<fs::path>& files,
                          fs::file_time_type start) {
  if (directory_.empty()) return object;
  std::string list = fmt::format("{}\n{}\n", format, hash_file(object));
  std::error_code error;
  for (const fs::path& file : files) {
    const fs::path absolute = fs::absolute(file, error);
    if (error || fs::last_write_time(absolute, error) >= start || error) return object;
    list += fmt::format("{} {}\n", hash_file(absolute), absolute.string());
  }
  const fs::path draft = object.parent_path() / "files";
  std::ofstream file(draft, std::ios::binary);
  file << list;
  file.close();
  if (!file) return object;
  fs::path kept = directory_ / (key + extension_);
  fs::rename(object, kept, error);
  if (error) return object;
  fs::rename(draft, directory_ / (key + ".files"), error);
  CacheFolder(directory_).prune(CacheFolder::limit());
  return kept;
}

std::vector<fs::path> parse_dependencies(std::string_view rule) {
  std::vector<fs::path> files;
  const auto colon = rule.find(": ");
  std::string word;
  const auto finish_word = [&] {
    if (!word.empty()) files.emplace_back(std::exchange(word, {}));
  };
  for (std::size_t i = colon == rule.npos ? rule.size() : colon + 2; i < rule.size(); ++i) {
    const char c = rule[i];
    const char next = i + 1 < rule.size() ? rule[i + 1] : '\n';
    if (c == '\\' && (next == ' ' || next == '#' || next == '\\')) {
      word += next;
      ++i;
    } else if (c == '$' && next == '$') {
      word += '$';
      ++i;
    } else if (c == ' ' || c == '\n' || c == '\t' || (c == '\\' && next == '\n')) {
      finish_word();
    } else {
      word += c;
    }
  }
  finish_word();
  return files;
}

}  // namespace heddle::run
