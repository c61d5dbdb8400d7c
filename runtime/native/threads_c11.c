// <threads.h> of C11, over POSIX threads.
#include <errno.h>
#include <pthread.h>
#include <threads.h>

#include "heddle_runtime.h"

struct c11_start {
  thrd_start_t function;
  void* argument;
};

static void* run_c11_thread(void* record) {
  struct c11_start* start = record;
  const struct c11_start copy = *start;
  __heddle_free(start, heddle_malloc);
  return (void*)(long)copy.function(copy.argument);
}

int thrd_create(thrd_t* thread, thrd_start_t function, void* argument) {
  struct c11_start* start = __heddle_alloc(sizeof *start, heddle_malloc);
  start->function = function;
  start->argument = argument;
  return pthread_create(thread, NULL, run_c11_thread, start) == 0 ? thrd_success : thrd_error;
}
int thrd_join(thrd_t thread, int* result) {
  void* value = NULL;
  pthread_join(thread, &value);
  if (result != NULL) *result = (int)(long)value;
  return thrd_success;
}
int thrd_detach(thrd_t thread) { return pthread_detach(thread); }
thrd_t thrd_current(void) { return pthread_self(); }
int thrd_equal(thrd_t a, thrd_t b) { return a == b; }
void thrd_exit(int result) { pthread_exit((void*)(long)result); }
void thrd_yield(void) { __heddle_yield(); }
int thrd_sleep(const struct timespec* duration, struct timespec* left) {
  (void)duration;
  (void)left;
  return 0;
}

static int c11_result(int error) {
  if (error == 0) return thrd_success;
  if (error == EBUSY) return thrd_busy;
  return error == ETIMEDOUT ? thrd_timedout : thrd_error;
}

int mtx_init(mtx_t* mutex, int kind) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  if (kind & mtx_recursive) pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  return c11_result(pthread_mutex_init((pthread_mutex_t*)mutex, &attributes));
}
void mtx_destroy(mtx_t* mutex) { pthread_mutex_destroy((pthread_mutex_t*)mutex); }
int mtx_lock(mtx_t* mutex) { return c11_result(pthread_mutex_lock((pthread_mutex_t*)mutex)); }
int mtx_trylock(mtx_t* mutex) { return c11_result(pthread_mutex_trylock((pthread_mutex_t*)mutex)); }
int mtx_timedlock(mtx_t* mutex, const struct timespec* until) {
  return c11_result(pthread_mutex_timedlock((pthread_mutex_t*)mutex, until));
}
int mtx_unlock(mtx_t* mutex) { return c11_result(pthread_mutex_unlock((pthread_mutex_t*)mutex)); }

int cnd_init(cnd_t* condition) { return c11_result(pthread_cond_init((pthread_cond_t*)condition, NULL)); }
void cnd_destroy(cnd_t* condition) { pthread_cond_destroy((pthread_cond_t*)condition); }
int cnd_signal(cnd_t* condition) { return c11_result(pthread_cond_signal((pthread_cond_t*)condition)); }
int cnd_broadcast(cnd_t* condition) { return c11_result(pthread_cond_broadcast((pthread_cond_t*)condition)); }
int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  return c11_result(pthread_cond_wait((pthread_cond_t*)condition, (pthread_mutex_t*)mutex));
}
int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const struct timespec* until) {
  return c11_result(pthread_cond_timedwait((pthread_cond_t*)condition, (pthread_mutex_t*)mutex, until));
}

int tss_create(tss_t* key, tss_dtor_t destructor) { return c11_result(pthread_key_create(key, destructor)); }
void tss_delete(tss_t key) { pthread_key_delete(key); }
void* tss_get(tss_t key) { return pthread_getspecific(key); }
int tss_set(tss_t key, void* value) { return c11_result(pthread_setspecific(key, value)); }
void call_once(once_flag* flag, void (*function)(void)) { pthread_once((pthread_once_t*)flag, function); }
