// Mutual exclusion of any number of threads by tickets: Lamport's bakery (A new solution of Dijkstra's concurrent
// programming problem, 1974).
//
//   heddle check bakery.c                              holds, for two threads
//   heddle check bakery.c -- -DTHREADS=3 -DROUNDS=1    holds
//   heddle check bakery.c -- -DBUG_...                 see below
//
// expect: holds
// expect -DTHREADS=3 -DROUNDS=1: holds
// expect -DBUG_NO_CHOOSING: violated assertion
// expect -DBUG_NO_TIE_BREAK: violated assertion
// expect -DBUG_TIES_WAIT: violated spin
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

static atomic_int choosing[THREADS], ticket[THREADS];
static atomic_int inside;

static int goes_first(int other_ticket, int other, int my_ticket, int me) {
#if defined BUG_NO_TIE_BREAK
  (void)other, (void)me;
  return other_ticket < my_ticket;
#elif defined BUG_TIES_WAIT
  (void)other, (void)me;
  return other_ticket <= my_ticket;
#else
  return other_ticket < my_ticket || (other_ticket == my_ticket && other < me);
#endif
}

static void lock(int me) {
#ifndef BUG_NO_CHOOSING
  choosing[me] = 1;
#endif
  int last = 0;
  for (int i = 0; i < THREADS; ++i) {
    const int t = ticket[i];
    if (t > last) last = t;
  }
  ticket[me] = last + 1;
#ifndef BUG_NO_CHOOSING
  choosing[me] = 0;
#endif
  for (int i = 0; i < THREADS; ++i) {
    if (i == me) continue;
    while (choosing[i]) {
    }
    for (;;) {
      const int t = ticket[i];
      if (t == 0 || !goes_first(t, i, last + 1, me)) break;
    }
  }
}

static void unlock(int me) { ticket[me] = 0; }

static void* work(void* argument) {
  const int me = (int)(intptr_t)argument;
  for (int round = 0; round < ROUNDS; ++round) {
    lock(me);
    assert(inside++ == 0);
    --inside;
    unlock(me);
  }
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  for (intptr_t i = 0; i < THREADS; ++i) pthread_create(&threads[i], 0, work, (void*)i);
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], 0);
  return 0;
}
