// Time stands still: clocks tell one second after the epoch, and sleeping takes no time. The schedule decides what
// happens before what.
#include <stddef.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "heddle_runtime.h"

enum { now = 1 };

time_t time(time_t* to) {
  if (to != NULL) *to = now;
  return now;
}
clock_t clock(void) { return 0; }
int clock_gettime(clockid_t clock, struct timespec* to) {
  (void)clock;
  to->tv_sec = now;
  to->tv_nsec = 0;
  return 0;
}
int gettimeofday(struct timeval* restrict to, void* restrict zone) {
  (void)zone;
  to->tv_sec = now;
  to->tv_usec = 0;
  return 0;
}
int nanosleep(const struct timespec* duration, struct timespec* left) {
  (void)duration;
  (void)left;
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
  __heddle_yield();
  return 0;
}
unsigned sleep(unsigned seconds) {
  (void)seconds;
  __heddle_yield();
  return 0;
}
int getpid(void) { return 1; }
long sysconf(int name) { return name == _SC_PAGESIZE ? 4096 : 2; }
