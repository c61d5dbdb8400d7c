// <threads.h> and <stdatomic.h>.
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

static mtx_t lock;
static cnd_t ready;
static once_flag flag = ONCE_FLAG_INIT;
static int go, started;
static atomic_int hits;
static atomic_flag spin = ATOMIC_FLAG_INIT;
static _Atomic long long wide;
static thread_local int mine;
struct both { long a, b; };
static _Atomic struct both pair;

static void start(void) { ++started; }

static int work(void* argument) {
  const int me = *(int*)argument;
  mine = me;
  call_once(&flag, start);
  mtx_lock(&lock);
  while (!go) cnd_wait(&ready, &lock);
  mtx_unlock(&lock);
  atomic_fetch_add_explicit(&hits, me, memory_order_relaxed);
  while (atomic_flag_test_and_set(&spin)) thrd_yield();
  wide += me;
  atomic_flag_clear(&spin);
  struct both old = atomic_load(&pair), next;
  do {
    next = (struct both){old.a + me, old.b - me};
  } while (!atomic_compare_exchange_weak(&pair, &old, next));
  return mine * 10;
}

int main(void) {
  mtx_init(&lock, mtx_plain);
  cnd_init(&ready);
  thrd_t threads[2];
  int numbers[2] = {3, 4};
  for (int i = 0; i < 2; ++i) thrd_create(&threads[i], work, &numbers[i]);
  mtx_lock(&lock);
  go = 1;
  cnd_broadcast(&ready);
  mtx_unlock(&lock);
  int sum = 0;
  for (int i = 0; i < 2; ++i) {
    int result = 0;
    thrd_join(threads[i], &result);
    sum += result;
  }
  const struct both end = atomic_load(&pair);
  printf("%d %d %lld %d %d %ld %ld\n", sum, hits, (long long)wide, started, mine, end.a, end.b);
  mtx_destroy(&lock);
  cnd_destroy(&ready);
  return 0;
}
