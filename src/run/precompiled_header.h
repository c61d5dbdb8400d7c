// heddle/heddle.h, parsed once for all models that are compiled: half of what compiling a small model takes.
//
// An entry of the cache (model_cache.h) is a directory <key>.pch with a header model.h that includes Heddle's, its precompiled
// form model.h.gch, and a list `files` of all that was read for it, with sizes and times. The key stands for the compiler and the
// flags. An entry counts only if every file on the list is as it was; it appears by rename, so that none sees half of one.
// Whether the precompiled form fits is for the compiler to say: g++ reads model.h itself where it does not. An entry without
// it says that this compiler could not make one.
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
  std::vector<std::filesystem::path> files;  // Heddle's own headers, which a list of dependencies does not name then
};

// Whether all that stands before #include <heddle/heddle.h> is comments and other includes: then including it first is the same.
bool begins_with_heddle(std::string_view source);

// Finds the entry for this compiler, or makes it. None where there is no cache, or the compiler is not known to cope.
std::optional<PrecompiledHeader> precompiled_header(ModelCache& cache, const std::vector<std::string>& compiler,
                                                    const std::vector<std::string>& flags,
                                                    const std::filesystem::path& include_directory);

}  // namespace heddle::run
