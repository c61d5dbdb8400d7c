// pthread_cond_*. locks.h tells how signals find their threads. There are no spurious wake-ups. A timed wait is over
// whenever the schedule has it: it takes the signal if there is one by then.
#include <errno.h>
#include <time.h>

#include "locks.h"

static struct heddle_condition* of(pthread_cond_t* condition) { return (struct heddle_condition*)condition; }

static int is_signalled(const struct heddle_condition* c, heddle_set me) {
  return heddle_has(c->eligible, me) && c->permits != 0;
}

static int take_signal(struct heddle_condition* c, heddle_set me) {
  if (!is_signalled(c, me)) return 0;
  c->permits -= 1;
  c->eligible = c->permits == 0 ? 0 : heddle_without(c->eligible, me);
  c->waiting = heddle_without(c->waiting, me);
  return 1;
}

static int wait_for_signal(pthread_cond_t* condition, pthread_mutex_t* mutex, int timed) {
  struct heddle_condition* c = of(condition);
  struct heddle_mutex* m = (struct heddle_mutex*)mutex;
  const heddle_set me = __heddle_only_me();
  __heddle_atomic_begin(heddle_wait);  // not a mere release: whoever signals sees who waits
  const unsigned count = m->count;     // a recursive mutex is given up as a whole
  m->count = 0;
  heddle_unlock_inside(m);
  c->waiting = heddle_with(c->waiting, me);
  __heddle_atomic_end();

  int signalled;
  __heddle_atomic_begin(heddle_wait);
  // The condition comes before the mutex: it is what a thread that is blocked here waits for, and is said to wait for.
  __heddle_await(is_signalled(c, me) || timed);
  heddle_check_mutex(m);
  __heddle_await_thread(m->owner == 0, heddle_number(m->owner));
  signalled = take_signal(c, me);
  if (!signalled) {
    c->waiting = heddle_without(c->waiting, me);
    c->eligible = heddle_without(c->eligible, me);
  }
  m->owner = __heddle_me();
  m->count = count;
  __heddle_atomic_end();
  if (!signalled) __heddle_time_passes();
  return signalled ? 0 : ETIMEDOUT;
}

int pthread_condattr_init(pthread_condattr_t* attributes) {
  *(int*)attributes = 0;
  return 0;
}
int pthread_condattr_destroy(pthread_condattr_t* attributes) {
  (void)attributes;
  return 0;
}
int pthread_condattr_setclock(pthread_condattr_t* attributes, clockid_t clock) {
  (void)attributes;
  (void)clock;
  return 0;
}
int pthread_condattr_setpshared(pthread_condattr_t* attributes, int shared) {
  (void)attributes;
  (void)shared;
  return 0;
}

int pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t* attributes) {
  (void)attributes;
  __builtin_memset(condition, 0, sizeof *condition);
  return 0;
}

int pthread_cond_destroy(pthread_cond_t* condition) {
  __heddle_atomic_begin(heddle_other);
  struct heddle_condition* c = of(condition);
  if (heddle_count(c->waiting) > c->permits) {
    __heddle_error(heddle_assertion, "destroys a condition variable that a thread waits for");
  }
  __heddle_atomic_end();
  return 0;
}

int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  return wait_for_signal(condition, mutex, 0);
}

int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const struct timespec* until) {
  (void)until;
  return wait_for_signal(condition, mutex, 1);
}

int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const struct timespec* until) {
  (void)clock;
  (void)until;
  return wait_for_signal(condition, mutex, 1);
}

int pthread_cond_signal(pthread_cond_t* condition) {
  struct heddle_condition* c = of(condition);
  __heddle_atomic_begin(heddle_notify);
  if (c->permits < heddle_count(c->waiting)) {
    c->eligible = c->waiting;
    c->permits += 1;
  }
  __heddle_atomic_end();
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t* condition) {
  struct heddle_condition* c = of(condition);
  __heddle_atomic_begin(heddle_notify);
  if (c->waiting != 0) {
    c->eligible = c->waiting;
    c->permits = heddle_count(c->waiting);
  }
  __heddle_atomic_end();
  return 0;
}
