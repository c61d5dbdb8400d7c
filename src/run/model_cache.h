// Compiled models, kept between runs.
//
// One directory ($XDG_CACHE_HOME/heddle or ~/.cache/heddle), readable by its owner only since what is in it gets executed.
// An entry is an object <key>.so and a list <key>.files of everything it was made from, with hashes. The key stands for what
// is known before compiling (path and text of the source, flags, versions); the list says which headers it came to include.
// An entry counts only if every file on its list, and the object itself, still has its hash.
//
// Entries appear by rename, first the object, then the list, so several runs may share the directory at any time and none
// sees half an entry. If the directory cannot be used there is a private temporary one, gone when the cache is.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::run {

std::string hash_text(std::string_view bytes);

class ModelCache {
 public:
  ModelCache();
  ~ModelCache();
  ModelCache(const ModelCache&) = delete;
  ModelCache& operator=(const ModelCache&) = delete;

  std::optional<std::filesystem::path> find(const std::string& key) const;

  // A directory to compile in, beside the entries, so that a rename is enough; in the temporary one after `give_up`. Throws
  // UsageError if there is no place to write at all.
  std::filesystem::path workplace();
  // The disk is full, say: no entries from now on.
  void give_up() { directory_.clear(); }
  bool persistent() const { return !directory_.empty(); }
  // REQUIRES: persistent().
  const std::filesystem::path& directory() const { return directory_; }

  // Keeps an object compiled in the workplace from `files`, and returns where it is now. A file that changed after `start`
  // may not be what the compiler saw; then, or without a directory, the object stays in the workplace.
  std::filesystem::path keep(const std::string& key, const std::filesystem::path& object,
                             const std::vector<std::filesystem::path>& files, std::filesystem::file_time_type start);

  // Writes what a compiler said about a model to a file that outlives the cache; one for each name of a model's file. None if no
  // place can be written to.
  std::optional<std::filesystem::path> keep_messages(const std::string& name, const std::string& text) const;

 private:
  void prune() const;

  std::filesystem::path directory_;  // empty: none
  std::vector<std::filesystem::path> workplaces_;
};

// The files in a compiler's dependency list (-MMD), which is a make rule.
std::vector<std::filesystem::path> parse_dependencies(std::string_view rule);

}  // namespace heddle::run
