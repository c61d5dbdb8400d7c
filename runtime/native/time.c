// Time stands still: clocks tell one second after the epoch, and sleeping takes no time. The schedule decides what
// happens before what. After a thread has slept, yielded, or waited until its time was over, the next clock that it
// reads tells a time after every deadline, once: programs compare clocks with deadlines to learn why a wait is over. A
// clock that went on from there would make a program that waits in a loop have infinitely many states.
#include <stddef.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "heddle_runtime.h"

enum { usual = 1, late = 1 << 30 };

static _Thread_local _Bool is_late;

void __heddle_time_passes(void) { is_late = 1; }

long __heddle_now(void) {
  if (!is_late) return usual;
  is_late = 0;
  return late;
}

time_t time(time_t* to) {
  const time_t now = __heddle_now();
  if (to != NULL) *to = now;
  return now;
}
clock_t clock(void) { return 0; }
int clock_gettime(clockid_t clock, struct timespec* to) {
  (void)clock;
  to->tv_sec = __heddle_now();
  to->tv_nsec = 0;
  return 0;
}
int gettimeofday(struct timeval* restrict to, void* restrict zone) {
  (void)zone;
  to->tv_sec = __heddle_now();
  to->tv_usec = 0;
  return 0;
}
int nanosleep(const struct timespec* duration, struct timespec* left) {
  (void)duration;
  (void)left;
  __heddle_time_passes();
  __heddle_yield();
  return 0;
}
int clock_nanosleep(clockid_t clock, int flags, const struct timespec* duration, struct timespec* left) {
  (void)clock;
  (void)flags;
  return nanosleep(duration, left);
}
int usleep(useconds_t microseconds) {
  (void)microseconds;
  __heddle_time_passes();
  __heddle_yield();
  return 0;
}
unsigned sleep(unsigned seconds) {
  (void)seconds;
  __heddle_time_passes();
  __heddle_yield();
  return 0;
}
int getpid(void) { return 1; }
long sysconf(int name) { return name == _SC_PAGESIZE ? 4096 : 2; }
