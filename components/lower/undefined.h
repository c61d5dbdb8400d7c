// Marks where local variables have no value yet, so that passes that turn variables into registers keep it.
//
// LLVM takes `undef` for a variable that was not given a value, and simplifies it away: of `int x; if (c) x = 5;` the
// value of x is then always 5. A mark is a store of what a call of __heddle_undefined gives, where the variable begins.
// Passes know nothing about that value; the machine takes it as undefined (Code::Undefined).
//
//   mark_undefined(module);   // before a pass that makes registers
//   drop_marks(module);       // after it: those of variables that are in memory still, where the machine knows itself
#pragma once

#include <optional>
#include <string>

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace heddle::lower {

void mark_undefined(llvm::Module& module);
void drop_marks(llvm::Module& module);

bool is_mark(const llvm::CallBase& call);
// Of the variable that a mark is about; empty: it has none.
std::string variable_name(const llvm::CallBase& mark);

// A local variable of the source.
struct SourceVariable {
  std::string name;
  const llvm::DILocation* declared = nullptr;
};
// None: the compiler has made the object, or nothing is known of it.
std::optional<SourceVariable> variable_of(const llvm::AllocaInst& object);

}  // namespace heddle::lower
