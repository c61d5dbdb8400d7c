// Atomic operations on objects of any size, which compilers call where there is no instruction.
#include <stddef.h>

#include "heddle_runtime.h"

void __heddle_load_any(size_t bytes, void* from, void* to, int order) __asm__("__atomic_load");
void __heddle_store_any(size_t bytes, void* to, void* from, int order) __asm__("__atomic_store");
void __heddle_exchange_any(size_t bytes, void* at, void* value, void* old, int order) __asm__("__atomic_exchange");
_Bool __heddle_compare_any(size_t bytes, void* at, void* expected, void* value, int success,
                           int failure) __asm__("__atomic_compare_exchange");
_Bool __heddle_is_lock_free(size_t bytes, const void* at) __asm__("__atomic_is_lock_free");

void __heddle_load_any(size_t bytes, void* from, void* to, int order) {
  (void)order;
  __heddle_atomic_begin(heddle_access);
  __builtin_memcpy(to, from, bytes);
  __heddle_atomic_end();
}
void __heddle_store_any(size_t bytes, void* to, void* from, int order) {
  (void)order;
  __heddle_atomic_begin(heddle_access);
  __builtin_memcpy(to, from, bytes);
  __heddle_atomic_end();
}
void __heddle_exchange_any(size_t bytes, void* at, void* value, void* old, int order) {
  (void)order;
  __heddle_atomic_begin(heddle_access);
  __builtin_memmove(old, at, bytes);
  __builtin_memmove(at, value, bytes);
  __heddle_atomic_end();
}
_Bool __heddle_compare_any(size_t bytes, void* at, void* expected, void* value, int success, int failure) {
  (void)success;
  (void)failure;
  __heddle_atomic_begin(heddle_access);
  _Bool same = 1;
  for (size_t i = 0; i < bytes && same; ++i) same = ((char*)at)[i] == ((char*)expected)[i];
  if (same) {
    __builtin_memmove(at, value, bytes);
  } else {
    __builtin_memmove(expected, at, bytes);
  }
  __heddle_atomic_end();
  return same;
}
_Bool __heddle_is_lock_free(size_t bytes, const void* at) {
  (void)at;
  return bytes <= 16;
}
