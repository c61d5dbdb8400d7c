// Heap objects that are lost. Each case is a program of its own, -DCASE=name; "leaks in name" stands where the object is
// made that must be found, and a case without it must hold (leaks_test.cpp).
//
// cases: overwritten kept_to_the_end in_a_global given_back thread_forgets list_stays list_is_lost list_is_freed
// cases: made_twice made_once others_are_alive handed_over
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  struct node* next;
};

static void* global;
static _Atomic(struct node*) head;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void run(void* (*function)(void*), int threads) {
  pthread_t started[3];
  for (int i = 0; i < threads; ++i) pthread_create(&started[i], NULL, function, NULL);
  for (int i = 0; i < threads; ++i) pthread_join(started[i], NULL);
}

static void overwritten(void) {
  char* p = malloc(4);  // leaks in overwritten
  p = malloc(5);
  free(p);
}
static void kept_to_the_end(void) {
  int* p = malloc(sizeof *p);  // leaks in kept_to_the_end
  *p = 1;
}
static void in_a_global(void) { global = malloc(8); }
static void given_back(void) {
  char* p = malloc(4);
  p = realloc(p, 8);
  free(p);
}
static void* forgets(void* unused) {
  char* p = malloc(3);  // leaks in thread_forgets
  *p = 1;
  return unused;
}
static void thread_forgets(void) { run(forgets, 1); }
static void* pushes(void* unused) {
  struct node* n = malloc(sizeof *n);  // leaks in list_is_lost
  n->next = atomic_load(&head);
  while (!atomic_compare_exchange_strong(&head, &n->next, n)) {
  }
  return unused;
}
static void list_stays(void) { run(pushes, 2); }
static void list_is_lost(void) {
  run(pushes, 2);
  atomic_store(&head, NULL);
}
static void list_is_freed(void) {
  run(pushes, 2);
  for (struct node* n = atomic_load(&head); n != NULL;) {
    struct node* next = n->next;
    free(n);
    n = next;
  }
}
// Only if both threads see that there is none yet.
static void* makes_once(void* unused) {
  if (atomic_load(&head) == NULL) {
    struct node* n = calloc(1, sizeof *n);  // leaks in made_twice
    atomic_exchange(&head, n);
  }
  return unused;
}
static void made_twice(void) { run(makes_once, 2); }
static void* makes_once_for_sure(void* unused) {
  struct node* none = NULL;
  struct node* n = calloc(1, sizeof *n);
  if (!atomic_compare_exchange_strong(&head, &none, n)) free(n);
  return unused;
}
static void made_once(void) { run(makes_once_for_sure, 3); }
// It waits for ever, and its object is on its stack when the process ends.
static void* waits(void* unused) {
  char* p = malloc(2);
  pthread_mutex_lock(&m);
  free(p);
  return unused;
}
static void others_are_alive(void) {
  pthread_t started;
  pthread_mutex_lock(&m);
  pthread_create(&started, NULL, waits, NULL);
}
static void handed_over(void) {
  pthread_mutex_lock(&m);
  global = malloc(6);  // leaks in handed_over
  pthread_mutex_unlock(&m);
  global = NULL;
}

int main(void) {
  CASE();
  return 0;
}
