// pthread_mutex_*, pthread_spin_*.
#include <errno.h>
#include <time.h>

#include "locks.h"

static struct heddle_mutex* of(pthread_mutex_t* mutex) { return (struct heddle_mutex*)mutex; }

int pthread_mutexattr_init(pthread_mutexattr_t* attributes) {
  *(int*)attributes = PTHREAD_MUTEX_NORMAL;
  return 0;
}
int pthread_mutexattr_destroy(pthread_mutexattr_t* attributes) {
  (void)attributes;
  return 0;
}
int pthread_mutexattr_settype(pthread_mutexattr_t* attributes, int kind) {
  if (kind < 0 || kind > PTHREAD_MUTEX_ERRORCHECK) return EINVAL;
  *(int*)attributes = kind;
  return 0;
}
int pthread_mutexattr_gettype(const pthread_mutexattr_t* attributes, int* kind) {
  *kind = *(const int*)attributes;
  return 0;
}
int pthread_mutexattr_setpshared(pthread_mutexattr_t* attributes, int shared) {
  (void)attributes;
  (void)shared;
  return 0;
}
int pthread_mutexattr_setprotocol(pthread_mutexattr_t* attributes, int protocol) {
  (void)attributes;
  (void)protocol;
  return 0;
}

int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) {
  __builtin_memset(mutex, 0, sizeof *mutex);
  if (attributes != NULL) of(mutex)->kind = *(const int*)attributes;
  return 0;
}

int pthread_mutex_destroy(pthread_mutex_t* mutex) {
  __heddle_atomic_begin(heddle_other);
  heddle_check_mutex(of(mutex));
  if (of(mutex)->owner != 0) __heddle_error(heddle_assertion, "destroys a mutex that is locked");
  of(mutex)->kind = heddle_destroyed;
  __heddle_atomic_end();
  return 0;
}

int pthread_mutex_lock(pthread_mutex_t* mutex) {
  struct heddle_mutex* m = of(mutex);
  __heddle_atomic_begin(heddle_acquire);
  heddle_check_mutex(m);
  if (m->owner == __heddle_me() && (m->kind & heddle_kind_mask) == PTHREAD_MUTEX_RECURSIVE) {
    m->count += 1;
    __heddle_atomic_end();
    return 0;
  }
  if (m->owner == __heddle_me() && (m->kind & heddle_kind_mask) == PTHREAD_MUTEX_ERRORCHECK) {
    __heddle_atomic_end();
    return EDEADLK;
  }
  __heddle_await_thread(m->owner == 0, heddle_number(m->owner));  // its own owner waits for ever
  m->owner = __heddle_me();
  __heddle_atomic_end();
  return 0;
}

int pthread_mutex_trylock(pthread_mutex_t* mutex) {
  struct heddle_mutex* m = of(mutex);
  int result = EBUSY;
  __heddle_atomic_begin(heddle_try_acquire);
  heddle_check_mutex(m);
  if (m->owner == __heddle_me() && (m->kind & heddle_kind_mask) == PTHREAD_MUTEX_RECURSIVE) {
    m->count += 1;
    result = 0;
  } else if (m->owner == 0) {
    m->owner = __heddle_me();
    result = 0;
  }
  __heddle_atomic_end();
  return result;
}

// When the time is over is up to the schedule: the lock is taken if it is free when this is executed.
int pthread_mutex_timedlock(pthread_mutex_t* mutex, const struct timespec* until) {
  (void)until;
  if (pthread_mutex_trylock(mutex) == 0) return 0;
  __heddle_time_passes();
  return ETIMEDOUT;
}
int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const struct timespec* until) {
  (void)clock;
  return pthread_mutex_timedlock(mutex, until);
}

int pthread_mutex_unlock(pthread_mutex_t* mutex) {
  struct heddle_mutex* m = of(mutex);
  __heddle_atomic_begin(heddle_release);
  if ((m->kind & heddle_kind_mask) == PTHREAD_MUTEX_ERRORCHECK && m->owner != __heddle_me()) {
    __heddle_atomic_end();
    return EPERM;
  }
  heddle_unlock_inside(m);
  __heddle_atomic_end();
  return 0;
}

// There is no room for more than a number.
static int my_number(void) { return (int)__heddle_self() + 1; }

int pthread_spin_init(pthread_spinlock_t* lock, int shared) {
  (void)shared;
  *lock = 0;
  return 0;
}
int pthread_spin_destroy(pthread_spinlock_t* lock) {
  (void)lock;
  return 0;
}
int pthread_spin_lock(pthread_spinlock_t* lock) {
  __heddle_atomic_begin(heddle_acquire);
  __heddle_await_thread(*lock == 0, (uint32_t)*lock - 1);
  *lock = my_number();
  __heddle_atomic_end();
  return 0;
}
int pthread_spin_trylock(pthread_spinlock_t* lock) {
  int result = EBUSY;
  __heddle_atomic_begin(heddle_try_acquire);
  if (*lock == 0) {
    *lock = my_number();
    result = 0;
  }
  __heddle_atomic_end();
  return result;
}
int pthread_spin_unlock(pthread_spinlock_t* lock) {
  __heddle_atomic_begin(heddle_release);
  if (*lock != my_number()) __heddle_error(heddle_assertion, "unlocks a spin lock that it has not locked");
  *lock = 0;
  __heddle_atomic_end();
  return 0;
}
