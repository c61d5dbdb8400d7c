// pthread_rwlock_*, pthread_barrier_*, sem_*.
#include <errno.h>
#include <semaphore.h>
#include <stdarg.h>
#include <time.h>

#include "locks.h"

static struct heddle_rwlock* lock_of(pthread_rwlock_t* lock) { return (struct heddle_rwlock*)lock; }

int pthread_rwlockattr_init(pthread_rwlockattr_t* attributes) {
  *(long*)attributes = 0;
  return 0;
}
int pthread_rwlockattr_destroy(pthread_rwlockattr_t* attributes) {
  (void)attributes;
  return 0;
}
int pthread_rwlock_init(pthread_rwlock_t* lock, const pthread_rwlockattr_t* attributes) {
  (void)attributes;
  __builtin_memset(lock, 0, sizeof *lock);
  return 0;
}
int pthread_rwlock_destroy(pthread_rwlock_t* lock) {
  __heddle_atomic_begin(heddle_other);
  if (lock_of(lock)->writer != 0 || lock_of(lock)->readers != 0) {
    __heddle_error(heddle_assertion, "destroys a read-write lock that is locked");
  }
  __heddle_atomic_end();
  return 0;
}
int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  struct heddle_rwlock* l = lock_of(lock);
  __heddle_atomic_begin(heddle_acquire);
  __heddle_await_thread(l->writer == 0, heddle_number(l->writer));
  l->readers += 1;
  __heddle_atomic_end();
  return 0;
}
int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) {
  struct heddle_rwlock* l = lock_of(lock);
  __heddle_atomic_begin(heddle_try_acquire);
  const int taken = l->writer == 0;
  if (taken) l->readers += 1;
  __heddle_atomic_end();
  return taken ? 0 : EBUSY;
}
int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  struct heddle_rwlock* l = lock_of(lock);
  __heddle_atomic_begin(heddle_acquire);
  __heddle_await_thread(l->writer == 0, heddle_number(l->writer));
  __heddle_await(l->readers == 0);
  l->writer = __heddle_me();
  __heddle_atomic_end();
  return 0;
}
int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) {
  struct heddle_rwlock* l = lock_of(lock);
  __heddle_atomic_begin(heddle_try_acquire);
  const int taken = l->writer == 0 && l->readers == 0;
  if (taken) l->writer = __heddle_me();
  __heddle_atomic_end();
  return taken ? 0 : EBUSY;
}
int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const struct timespec* until) {
  (void)until;
  if (pthread_rwlock_tryrdlock(lock) == 0) return 0;
  __heddle_time_passes();
  return ETIMEDOUT;
}
int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const struct timespec* until) {
  (void)until;
  if (pthread_rwlock_trywrlock(lock) == 0) return 0;
  __heddle_time_passes();
  return ETIMEDOUT;
}
int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock, const struct timespec* until) {
  (void)clock;
  return pthread_rwlock_timedrdlock(lock, until);
}
int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock, const struct timespec* until) {
  (void)clock;
  return pthread_rwlock_timedwrlock(lock, until);
}
int pthread_rwlock_unlock(pthread_rwlock_t* lock) {
  struct heddle_rwlock* l = lock_of(lock);
  __heddle_atomic_begin(heddle_release);
  if (l->writer == __heddle_me()) {
    l->writer = 0;
  } else if (l->readers > 0) {
    l->readers -= 1;
  } else {
    __heddle_error(heddle_assertion, "unlocks a read-write lock that it has not locked");
  }
  __heddle_atomic_end();
  return 0;
}

static struct heddle_barrier* barrier_of(pthread_barrier_t* barrier) { return (struct heddle_barrier*)barrier; }

int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t* attributes, unsigned count) {
  (void)attributes;
  if (count == 0) return EINVAL;
  __builtin_memset(barrier, 0, sizeof *barrier);
  barrier_of(barrier)->total = count;
  return 0;
}
int pthread_barrier_destroy(pthread_barrier_t* barrier) {
  (void)barrier;
  return 0;
}
int pthread_barrier_wait(pthread_barrier_t* barrier) {
  struct heddle_barrier* b = barrier_of(barrier);
  __heddle_atomic_begin(heddle_notify);
  const unsigned phase = b->phase;
  const int last = b->arrived + 1 == b->total;
  if (last) {
    b->arrived = 0;
    b->phase = !phase;
  } else {
    b->arrived += 1;
  }
  __heddle_atomic_end();
  if (last) return PTHREAD_BARRIER_SERIAL_THREAD;
  __heddle_atomic_begin(heddle_wait);
  __heddle_await(b->phase != phase);
  __heddle_atomic_end();
  return 0;
}

static struct heddle_semaphore* semaphore_of(sem_t* semaphore) { return (struct heddle_semaphore*)semaphore; }

int sem_init(sem_t* semaphore, int shared, unsigned value) {
  (void)shared;
  __builtin_memset(semaphore, 0, sizeof *semaphore);
  semaphore_of(semaphore)->value = value;
  return 0;
}
int sem_destroy(sem_t* semaphore) {
  (void)semaphore;
  return 0;
}
int sem_wait(sem_t* semaphore) {
  __heddle_atomic_begin(heddle_acquire);
  __heddle_await(semaphore_of(semaphore)->value > 0);
  semaphore_of(semaphore)->value -= 1;
  __heddle_atomic_end();
  return 0;
}
int sem_trywait(sem_t* semaphore) {
  __heddle_atomic_begin(heddle_try_acquire);
  const int taken = semaphore_of(semaphore)->value > 0;
  if (taken) semaphore_of(semaphore)->value -= 1;
  __heddle_atomic_end();
  if (!taken) errno = EAGAIN;
  return taken ? 0 : -1;
}
int sem_timedwait(sem_t* semaphore, const struct timespec* until) {
  (void)until;
  if (sem_trywait(semaphore) == 0) return 0;
  __heddle_time_passes();
  errno = ETIMEDOUT;
  return -1;
}
int sem_clockwait(sem_t* semaphore, clockid_t clock, const struct timespec* until) {
  (void)clock;
  return sem_timedwait(semaphore, until);
}
int sem_post(sem_t* semaphore) {
  __heddle_atomic_begin(heddle_notify);
  semaphore_of(semaphore)->value += 1;
  __heddle_atomic_end();
  return 0;
}
int sem_getvalue(sem_t* semaphore, int* value) {
  __heddle_atomic_begin(heddle_access);
  const unsigned now = semaphore_of(semaphore)->value;
  __heddle_atomic_end();
  *value = (int)now;
  return 0;
}
