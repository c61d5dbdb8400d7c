// Keeps a local variable in memory if some access may lie beyond it.
//
// LLVM assumes that no such access happens, and drops it when it turns variables into registers. If the variable stays
// in memory, the machine finds the access.
//
//   keep_overrun(module);     // before a pass that makes registers, and before marks and pinning
//   release_overrun(module);  // after it
//
// Between the two the variable's address counts as given away, by a call that does nothing. Inlining makes offsets
// known and addresses private, so a second look may find less, or more.
#pragma once

#include "llvm/IR/Module.h"

namespace heddle::lower {

void keep_overrun(llvm::Module& module);
void release_overrun(llvm::Module& module);

}  // namespace heddle::lower
