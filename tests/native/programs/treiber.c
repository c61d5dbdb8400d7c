// A stack with compare-and-swap; nodes are freed when all threads are done.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct node { int value; struct node* next; };
static _Atomic(struct node*) head;
static atomic_int popped;

static void push(int value) {
  struct node* node = malloc(sizeof *node);
  node->value = value;
  struct node* old = atomic_load(&head);
  do {
    node->next = old;
  } while (!atomic_compare_exchange_weak(&head, &old, node));
}

static void* work(void* argument) {
  const int first = (int)(long)argument;
  for (int i = first; i < first + 3; ++i) push(i);
  struct node* old = atomic_load_explicit(&head, memory_order_acquire);
  while (old && !atomic_compare_exchange_strong(&head, &old, old->next)) {
  }
  if (old) atomic_fetch_add(&popped, 1);
  return old;
}

int main(void) {
  pthread_t threads[2];
  int sum = 0;
  for (long i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, (void*)(i * 10));
  for (int i = 0; i < 2; ++i) {
    void* node = NULL;
    pthread_join(threads[i], &node);
    sum += ((struct node*)node)->value;
    free(node);
  }
  int rest = 0;
  for (struct node* node = head; node != NULL;) {
    struct node* next = node->next;
    sum += node->value;
    ++rest;
    free(node);
    node = next;
  }
  printf("%d %d %d\n", sum, rest, popped);
  return 0;
}
