// Where a program begins: what the runtime's __heddle_start calls, made from what the program has.
#pragma once

#include "llvm/IR/Module.h"

namespace heddle::lower {

// Adds to the program, before the runtime is linked:
//   int  __heddle_main(int, char**, char**)    calls main with as many arguments as it takes
//   void __heddle_constructors(void)           runs constructors of globals in the order of their priorities
//   void __heddle_destructors(void)            runs handlers of atexit, then functions with the attribute `destructor`
//   void __heddle_leave_thread(void)           runs destructors of thread-local variables and of keys
// The latter two call only what the program can have registered: a thread that ends need not look at empty lists.
// and a use of __heddle_start. Returns whether the program has a main.
bool add_entry(llvm::Module& module);

}  // namespace heddle::lower
