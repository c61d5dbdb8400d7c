// Puts the compiled files and Heddle's runtime together to one module.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace heddle::lower {

// Reads bitcode and links it. Throws LowerError, for instance if two files define the same function.
std::unique_ptr<llvm::Module> link_files(llvm::LLVMContext& context, const std::vector<std::filesystem::path>& files);

// Adds what the module uses of the runtime. What the program defines itself stays; functions of the standard library
// that came from headers are replaced where the runtime has its own.
void link_runtime(llvm::Module& module, const std::filesystem::path& runtime);

}  // namespace heddle::lower
