// malloc and its relatives. Every object is aligned to whatever is asked for.
#include <errno.h>
#include <stdlib.h>

#include "heddle_runtime.h"

// What no computer has: then the result is null. What is merely larger than Heddle's objects is an error of its own.
static int too_large(size_t bytes) {
  if (bytes <= PTRDIFF_MAX) return 0;
  errno = ENOMEM;
  return 1;
}

void* malloc(size_t bytes) { return too_large(bytes) ? NULL : __heddle_alloc(bytes, heddle_malloc); }

void free(void* object) {
  if (object != NULL) __heddle_free(object, heddle_malloc);
}

void* calloc(size_t count, size_t size) {
  size_t bytes = 0;
  if (too_large(__builtin_mul_overflow(count, size, &bytes) ? SIZE_MAX : bytes)) return NULL;
  void* object = __heddle_alloc(bytes, heddle_malloc);
  __builtin_memset(object, 0, bytes);
  return object;
}

void* realloc(void* object, size_t bytes) {
  if (too_large(bytes)) return NULL;
  if (object == NULL) return __heddle_alloc(bytes, heddle_malloc);
  if (bytes == 0) {
    __heddle_free(object, heddle_malloc);
    return NULL;
  }
  const size_t old = __heddle_size(object);
  void* larger = __heddle_alloc(bytes, heddle_malloc);
  __builtin_memcpy(larger, object, old < bytes ? old : bytes);
  __heddle_free(object, heddle_malloc);
  return larger;
}

void* reallocarray(void* object, size_t count, size_t size) {
  size_t bytes = 0;
  if (too_large(__builtin_mul_overflow(count, size, &bytes) ? SIZE_MAX : bytes)) return NULL;
  return realloc(object, bytes);
}

void* aligned_alloc(size_t alignment, size_t bytes) {
  (void)alignment;
  return too_large(bytes) ? NULL : __heddle_alloc(bytes, heddle_malloc);
}

void* memalign(size_t alignment, size_t bytes) {
  (void)alignment;
  return too_large(bytes) ? NULL : __heddle_alloc(bytes, heddle_malloc);
}

void* valloc(size_t bytes) { return malloc(bytes); }

int posix_memalign(void** object, size_t alignment, size_t bytes) {
  if (alignment < sizeof(void*) || (alignment & (alignment - 1)) != 0) return EINVAL;
  if (bytes > PTRDIFF_MAX) return ENOMEM;
  *object = __heddle_alloc(bytes, heddle_malloc);
  return 0;
}

size_t malloc_usable_size(void* object) { return object == NULL ? 0 : __heddle_size(object); }
