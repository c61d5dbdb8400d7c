// What the compilers of models and of programs have in common: reading the source, and failing.
#pragma once

#include <filesystem>
#include <string>

#include "run/model_cache.h"

namespace heddle::run {

// Throws UsageError if the file cannot be read.
std::string read_source(const std::filesystem::path& source);

// Prints the errors worth reading to stderr, writes the compiler's whole output to a file, and throws the first error
// as a ModelError; `otherwise` if the output has none.
[[noreturn]] void fail_to_compile(const std::filesystem::path& source, const std::string& text,
                                  const std::string& output, const ModelCache& cache, const std::string& otherwise);

}  // namespace heddle::run
