// A hash map with a lock for each of three stripes. Three threads; thread t makes CALLS calls: put, get, put, ... of
// keys in all stripes. What is got was put.
//
//   -DCALLS=2       calls of each thread
//   -DNOTHING       main returns at once: what starting and compiling costs
#include <assert.h>
#include <pthread.h>

#ifndef CALLS
#define CALLS 2
#endif
enum { threads = 3, stripes = 3, room = 3 * CALLS };

struct stripe {
  pthread_mutex_t lock;
  int count, key[room], value[room];
};
static struct stripe map[stripes];
static int number[threads];

static struct stripe* stripe_of(int key) { return &map[key % stripes]; }

static void put(int key, int value) {
  struct stripe* s = stripe_of(key);
  pthread_mutex_lock(&s->lock);
  int i = 0;
  while (i < s->count && s->key[i] != key) ++i;
  if (i == s->count) s->count++;
  s->key[i] = key;
  s->value[i] = value;
  pthread_mutex_unlock(&s->lock);
}

static int get(int key) {
  struct stripe* s = stripe_of(key);
  pthread_mutex_lock(&s->lock);
  int value = 0;
  for (int i = 0; i < s->count; ++i) {
    if (s->key[i] == key) value = s->value[i];
  }
  pthread_mutex_unlock(&s->lock);
  return value;
}

static void* run(void* argument) {
  int t = *(int*)argument;
  for (int c = 0; c < CALLS; ++c) {
    int key = (t + c) % 4;
    if (c % 2 == 0) {
      put(key, 10 * key + t);
    } else {
      int value = get(key);
      assert(value == 0 || value / 10 == key);
    }
  }
  return NULL;
}

int main(void) {
#ifndef NOTHING
  for (int s = 0; s < stripes; ++s) pthread_mutex_init(&map[s].lock, NULL);
  pthread_t thread[threads];
  for (int t = 0; t < threads; ++t) {
    number[t] = t;
    pthread_create(&thread[t], NULL, run, &number[t]);
  }
  for (int t = 0; t < threads; ++t) pthread_join(thread[t], NULL);
#endif
  return 0;
}
