// A sorted list as a set, with a lock in each node, taken hand over hand. Three threads; thread t makes CALLS calls:
// add, remove, contains, of keys that the threads share. A key is removed at most as often as it was added.
//
//   -DCALLS=2       calls of each thread
//   -DNOTHING       main returns at once: what starting and compiling costs
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef CALLS
#define CALLS 2
#endif
enum { threads = 3, keys = 3 };

struct node {
  int key;
  struct node* next;
  pthread_mutex_t lock;
};
static struct node* list;
struct work {
  int thread, added[keys], removed[keys];
};
static struct work work[threads];

static struct node* new_node(int key, struct node* next) {
  struct node* n = malloc(sizeof *n);
  n->key = key;
  n->next = next;
  pthread_mutex_init(&n->lock, NULL);
  return n;
}

// Returns the last node before `key`, and locks it and its successor.
static struct node* locate(int key) {
  struct node* before = list;
  pthread_mutex_lock(&before->lock);
  struct node* at = before->next;
  pthread_mutex_lock(&at->lock);
  while (at->key < key) {
    pthread_mutex_unlock(&before->lock);
    before = at;
    at = at->next;
    pthread_mutex_lock(&at->lock);
  }
  return before;
}

static void leave(struct node* before, struct node* at) {
  pthread_mutex_unlock(&at->lock);
  pthread_mutex_unlock(&before->lock);
}

static int add(int key) {
  struct node *before = locate(key), *at = before->next;
  int absent = at->key != key;
  if (absent) before->next = new_node(key, at);
  leave(before, at);
  return absent;
}

static int take(int key) {
  struct node *before = locate(key), *at = before->next;
  int present = at->key == key;
  if (present) before->next = at->next;
  leave(before, at);
  return present;
}

static int contains(int key) {
  struct node *before = locate(key), *at = before->next;
  int present = at->key == key;
  leave(before, at);
  return present;
}

static void* run(void* argument) {
  struct work* mine = argument;
  for (int c = 0; c < CALLS; ++c) {
    int key = (mine->thread + c / 2) % keys;
    if (c % 3 == 0) mine->added[key] += add(key);
    if (c % 3 == 1) mine->removed[key] += take(key);
    if (c % 3 == 2) contains(key);
  }
  return NULL;
}

int main(void) {
#ifndef NOTHING
  list = new_node(-1, new_node(keys, NULL));
  pthread_t thread[threads];
  for (int t = 0; t < threads; ++t) {
    work[t].thread = t;
    pthread_create(&thread[t], NULL, run, &work[t]);
  }
  for (int t = 0; t < threads; ++t) pthread_join(thread[t], NULL);
  for (int k = 0; k < keys; ++k) {
    int left = 0;
    for (int t = 0; t < threads; ++t) left += work[t].added[k] - work[t].removed[k];
    assert(left == contains(k));
  }
#endif
  return 0;
}
