// Keeps a local variable in memory if some access may lie beyond it.
//
// LLVM takes such an access to be impossible: it drops it when it makes registers. In memory the machine finds it.
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
