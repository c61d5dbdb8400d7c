// Treiber's stack, without reclamation. Three threads; thread t makes CALLS calls: push, pop, push, ... No value comes
// out twice.
//
//   -DCALLS=2       calls of each thread
//   -DNOTHING       main returns at once: what starting and compiling costs
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef CALLS
#define CALLS 2
#endif
enum { threads = 3 };

struct node {
  int value;
  struct node* next;
};
static _Atomic(struct node*) top;
static int taken[threads * CALLS];  // by thread and call; 0: nothing

static void push(int value) {
  struct node* n = malloc(sizeof *n);
  n->value = value;
  struct node* old;
  do {
    old = atomic_load(&top);
    n->next = old;
  } while (!atomic_compare_exchange_strong(&top, &old, n));
}

static int pop(void) {
  for (;;) {
    struct node* old = atomic_load(&top);
    if (old == NULL) return 0;
    struct node* next = old->next;
    int value = old->value;
    if (atomic_compare_exchange_strong(&top, &old, next)) return value;
  }
}

static void* run(void* argument) {
  int* mine = argument;
  int t = (int)(mine - taken) / CALLS;
  for (int c = 0; c < CALLS; ++c) {
    if (c % 2 == 0) {
      push(1 + t * CALLS + c);
    } else {
      mine[c] = pop();
    }
  }
  return NULL;
}

int main(void) {
#ifndef NOTHING
  pthread_t thread[threads];
  for (int t = 0; t < threads; ++t) pthread_create(&thread[t], NULL, run, taken + t * CALLS);
  for (int t = 0; t < threads; ++t) pthread_join(thread[t], NULL);
  for (int i = 0; i < threads * CALLS; ++i) {
    for (int j = 0; j < i; ++j) assert(taken[i] == 0 || taken[i] != taken[j]);
  }
#endif
  return 0;
}
