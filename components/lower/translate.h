// From a module of LLVM, after all passes, to an image.
//
//   Image image = translate(module, files, statements);
//
// Every instruction becomes a few operations; nothing is reordered. What has no form in the image becomes an operation
// Unsupported with a text that names it: an error only if execution gets there.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "llvm/IR/Module.h"
#include "native/image.h"

namespace heddle::lower {

// Throws LowerError where the whole program has no form: too many functions, a global that is too large.
// `statement_files`: as clang's plugin has written them.
native::Image translate(const llvm::Module& module, const std::vector<std::string>& files,
                        const std::vector<std::filesystem::path>& statement_files);

}  // namespace heddle::lower
