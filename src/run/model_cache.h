// Keeps compiled models and images of programs between runs.
//
// The cache is one directory (cache_folder.h), of limited size. It is made readable by its owner only, since its
// objects get executed. An entry is an object <key>.so and a list <key>.files of everything the object was made
// from, with hashes. The key stands for what is known before compiling (path and text of the source, flags,
// versions); the list names the headers that were included.
//
// Invariants
//   1. An entry counts only if every file on its list, and the object itself, still has its hash.
//   2. Entries appear by rename, first the object, then the list. So several runs may share the directory at any time,
//      and none sees half an entry.
//   3. If the directory cannot be used, a private temporary one replaces it, which is removed with the ModelCache.
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
  // Objects of another kind than models have another extension.
  explicit ModelCache(std::string extension = ".so");
  ~ModelCache();
  ModelCache(const ModelCache&) = delete;
  ModelCache& operator=(const ModelCache&) = delete;

  std::optional<std::filesystem::path> find(const std::string& key) const;

  // Makes a directory to compile in. It lies beside the entries, so that a rename is enough, or in the directory for
  // temporary files after give_up(). Throws UsageError if there is no place to write at all.
  std::filesystem::path workplace();
  // Makes no entries from now on, because the disk is full for instance.
  void give_up() { directory_.clear(); }
  bool persistent() const { return !directory_.empty(); }
  // REQUIRES: persistent().
  const std::filesystem::path& directory() const { return directory_; }

  // Keeps an object that was compiled in the workplace from `files`, and returns its new path. A file that changed
  // after `start` may not be what the compiler saw. Then, or without a directory, the object stays in the workplace.
  std::filesystem::path keep(const std::string& key, const std::filesystem::path& object,
                             const std::vector<std::filesystem::path>& files, std::filesystem::file_time_type start);

  // Writes what a compiler said about a model to a file that outlives this object, and returns its path; none if no
  // place can be written to. In the cache's directory there is one such file for each name of a model's file.
  std::optional<std::filesystem::path> keep_messages(const std::string& name, const std::string& text) const;

 private:
  const std::string extension_;      // of objects
  std::filesystem::path directory_;  // empty: none
  std::vector<std::filesystem::path> workplaces_;
};

// Returns the files in a compiler's dependency list (-MMD), which is a make rule.
std::vector<std::filesystem::path> parse_dependencies(std::string_view rule);

}  // namespace heddle::run
