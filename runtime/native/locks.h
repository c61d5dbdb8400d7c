// The insides of locks: what lies in the bytes of pthread_mutex_t and its relatives. Zero bytes are a free lock, as the
// static initialisers of glibc have it.
#pragma once

#include <pthread.h>

#include "heddle_runtime.h"

// Same places as in glibc: initialisers and libstdc++ write `kind`.
struct heddle_mutex {
  int unused;
  unsigned count;  // of a recursive mutex: how often its owner has locked it, beyond the first time
  int unused2[2];
  int kind;  // PTHREAD_MUTEX_NORMAL, _RECURSIVE, _ERRORCHECK; heddle_destroyed
  int unused3;
  heddle_name owner;  // 0: free
};
enum { heddle_destroyed = -1, heddle_kind_mask = 3 };

// `waiting`: threads in a wait. `eligible`: those of them that a signal may wake, `permits`: how many of
// these it wakes. A signal makes all that wait eligible and adds a permit, so that any one of them may go on, but none
// that comes later.
struct heddle_condition {
  heddle_set waiting, eligible;
  unsigned permits;
};

// The number of the thread with this name (src/native/image.h, Label).
static inline uint32_t heddle_number(heddle_name name) { return (uint32_t)(name >> 35 & 31); }

struct heddle_rwlock {
  heddle_name writer;  // 0: none
  unsigned readers;    // how many hold it
};

struct heddle_barrier {
  unsigned total, arrived, phase;
};

struct heddle_semaphore {
  unsigned value;
};

// Sets of threads; 0 is the empty one. src/native/thread_renaming.cpp knows which bits are members; the others mark the
// word as a set, so that threads that are alike can be exchanged in it.
static const heddle_set heddle_members = 0x3F0000003F3F3F3F;
static inline heddle_set heddle_with(heddle_set set, heddle_set more) { return set | more; }
static inline heddle_set heddle_without(heddle_set set, heddle_set fewer) {
  const heddle_set rest = set & ~(fewer & heddle_members);
  return (rest & heddle_members) == 0 ? 0 : rest;
}
static inline int heddle_has(heddle_set set, heddle_set some) { return (set & some & heddle_members) != 0; }
static inline unsigned heddle_count(heddle_set set) { return (unsigned)__builtin_popcountll(set & heddle_members); }

static inline void heddle_check_mutex(const struct heddle_mutex* mutex) {
  if (mutex->kind == heddle_destroyed) __heddle_error(heddle_memory, "uses a mutex that is destroyed");
}

static inline void heddle_unlock_inside(struct heddle_mutex* mutex) {
  heddle_check_mutex(mutex);
  if (mutex->owner != __heddle_me()) {
    __heddle_error(heddle_assertion, mutex->owner == 0 ? "unlocks a mutex that is not locked"
                                                       : "unlocks a mutex that another thread has locked");
  }
  if (mutex->count > 0) {
    mutex->count -= 1;
  } else {
    mutex->owner = 0;
  }
}
