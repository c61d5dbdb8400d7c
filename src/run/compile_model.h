// Models in single files: `heddle check my_protocol.cpp`.
//
// The file is compiled to a shared object against the headers that belong to this program, and loaded; its Register objects
// announce its models. Objects are cached (model_cache.h), so the second run starts at once and needs no compiler.
//
// The object's own symbols are hidden: a user's `struct Server` must never be mixed up with one of the program's models.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "check/specification.h"
#include "heddle/model.h"

namespace heddle::run {

// What models are compiled with: the compiler, its flags, and where heddle/heddle.h is. Throws UsageError if that is nowhere.
struct ModelCompiler {
  std::vector<std::string> compiler, flags;
  std::filesystem::path headers;
};
ModelCompiler model_compiler();

// All models of the file, at least one. Warnings of the compiler go to stderr, and of its errors the first few. Throws ModelError, with the place, if the file
// does not compile or has no model, and UsageError if it cannot be read or compiled at all.
std::vector<Definition> load_models(const std::filesystem::path& source);

// Likewise the sequential objects a file registers (heddle/specification.h), for `heddle lin --spec bank.cpp`.
std::vector<std::unique_ptr<Specification>> load_specifications(const std::filesystem::path& source);

// While a file is loaded its global variables run code that may end the program in a way that nothing can catch. The listener
// is told before and after it in what connection that would be, so that a handler of std::terminate can say it.
void on_loading(std::function<void(const std::string& doing)> listener);

}  // namespace heddle::run
