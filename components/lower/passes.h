// What is done to the module before it is translated. Nothing here merges, moves, invents or drops an access of memory
// that another thread might see (pin.h); local variables become registers, and small functions of the standard library
// become part of their callers.
#pragma once

#include <functional>

#include "llvm/IR/Module.h"

namespace heddle::lower {

// Metadata of a copy of memory that is the assignment of a struct: its members, as in !tbaa.struct.
inline constexpr const char* copied_members = "heddle.members";

struct PassSettings {
  // Functions of the standard library's headers: small ones are inlined.
  std::function<bool(const llvm::Function&)> is_standard;
  // The program has a main: all that it does not reach is dropped.
  bool has_main = true;
  // Local variables become registers, and small functions are inlined. If not, the program is as slow as that of -O0,
  // and does the same.
  bool make_registers = true;
};

// Turns instructions that stand for calls of the runtime into such calls. To be done before the runtime is linked.
void prepare(llvm::Module& module);
void run_passes(llvm::Module& module, const PassSettings& settings);

}  // namespace heddle::lower
