// malloc and its relatives. Every object is aligned to whatever is asked for.
#include <errno.h>
#include <stdlib.h>

#include "heddle_runtime.h"

// The machine gives null for more than PTRDIFF_MAX bytes, which no computer has. What is merely larger than its objects
// is an error.
static void* allocate(size_t bytes) {
  void* object = __heddle_alloc(bytes, heddle_malloc);
  if (object == NULL) errno = ENOMEM;
  return object;
}

void* malloc(size_t bytes) { return allocate(bytes); }

void free(void* object) {
  if (object != NULL) __heddle_free(object, heddle_malloc);
}

void* calloc(size_t count, size_t size) {
  size_t bytes = 0;
  void* object = allocate(__builtin_mul_overflow(count, size, &bytes) ? SIZE_MAX : bytes);
  if (object != NULL) __builtin_memset(object, 0, bytes);
  return object;
}

void* realloc(void* object, size_t bytes) {
  if (object == NULL) return allocate(bytes);
  if (bytes == 0) {
    __heddle_free(object, heddle_malloc);
    return NULL;
  }
  const size_t old = __heddle_size(object);
  void* larger = allocate(bytes);
  if (larger == NULL) return NULL;
  __builtin_memcpy(larger, object, old < bytes ? old : bytes);
  __heddle_free(object, heddle_malloc);
  return larger;
}

void* reallocarray(void* object, size_t count, size_t size) {
  size_t bytes = 0;
  return realloc(object, __builtin_mul_overflow(count, size, &bytes) ? SIZE_MAX : bytes);
}

void* aligned_alloc(size_t alignment, size_t bytes) {
  (void)alignment;
  return allocate(bytes);
}

void* memalign(size_t alignment, size_t bytes) {
  (void)alignment;
  return allocate(bytes);
}

void* valloc(size_t bytes) { return malloc(bytes); }

int posix_memalign(void** object, size_t alignment, size_t bytes) {
  if (alignment < sizeof(void*) || (alignment & (alignment - 1)) != 0) return EINVAL;
  void* made = __heddle_alloc(bytes, heddle_malloc);
  if (made == NULL) return ENOMEM;
  *object = made;
  return 0;
}

size_t malloc_usable_size(void* object) { return object == NULL ? 0 : __heddle_size(object); }
