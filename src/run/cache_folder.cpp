// Knows entries by their names, adds up their sizes, and removes the least recently used.
#include "run/cache_folder.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "run/quantities.h"

namespace heddle::run {
namespace {

namespace fs = std::filesystem;
using Clock = fs::file_time_type::clock;

constexpr auto in_use = std::chrono::minutes(1);
constexpr auto longest_work = std::chrono::hours(1), abandoned = std::chrono::hours(24);

std::optional<CacheEntry::Kind> kind_of(const fs::path& path) {
  using Kind = CacheEntry::Kind;
  const std::string name = path.filename().string(), extension = path.extension().string();
  if (name.starts_with("work-")) return Kind::Work;
  if (name.ends_with(".errors.txt")) return Kind::Messages;
  constexpr std::size_t key_length = 32;
  const std::string key = path.stem().string();
  if (key.size() != key_length || key.find_first_not_of("0123456789abcdef") != key.npos) return std::nullopt;
  if (extension == ".so") return Kind::Model;
  if (extension == ".image") return Kind::Program;
  if (extension == ".pch") return Kind::Header;
  if (extension == ".files") return Kind::Model;  // what it is of says more
  return std::nullopt;
}

std::uintmax_t size_of(const fs::directory_entry& entry) {
  std::error_code error;
  if (!entry.is_directory(error)) {
    const std::uintmax_t size = entry.file_size(error);
    return error ? 0 : size;
  }
  std::uintmax_t sum = 0;
  for (fs::recursive_directory_iterator at(entry.path(), error), end; !error && at != end; at.increment(error)) {
    std::error_code vanished;
    const std::uintmax_t size = at->is_regular_file(vanished) ? at->file_size(vanished) : 0;
    if (!vanished) sum += size;
  }
  return sum;
}

void remove(const CacheEntry& entry) {
  std::error_code ignored;
  // The list first: an object without one does not count (model_cache.h).
  for (auto part = entry.parts.rbegin(); part != entry.parts.rend(); ++part) fs::remove_all(*part, ignored);
}

}  // namespace

fs::path cache_directory() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && fs::path(cache).is_absolute()) {
    return fs::path(cache) / "heddle";
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
    return fs::path(home) / ".cache" / "heddle";
  if (const passwd* user = ::getpwuid(::getuid()); user != nullptr) return fs::path(user->pw_dir) / ".cache" / "heddle";
  return {};
}

std::uintmax_t CacheFolder::limit() {
  const char* const given = std::getenv("HEDDLE_CACHE_LIMIT");
  return given == nullptr || *given == '\0' ? default_limit : parse_bytes(given, "HEDDLE_CACHE_LIMIT");
}

std::vector<CacheEntry> CacheFolder::entries() const {
  std::map<std::string, CacheEntry> by_name;
  std::error_code error;
  for (fs::directory_iterator at(path_, error), end; !error && at != end; at.increment(error)) {
    const auto kind = kind_of(at->path());
    std::error_code vanished;
    const auto time = at->last_write_time(vanished);
    if (!kind || vanished) continue;
    const bool list = at->path().extension() == ".files";
    const bool has_key = *kind != CacheEntry::Kind::Work && *kind != CacheEntry::Kind::Messages;
    CacheEntry& entry = by_name[(has_key ? at->path().stem() : at->path().filename()).string()];
    if (!list || entry.parts.empty()) entry.kind = *kind;
    entry.bytes += size_of(*at);
    entry.used = std::max(entry.used, time);
    entry.parts.insert(list ? entry.parts.end() : entry.parts.begin(), at->path());
  }
  std::vector<CacheEntry> all;
  for (auto& [name, entry] : by_name) all.push_back(std::move(entry));
  std::ranges::stable_sort(all, {}, &CacheEntry::used);
  return all;
}

void CacheFolder::prune(std::uintmax_t limit) const {
  const std::vector<CacheEntry> all = entries();
  const auto now = Clock::now();
  std::uintmax_t sum = 0;
  for (const CacheEntry& entry : all) sum += entry.bytes;
  for (const CacheEntry& entry : all) {
    const auto age = now - entry.used;
    const bool work = entry.kind == CacheEntry::Kind::Work;
    if (work ? age < abandoned : sum <= limit || age < in_use) continue;
    remove(entry);
    sum -= entry.bytes;
  }
}

std::vector<CacheEntry> CacheFolder::clean() const {
  std::vector<CacheEntry> removed;
  const auto now = Clock::now();
  for (CacheEntry& entry : entries()) {
    if (entry.kind == CacheEntry::Kind::Work && now - entry.used < longest_work) continue;
    remove(entry);
    removed.push_back(std::move(entry));
  }
  return removed;
}

}  // namespace heddle::run
