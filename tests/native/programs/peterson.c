// Peterson's algorithm with C11 atomics and POSIX threads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int flag[2], turn;
static int counter;

static void* enter(void* argument) {
  const int me = (int)(long)argument, other = 1 - me;
  atomic_store(&flag[me], 1);
  atomic_store(&turn, other);
  while (atomic_load(&flag[other]) && atomic_load(&turn) == other) {
  }
  counter += 1;
  atomic_store(&flag[me], 0);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, enter, (void*)i);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(counter == 2);
  printf("counter %d\n", counter);
  return 0;
}
