// Abdulla, Aronis, Jonsson, Sagonas (POPL 2014), "lastzero": N threads each write a cell one more than the cell before
// it, and one looks for the last zero.
//
//   -DN=10          threads that write
//   -DNOTHING       main returns at once: what starting and compiling costs
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 10
#endif

static atomic_int cell[N + 1];
static int number[N + 1];

static void* search(void* argument) {
  int i = *(int*)argument;
  while (atomic_load(&cell[i]) != 0) --i;
  return NULL;
}

static void* write_next(void* argument) {
  int i = *(int*)argument;
  atomic_store(&cell[i], atomic_load(&cell[i - 1]) + 1);
  return NULL;
}

int main(void) {
#ifndef NOTHING
  pthread_t thread[N + 1];
  number[0] = N;
  pthread_create(&thread[0], NULL, search, &number[0]);
  for (int i = 1; i <= N; ++i) {
    number[i] = i;
    pthread_create(&thread[i], NULL, write_next, &number[i]);
  }
  for (int i = 0; i <= N; ++i) pthread_join(thread[i], NULL);
#endif
  return 0;
}
