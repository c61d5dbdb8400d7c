// The insides of locks: what lies in the bytes of pthread_mutex_t and its relatives. Zero bytes are a free lock, as the
// static initialisers of glibc have it.
#pragma once

#include <pthread.h>

#include "heddle_runtime.h"

// Same places as in glibc: initialisers and libstdc++ write `kind`.
struct heddle_mutex {
  int unused;
  unsigned count;  // of a recursive mutex: how often its owner has locked it, beyond the first time
  int owner;       // number of the thread, plus one; 0: free
  unsigned unused2;
  int kind;  // PTHREAD_MUTEX_NORMAL, _RECURSIVE, _ERRORCHECK; heddle_destroyed
};
enum { heddle_destroyed = -1, heddle_kind_mask = 3 };

// `waiting`: threads in a wait, a bit each. `eligible`: those of them that a signal may wake, `permits`: how many of
// these it wakes. A signal makes all that wait eligible and adds a permit, so that any one of them may go on, but none
// that comes later.
struct heddle_condition {
  unsigned waiting, eligible, permits;
};

struct heddle_rwlock {
  int writer;        // number of the thread, plus one; 0: none
  unsigned readers;  // how many hold it
};

struct heddle_barrier {
  unsigned total, arrived, phase;
};

struct heddle_semaphore {
  unsigned value;
};

static inline int heddle_me(void) { return (int)__heddle_self() + 1; }

static inline void heddle_check_mutex(const struct heddle_mutex* mutex) {
  if (mutex->kind == heddle_destroyed) __heddle_error(heddle_memory, "uses a mutex that is destroyed");
}

static inline void heddle_unlock_inside(struct heddle_mutex* mutex) {
  heddle_check_mutex(mutex);
  if (mutex->owner != heddle_me()) {
    __heddle_error(heddle_assertion, mutex->owner == 0 ? "unlocks a mutex that is not locked"
                                                       : "unlocks a mutex that another thread has locked");
  }
  if (mutex->count > 0) {
    mutex->count -= 1;
  } else {
    mutex->owner = 0;
  }
}
