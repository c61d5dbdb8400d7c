// Recursive and error-checking mutexes, read-write locks, spin locks, barriers, semaphores, once, keys.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static sem_t semaphore;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int shared, initialised, destroyed, serial;
static __thread int own = 5;

static void initialise(void) { ++initialised; }
static void destroy(void* value) {
  pthread_spin_lock(&spin);
  destroyed += *(int*)value;
  pthread_spin_unlock(&spin);
  free(value);
}

static void* work(void* argument) {
  const int me = (int)(long)argument;
  own += me;
  pthread_once(&once, initialise);
  int* value = malloc(sizeof *value);
  *value = me + 10;
  pthread_setspecific(key, value);
  pthread_rwlock_rdlock(&rwlock);
  const int before = shared;
  pthread_rwlock_unlock(&rwlock);
  pthread_rwlock_wrlock(&rwlock);
  shared += 1 + 0 * before;
  pthread_rwlock_unlock(&rwlock);
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
    pthread_spin_lock(&spin);
    ++serial;
    pthread_spin_unlock(&spin);
  }
  sem_post(&semaphore);
  return (void*)(long)(own + *(int*)pthread_getspecific(key));
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutex_t recursive, checking;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&recursive, &attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checking, &attributes);
  printf("%d %d ", pthread_mutex_lock(&recursive), pthread_mutex_lock(&recursive));
  printf("%d %d\n", pthread_mutex_unlock(&recursive), pthread_mutex_unlock(&recursive));
  printf("%d %d ", pthread_mutex_lock(&checking), pthread_mutex_lock(&checking) == EDEADLK);
  printf("%d %d\n", pthread_mutex_unlock(&checking), pthread_mutex_unlock(&checking) == EPERM);
  printf("%d %d\n", pthread_mutex_trylock(&checking), pthread_mutex_trylock(&checking) == EBUSY);
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  pthread_barrier_init(&barrier, NULL, 3);
  sem_init(&semaphore, 0, 0);
  pthread_key_create(&key, destroy);
  pthread_t threads[3];
  for (long i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, work, (void*)i);
  for (int i = 0; i < 3; ++i) sem_wait(&semaphore);
  long sum = 0;
  for (int i = 0; i < 3; ++i) {
    void* result = NULL;
    pthread_join(threads[i], &result);
    sum += (long)result;
  }
  int value = -1;
  sem_getvalue(&semaphore, &value);
  printf("%d %d %d %d %ld %d %d\n", shared, initialised, destroyed, serial, sum, own, value);
  printf("%d\n", sem_trywait(&semaphore) == -1 && errno == EAGAIN);
  return 0;
}
