// Mutual exclusion of two threads by Dekker, the first one known (Dijkstra, Cooperating sequential processes, 1965).
//
//   heddle check dekker.c                     holds
//   heddle check dekker.c -- -DBUG_...        see below
//
// expect: holds
// expect -DBUG_LOOK_FIRST: violated assertion
// expect -DBUG_KEEP_WANTING: violated spin
// expect -DBUG_NO_SECOND_LOOK: violated assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static atomic_int inside;

static void lock(int me) {
  const int other = 1 - me;
#ifdef BUG_LOOK_FIRST
  while (wants[other]) {
  }
  wants[me] = 1;  // both may have looked
#else
  wants[me] = 1;
  while (wants[other]) {
#ifndef BUG_KEEP_WANTING  // with it, both may wait for each other for ever
    if (turn == me) continue;
    wants[me] = 0;
    while (turn != me) {
    }
    wants[me] = 1;
#ifdef BUG_NO_SECOND_LOOK
    break;  // the other may have come back meanwhile
#endif
#endif
  }
#endif
}

static void unlock(int me) {
  turn = 1 - me;
  wants[me] = 0;
}

static void* work(void* argument) {
  const int me = argument != 0;
  for (int round = 0; round < 2; ++round) {
    lock(me);
    assert(inside++ == 0);
    --inside;
    unlock(me);
  }
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, work, 0);
  pthread_create(&second, 0, work, &second);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
