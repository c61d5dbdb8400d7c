// Values of each thread under a key: pthread_key_create and its relatives.
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

#include "heddle_runtime.h"

enum { max_keys = 8, max_rounds = 4 };

struct key {
  int used;
  void (*destructor)(void*);
};

static struct key keys[max_keys];
static _Thread_local void* values[max_keys];
static _Thread_local int has_values;  // a thread that never sets one has nothing to destroy

int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) {
  int found = max_keys;
  __heddle_atomic_begin(heddle_other);
  for (int i = max_keys; i-- > 0;) {
    if (!keys[i].used) found = i;
  }
  if (found < max_keys) {
    keys[found].used = 1;
    keys[found].destructor = destructor;
  }
  __heddle_atomic_end();
  if (found == max_keys) return EAGAIN;
  *key = (pthread_key_t)found;
  return 0;
}

int pthread_key_delete(pthread_key_t key) {
  if (key >= max_keys) return EINVAL;
  __heddle_atomic_begin(heddle_other);
  keys[key].used = 0;
  keys[key].destructor = NULL;
  __heddle_atomic_end();
  return 0;
}

void* pthread_getspecific(pthread_key_t key) { return key < max_keys && has_values ? values[key] : NULL; }

int pthread_setspecific(pthread_key_t key, const void* value) {
  if (key >= max_keys) return EINVAL;
  has_values = 1;
  values[key] = (void*)value;
  return 0;
}

void __heddle_run_key_destructors(void) {
  if (!has_values) return;
  for (int round = 0; round < max_rounds; ++round) {
    int again = 0;
    for (int i = 0; i < max_keys; ++i) {
      void* value = values[i];
      if (value == NULL) continue;
      __heddle_atomic_begin(heddle_other);
      void (*destructor)(void*) = keys[i].used ? keys[i].destructor : NULL;
      __heddle_atomic_end();
      if (destructor == NULL) continue;
      values[i] = NULL;
      destructor(value);
      again = 1;
    }
    if (!again) return;
  }
}
