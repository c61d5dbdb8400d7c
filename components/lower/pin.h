// Pinning: while passes run, every access of memory that another thread might see is volatile, so that no pass merges,
// moves, invents or drops one.
//
//   remember_volatile(module);   // once, before anything else: what the source calls volatile
//   set_all_plain(module);       // nothing is volatile but what the source calls so
//   pin(module);                 // before passes; again after inlining, which makes more variables local
//   is_volatile(instruction);    // in the end: as the source has it
//
// Not pinned are accesses to local variables whose address nobody else gets to know: these may become registers. A
// variable that may be accessed after its scope has ended stays in memory, where the machine finds that.
#pragma once

#include "llvm/IR/Instruction.h"
#include "llvm/IR/Module.h"

namespace heddle::lower {

void remember_volatile(llvm::Module& module);
void set_all_plain(llvm::Module& module);
// REQUIRES: set_all_plain(module).
void pin(llvm::Module& module);
bool is_volatile(const llvm::Instruction& instruction);

}  // namespace heddle::lower
