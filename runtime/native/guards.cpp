// Local static variables (__cxa_guard_*), and data that compilers and libraries expect.
#include "heddle_runtime.h"

extern "C" {

// Byte 0 of a guard tells that the variable is there; the compiler's code reads it. Byte 1: somebody is at it.
int __cxa_guard_acquire(char* guard) {
  __heddle_atomic_begin(heddle_acquire);
  __heddle_await(guard[1] == 0);
  const int mine = guard[0] == 0;
  if (mine) guard[1] = 1;
  __heddle_atomic_end();
  return mine;
}
void __cxa_guard_release(char* guard) {
  __heddle_atomic_begin(heddle_notify);
  guard[0] = 1;
  guard[1] = 0;
  __heddle_atomic_end();
}
void __cxa_guard_abort(char* guard) {
  __heddle_atomic_begin(heddle_notify);
  guard[1] = 0;
  __heddle_atomic_end();
}

// Threads may come: reference counts are atomic from the beginning.
extern const char __libc_single_threaded;
const char __libc_single_threaded = 0;
extern void* const __dso_handle;
void* const __dso_handle = nullptr;

}  // extern "C"
