// The rest of POSIX threads: attributes, spin locks, semaphores, barriers, read-write locks, keys, once, exit, detach.
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, checked, recursive;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER, arrived = PTHREAD_COND_INITIALIZER;
static sem_t items, room;
static int counter, inits, destroyed, serial, ring[2], sum, waiting;

static void init(void) { ++inits; }
static void destroy(void* value) {
  pthread_mutex_lock(&plain);
  destroyed += *(int*)value;
  pthread_mutex_unlock(&plain);
  free(value);
}

static void leave(void) { pthread_exit((void*)(intptr_t)42); }

static void* work(void* argument) {
  const int me = (int)(intptr_t)argument;
  pthread_once(&once, init);
  int* own = malloc(sizeof *own);
  *own = me;
  pthread_setspecific(key, own);
  for (int i = 0; i < 2; ++i) {
    pthread_spin_lock(&spin);
    counter += me;
    pthread_spin_unlock(&spin);
  }
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) ++serial;
  pthread_rwlock_rdlock(&rwlock);
  const int seen = counter;
  pthread_rwlock_unlock(&rwlock);
  if (*(int*)pthread_getspecific(key) != me) abort();
  if (me == 2) leave();
  return (void*)(intptr_t)seen;
}

static void* produce(void* unused) {
  for (int i = 1; i <= 3; ++i) {
    sem_wait(&room);
    ring[i % 2] = i;
    sem_post(&items);
  }
  return unused;
}

static void* wait_for_it(void* unused) {
  pthread_mutex_lock(&plain);
  waiting = 1;
  pthread_cond_signal(&arrived);
  struct timespec until = {.tv_sec = 0, .tv_nsec = 0};
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 1;
  while (waiting == 1) {
    const int how = pthread_cond_timedwait(&condition, &plain, &until);
    if (how != 0 && how != ETIMEDOUT) abort();
    if (how == ETIMEDOUT) until.tv_sec += 1;
  }
  pthread_mutex_unlock(&plain);
  return unused;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checked, &attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&recursive, &attributes);
  pthread_mutexattr_destroy(&attributes);
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_key_create(&key, destroy);
  sem_init(&items, 0, 0);
  sem_init(&room, 0, 2);

  pthread_attr_t how;
  pthread_attr_init(&how);
  pthread_attr_setdetachstate(&how, PTHREAD_CREATE_JOINABLE);
  pthread_attr_setstacksize(&how, 1 << 20);
  pthread_t a, b;
  pthread_create(&a, &how, work, (void*)1);
  pthread_create(&b, NULL, work, (void*)2);
  pthread_attr_destroy(&how);
  void *from_a, *from_b;
  pthread_join(a, &from_a);
  pthread_join(b, &from_b);

  pthread_create(&a, NULL, produce, NULL);
  for (int i = 1; i <= 3; ++i) {
    sem_wait(&items);
    sum += ring[i % 2];
    sem_post(&room);
  }
  pthread_join(a, NULL);
  int left = -1;
  sem_getvalue(&room, &left);
  const int tried = sem_trywait(&items) == -1 && errno == EAGAIN;

  pthread_create(&a, NULL, wait_for_it, NULL);
  pthread_mutex_lock(&plain);
  while (waiting == 0) pthread_cond_wait(&arrived, &plain);
  waiting = 2;
  pthread_cond_broadcast(&condition);
  pthread_mutex_unlock(&plain);
  sched_yield();
  pthread_join(a, NULL);

  const int foreign = pthread_mutex_unlock(&checked);
  pthread_mutex_lock(&checked);
  const int twice = pthread_mutex_lock(&checked), busy = pthread_mutex_trylock(&plain);
  pthread_mutex_unlock(&checked);
  pthread_mutex_lock(&recursive);
  const int again = pthread_mutex_trylock(&recursive);
  pthread_mutex_unlock(&recursive);
  pthread_mutex_unlock(&recursive);
  const int writes = pthread_rwlock_trywrlock(&rwlock), reads = pthread_rwlock_tryrdlock(&rwlock);
  pthread_rwlock_unlock(&rwlock);
  printf("%d %d %d %d %d %d %d\n", counter, inits, destroyed, serial, (int)(intptr_t)from_a, (int)(intptr_t)from_b,
         sum);
  printf("%d %d %d %d %d %d %d %d %d\n", left, tried, foreign == EPERM, twice == EDEADLK, busy == 0, again, writes,
         reads == EBUSY, pthread_equal(pthread_self(), pthread_self()) != 0);
  pthread_barrier_destroy(&barrier);
  pthread_spin_destroy(&spin);
  sem_destroy(&items);
  pthread_key_delete(key);
  return 0;
}
