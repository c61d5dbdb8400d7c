// Threads of POSIX. A thread's number is that of the machine; pthread_t is the number plus one, since zero is not a
// thread.
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

#include "heddle_runtime.h"

// Made by heddle-lower for each program.
extern void __heddle_leave_thread(void);

struct start {
  void* (*function)(void*);
  void* argument;
};

// What thread functions have returned, unless it is null, by number, until somebody has waited for the thread. The number
// may then be that of another one.
static void* results[heddle_max_threads];

static void leave_result(void* result) {
  if (result == NULL) return;
  __heddle_atomic_begin(heddle_other);
  results[__heddle_self()] = result;
  __heddle_atomic_end();
}

static void* run_thread(void* record) {
  struct start* start = record;
  void* (*function)(void*) = start->function;
  void* argument = start->argument;
  __heddle_free(start, heddle_malloc);
  void* result = function(argument);
  __heddle_leave_thread();
  leave_result(result);
  return NULL;
}

uint32_t __heddle_start_thread(void* (*function)(void*), void* argument) {
  struct start* start = __heddle_alloc(sizeof *start, heddle_malloc);
  start->function = function;
  start->argument = argument;
  return __heddle_spawn(run_thread, start);
}

void __heddle_join_thread(uint32_t thread) {
  __heddle_atomic_begin(heddle_wait);
  __heddle_await_thread(__heddle_ended(thread), thread);
  __heddle_joined(thread);
  __heddle_atomic_end();
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*function)(void*), void* argument) {
  (void)attributes;
  const uint32_t number = __heddle_start_thread(function, argument);
  if (number == UINT32_MAX) return EAGAIN;
  *thread = (pthread_t)number + 1;
  return 0;
}

int pthread_join(pthread_t thread, void** result) {
  if (thread == 0 || thread > heddle_max_threads) __heddle_error(heddle_memory, "joins what is no thread");
  const uint32_t number = (uint32_t)thread - 1;
  if (number == __heddle_self()) return EDEADLK;
  __heddle_atomic_begin(heddle_wait);
  __heddle_await_thread(__heddle_ended(number), number);
  __heddle_joined(number);
  void* value = results[number];
  if (value != NULL) results[number] = NULL;
  __heddle_atomic_end();
  if (result != NULL) *result = value;
  return 0;
}

int pthread_detach(pthread_t thread) {
  (void)thread;
  return 0;
}

pthread_t pthread_self(void) { return (pthread_t)__heddle_self() + 1; }
int pthread_equal(pthread_t a, pthread_t b) { return a == b; }

void pthread_exit(void* result) {
  __heddle_leave_thread();
  leave_result(result);
  __heddle_end();
}

int pthread_attr_init(pthread_attr_t* attributes) {
  __builtin_memset(attributes, 0, sizeof *attributes);
  return 0;
}
int pthread_attr_destroy(pthread_attr_t* attributes) {
  (void)attributes;
  return 0;
}
int pthread_attr_setdetachstate(pthread_attr_t* attributes, int state) {
  (void)attributes;
  (void)state;
  return 0;
}
int pthread_attr_setstacksize(pthread_attr_t* attributes, size_t bytes) {
  (void)attributes;
  (void)bytes;
  return 0;
}
int pthread_attr_setscope(pthread_attr_t* attributes, int scope) {
  (void)attributes;
  (void)scope;
  return 0;
}
int pthread_setname_np(pthread_t thread, const char* name) {
  (void)thread;
  (void)name;
  return 0;
}
int pthread_setconcurrency(int level) {
  (void)level;
  return 0;
}
int pthread_setcancelstate(int state, int* old) {
  (void)state;
  if (old != NULL) *old = PTHREAD_CANCEL_ENABLE;
  return 0;
}
int sched_yield(void) {
  __heddle_time_passes();
  __heddle_yield();
  return 0;
}
int pthread_yield(void) {
  __heddle_yield();
  return 0;
}

// 0: never called, 1: running, 2: done.
int pthread_once(pthread_once_t* once, void (*function)(void)) {
  __heddle_atomic_begin(heddle_acquire);
  __heddle_await(*once != 1);
  const int first = *once == 0;
  if (first) *once = 1;
  __heddle_atomic_end();
  if (!first) return 0;
  function();
  __heddle_atomic_begin(heddle_notify);
  *once = 2;
  __heddle_atomic_end();
  return 0;
}
