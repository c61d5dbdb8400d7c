// Compiles and loads models in single files: `heddle check my_protocol.cpp`.
//
// The file is compiled to a shared object against the headers that belong to this program, and loaded. Its Register
// objects announce its models. Objects are cached (model_cache.h), so a second run needs no compiler.
//
// The object's symbols are hidden: a user's `struct Server` must never be mixed up with one of the program's models.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "check/specification.h"
#include "heddle/model.h"

namespace heddle::run {

// What models are compiled with.
struct ModelCompiler {
  std::vector<std::string> compiler, flags;
  std::filesystem::path headers;  // the directory of heddle/heddle.h
};
// Throws UsageError if heddle/heddle.h is nowhere.
ModelCompiler model_compiler();

// Returns all models of the file, at least one. The compiler's warnings and the first few of its errors go to stderr.
// Throws ModelError, with the place, if the file does not compile or has no model, and UsageError if the file cannot be
// read or the compiler cannot be run.
std::vector<Definition> load_models(const std::filesystem::path& source);

// Returns, in the same way, the sequential objects that a file registers (heddle/specification.h), for
// `heddle lin --spec bank.cpp`.
std::vector<std::unique_ptr<Specification>> load_specifications(const std::filesystem::path& source);

// While a file is loaded, its global variables run code that may end the program in a way that nothing can catch. So
// the listener is told before and after loading what is being done, and a handler of std::terminate can say it.
void on_loading(std::function<void(const std::string& doing)> listener);

}  // namespace heddle::run
