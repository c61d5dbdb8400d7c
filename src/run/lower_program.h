// Compiles programs of C and C++ to images (native/image.h) by the component `lower`, and keeps the images between runs
// (model_cache.h): hundreds of runs of one program cost one compilation.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "native/image.h"
#include "run/component.h"

namespace heddle::run {

struct ProgramFiles {
  std::vector<std::filesystem::path> sources;  // at least one
  std::vector<std::string> flags = {};         // for clang, of all files
  // The compile_commands.json, or its folder, that further flags come from, for each file its own. Empty: none.
  std::filesystem::path compile_commands = {};
};

// The first few of clang's errors go to stderr. Throws ModelError, with the place, if the program does not compile,
// UsageError if a file cannot be read, and ComponentError if there is no component.
std::shared_ptr<const native::Image> lower_program(const ProgramFiles& program);
// The key of the program's image in the cache, as the components of `tree` make it.
std::string image_key(const ProgramFiles& program, const ComponentTree& tree);

}  // namespace heddle::run
