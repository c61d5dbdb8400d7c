// Mutual exclusion of two threads by Peterson (Myths about the mutual exclusion problem, 1981).
//
//   heddle check peterson.c                                  holds
//   heddle check peterson.c -- -DBUG_...                     see below
//
// What the lock protects is a plain variable: two threads inside at once are a data race. With --races allow the lost
// update itself is found.
//
// expect: holds
// expect -DBUG_TURN_FIRST: violated race
// expect -DBUG_TURN_FIRST --races allow: violated assertion
// expect -DBUG_NO_TURN: violated race
// expect -DBUG_OWN_TURN: violated race
// expect -DBUG_PLAIN_FLAGS: violated race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef BUG_PLAIN_FLAGS
static int wants[2], turn;
#else
static atomic_int wants[2], turn;
#endif
static int counter;

static void lock(int me) {
  const int other = 1 - me;
#if defined BUG_TURN_FIRST
  turn = other;
  wants[me] = 1;
  while (wants[other] && turn == other) {
  }
#elif defined BUG_NO_TURN
  while (wants[other]) {
  }
  wants[me] = 1;
#elif defined BUG_OWN_TURN
  wants[me] = 1;
  turn = me;  // polite it is not
  while (wants[other] && turn == other) {
  }
#else
  wants[me] = 1;
  turn = other;
  while (wants[other] && turn == other) {
  }
#endif
}

static void unlock(int me) { wants[me] = 0; }

static void* work(void* argument) {
  const int me = argument != 0;
  for (int round = 0; round < 2; ++round) {
    lock(me);
    ++counter;
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
  assert(counter == 4);
  return 0;
}
