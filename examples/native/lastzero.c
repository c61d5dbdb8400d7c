// The last zero: N threads each add one to what their left neighbour has, while one looks for the last zero from the
// right (Abdulla, Aronis, Jonsson, Sagonas, Source sets, JACM 2017).
//
//   heddle check lastzero.c                                  holds
//   heddle check lastzero.c --reduce lazy                    the same, with fewer states
//   heddle check lastzero.c -- -DN=10                        more threads
//
// No two threads write the same cell, and a writer meets only its neighbours. So few orders matter, and how many of the
// others a reduction leaves out can be seen here (docs/threads.md).
//
// expect: holds
// expect -DBUG_NO_ZERO: violated memory
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 5
#endif

static atomic_int cells[N + 1];

static void* look(void* argument) {
  (void)argument;
  int i = N;
  while (cells[i] != 0) --i;
  assert(i >= 0);
  return 0;
}

static void* count(void* argument) {
  atomic_int* cell = argument;
  *cell = cell[-1] + 1;
  return 0;
}

int main(void) {
#ifdef BUG_NO_ZERO
  cells[0] = 1;  // nobody stops the one who looks
#endif
  pthread_t looking, counting[N];
  pthread_create(&looking, 0, look, 0);
  for (int i = 0; i < N; ++i) pthread_create(&counting[i], 0, count, &cells[i + 1]);
  pthread_join(looking, 0);
  for (int i = 0; i < N; ++i) pthread_join(counting[i], 0);
  return 0;
}
