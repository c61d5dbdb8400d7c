// operator new and operator delete, all forms. Every object is aligned to whatever is asked for, and memory does not
// run out.
#include <new>

#include "heddle_runtime.h"

void* operator new(std::size_t bytes) { return __heddle_alloc(bytes, heddle_new); }
void* operator new[](std::size_t bytes) { return __heddle_alloc(bytes, heddle_new_array); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return __heddle_alloc(bytes, heddle_new); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return __heddle_alloc(bytes, heddle_new_array);
}
void* operator new(std::size_t bytes, std::align_val_t) { return __heddle_alloc(bytes, heddle_new); }
void* operator new[](std::size_t bytes, std::align_val_t) { return __heddle_alloc(bytes, heddle_new_array); }
void* operator new(std::size_t bytes, std::align_val_t, const std::nothrow_t&) noexcept {
  return __heddle_alloc(bytes, heddle_new);
}
void* operator new[](std::size_t bytes, std::align_val_t, const std::nothrow_t&) noexcept {
  return __heddle_alloc(bytes, heddle_new_array);
}

static void free_one(void* object) {
  if (object != nullptr) __heddle_free(object, heddle_new);
}
static void free_array(void* object) {
  if (object != nullptr) __heddle_free(object, heddle_new_array);
}

void operator delete(void* object) noexcept { free_one(object); }
void operator delete(void* object, std::size_t) noexcept { free_one(object); }
void operator delete(void* object, std::align_val_t) noexcept { free_one(object); }
void operator delete(void* object, std::size_t, std::align_val_t) noexcept { free_one(object); }
void operator delete(void* object, const std::nothrow_t&) noexcept { free_one(object); }
void operator delete(void* object, std::align_val_t, const std::nothrow_t&) noexcept { free_one(object); }
void operator delete[](void* object) noexcept { free_array(object); }
void operator delete[](void* object, std::size_t) noexcept { free_array(object); }
void operator delete[](void* object, std::align_val_t) noexcept { free_array(object); }
void operator delete[](void* object, std::size_t, std::align_val_t) noexcept { free_array(object); }
void operator delete[](void* object, const std::nothrow_t&) noexcept { free_array(object); }
void operator delete[](void* object, std::align_val_t, const std::nothrow_t&) noexcept { free_array(object); }

namespace std {
const nothrow_t nothrow{};
}
