// Parses heddle/heddle.h once for all models: this is half of the time that compiling a small model takes.
//
// An entry of the cache (model_cache.h) is a directory <key>.pch with a header model.h that includes Heddle's, its
// precompiled form model.h.gch, and a list `files` of all files that were read for it, with sizes and times. The key
// stands for the compiler and the flags. An entry counts only if every file on the list is unchanged. It appears by
// rename, so that no run sees half an entry. The compiler decides whether the precompiled form fits: g++ reads model.h
// itself where it does not. An entry without model.h.gch says that this compiler could not make one.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "run/model_cache.h"

namespace heddle::run {

struct PrecompiledHeader {
  std::filesystem::path header;              // to be included before anything else (-include)
  std::vector<std::filesystem::path> files;  // Heddle's headers, which the model's list of dependencies then lacks
};

// Returns whether only comments and other includes stand before #include <heddle/heddle.h>: then including it first
// makes no difference.
bool begins_with_heddle(std::string_view source);

// Finds the entry for this compiler, or makes it. Returns none if there is no cache or the compiler cannot use one.
std::optional<PrecompiledHeader> precompiled_header(ModelCache& cache, const std::vector<std::string>& compiler,
                                                    const std::vector<std::string>& flags,
                                                    const std::filesystem::path& include_directory);

}  // namespace heddle::run
