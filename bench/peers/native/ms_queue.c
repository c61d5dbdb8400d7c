// The queue of Michael and Scott (PODC 1996), as it is in the paper, without reclamation. Three threads; thread t
// makes CALLS calls: enqueue, dequeue, enqueue, ... No value comes out twice.
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
  _Atomic(struct node*) next;
};
static _Atomic(struct node*) head, tail;
static int taken[threads * CALLS];  // by thread and call; 0: nothing

static struct node* new_node(int value) {
  struct node* n = malloc(sizeof *n);
  n->value = value;
  atomic_init(&n->next, NULL);
  return n;
}

static void enqueue(int value) {
  struct node* n = new_node(value);
  for (;;) {
    struct node* last = atomic_load(&tail);
    struct node* next = atomic_load(&last->next);
    if (last != atomic_load(&tail)) continue;
    if (next != NULL) {
      atomic_compare_exchange_strong(&tail, &last, next);
    } else if (atomic_compare_exchange_strong(&last->next, &next, n)) {
      atomic_compare_exchange_strong(&tail, &last, n);
      return;
    }
  }
}

static int dequeue(void) {
  for (;;) {
    struct node* first = atomic_load(&head);
    struct node* last = atomic_load(&tail);
    struct node* next = atomic_load(&first->next);
    if (first != atomic_load(&head)) continue;
    if (next == NULL) return 0;
    if (first == last) {
      atomic_compare_exchange_strong(&tail, &last, next);
      continue;
    }
    int value = next->value;
    if (atomic_compare_exchange_strong(&head, &first, next)) return value;
  }
}

static void* run(void* argument) {
  int* mine = argument;
  int t = (int)(mine - taken) / CALLS;
  for (int c = 0; c < CALLS; ++c) {
    if (c % 2 == 0) {
      enqueue(1 + t * CALLS + c);
    } else {
      mine[c] = dequeue();
    }
  }
  return NULL;
}

int main(void) {
#ifndef NOTHING
  struct node* dummy = new_node(0);
  atomic_init(&head, dummy);
  atomic_init(&tail, dummy);
  pthread_t thread[threads];
  for (int t = 0; t < threads; ++t) pthread_create(&thread[t], NULL, run, taken + t * CALLS);
  for (int t = 0; t < threads; ++t) pthread_join(thread[t], NULL);
  for (int i = 0; i < threads * CALLS; ++i) {
    for (int j = 0; j < i; ++j) assert(taken[i] == 0 || taken[i] != taken[j]);
  }
#endif
  return 0;
}
