// What the cache holds on disk (model_cache.h makes the entries): how much, and what goes when it is too much.
//
//   const CacheFolder folder(cache_directory());
//   for (const CacheEntry& entry : folder.entries()) ...
//   folder.prune(CacheFolder::limit());            // least recently used first
//
// Several processes share the folder. An entry appears by a rename and may vanish at any time; who was about to use it
// makes it again. What was used within the last minute is not pruned, so that hardly ever happens. Files with other
// names than those of entries are never touched.
// Thread-safe.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace heddle::run {

// $XDG_CACHE_HOME/heddle, or ~/.cache/heddle; empty: there is no home.
std::filesystem::path cache_directory();

struct CacheEntry {
  enum class Kind : std::uint8_t {
    Model,     // compiled
    Program,   // an image
    Header,    // precompiled, for models
    Messages,  // of a compiler
    Work,      // a folder that something is compiled in, or that a killed run has left
  };
  Kind kind = Kind::Model;
  std::uintmax_t bytes = 0;
  // The latest time of a part. Not {}: the clock of files counts from a year to come.
  std::filesystem::file_time_type used = std::filesystem::file_time_type::min();
  std::vector<std::filesystem::path> parts = {};  // files and folders
};

class CacheFolder {
 public:
  static constexpr std::uintmax_t default_limit = std::uintmax_t{512} << 20;

  explicit CacheFolder(std::filesystem::path path) : path_(std::move(path)) {}

  // The least recently used first. Empty if there is no such folder.
  std::vector<CacheEntry> entries() const;
  // Removes entries until all have at most so many bytes, and folders of work older than a day.
  void prune(std::uintmax_t limit) const;
  // Removes everything but work that may be going on. Returns what it removed.
  std::vector<CacheEntry> clean() const;

  // $HEDDLE_CACHE_LIMIT, such as 200M. Throws UsageError if that is not an amount of bytes.
  static std::uintmax_t limit();

 private:
  std::filesystem::path path_;
};

}  // namespace heddle::run
