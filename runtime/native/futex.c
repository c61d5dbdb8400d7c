// syscall(SYS_futex, ...): what std::atomic::wait, semaphores, latches and barriers of the standard library wait
// with. A queue for each address that threads wait at, with the rules of condition variables (locks.h). A wait with a
// time limit is over whenever the schedule has it.
#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>

#include "locks.h"

enum { max_queues = 16 };
static struct {
  int* address;
  struct heddle_condition waiters;
} queues[max_queues];

static int find(const int* address) {
  int free = max_queues;
  for (int i = max_queues; i-- > 0;) {
    if (queues[i].address == address) return i;
    if (queues[i].address == NULL) free = i;
  }
  return free;
}

static int take(int i, heddle_set me, int timed) {
  struct heddle_condition* c = &queues[i].waiters;
  const int signalled = heddle_has(c->eligible, me) && c->permits > 0;
  if (!signalled && !timed) return 0;
  if (signalled) c->permits -= 1;
  c->waiting = heddle_without(c->waiting, me);
  c->eligible = c->permits == 0 ? 0 : heddle_without(c->eligible, me);
  if (c->waiting == 0) queues[i].address = NULL;
  return signalled;
}

long __heddle_futex_wait(int* address, int expected, int timed) {
  const heddle_set me = __heddle_only_me();
  __heddle_atomic_begin(heddle_other);
  const int same = *address == expected;
  int i = max_queues;
  if (same) {
    i = find(address);
    if (i == max_queues) __heddle_error(heddle_unsupported, "waits at more than 16 futexes at once");
    queues[i].address = address;
    queues[i].waiters.waiting = heddle_with(queues[i].waiters.waiting, me);
  }
  __heddle_atomic_end();
  if (!same) {
    errno = EAGAIN;
    return -1;
  }
  __heddle_atomic_begin(heddle_wait);
  const int signalled = take(i, me, timed);
  __heddle_await(signalled || timed);
  __heddle_atomic_end();
  if (signalled) return 0;
  __heddle_time_passes();
  errno = ETIMEDOUT;
  return -1;
}

long __heddle_futex_wake(int* address, int most) {
  int woken = 0;
  __heddle_atomic_begin(heddle_notify);
  const int i = find(address);
  if (i < max_queues && queues[i].address == address) {
    struct heddle_condition* c = &queues[i].waiters;
    const int sleeping = (int)heddle_count(c->waiting) - (int)c->permits;
    woken = most < sleeping ? most : sleeping;
    if (woken > 0) {
      c->eligible = c->waiting;
      c->permits += (unsigned)woken;
    }
  }
  __heddle_atomic_end();
  return woken;
}

long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  if (number != SYS_futex) __heddle_error(heddle_unsupported, "makes the system call %ld", number);
  int* address = va_arg(list, int*);
  const int operation = va_arg(list, int) & ~(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME);
  const int value = va_arg(list, int);
  const void* limit = NULL;
  if (operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET) limit = va_arg(list, const void*);
  va_end(list);
  switch (operation) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
      return __heddle_futex_wait(address, value, limit != NULL);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
      return __heddle_futex_wake(address, value);
    default:
      __heddle_error(heddle_unsupported, "makes the futex call %d", operation);
  }
}
