// A bounded queue with a mutex and condition variables.
#include <pthread.h>
#include <stdio.h>

enum { capacity = 2, items = 5 };
static int buffer[capacity], count, first, total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;

static void* produce(void* unused) {
  (void)unused;
  for (int i = 1; i <= items; ++i) {
    pthread_mutex_lock(&lock);
    while (count == capacity) pthread_cond_wait(&not_full, &lock);
    buffer[(first + count++) % capacity] = i;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
  }
  return (void*)7;
}

static void* consume(void* unused) {
  (void)unused;
  for (int i = 0; i < items; ++i) {
    pthread_mutex_lock(&lock);
    while (count == 0) pthread_cond_wait(&not_empty, &lock);
    total += buffer[first];
    first = (first + 1) % capacity;
    --count;
    pthread_cond_broadcast(&not_full);
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  pthread_t producer, consumer;
  pthread_create(&producer, NULL, produce, NULL);
  pthread_create(&consumer, NULL, consume, NULL);
  void* result = NULL;
  pthread_join(producer, &result);
  pthread_join(consumer, NULL);
  printf("total %d result %ld\n", total, (long)result);
  pthread_mutex_destroy(&lock);
  return total;
}
