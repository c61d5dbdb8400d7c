// What Heddle's machine does for the runtime, and what the files of the runtime have in common. The numbers are those
// of src/native/machine.h.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define HEDDLE_BOOL bool
#define HEDDLE_NORETURN [[noreturn]]
#else
#define HEDDLE_BOOL _Bool
#define HEDDLE_NORETURN _Noreturn
#endif

enum { heddle_malloc = 1, heddle_new = 2, heddle_new_array = 3 };
enum {
  heddle_access = 0,
  heddle_acquire = 1,
  heddle_release = 2,
  heddle_try_acquire = 3,
  heddle_wait = 4,
  heddle_notify = 5,
  heddle_spawns = 6,
  heddle_other = 7,
};
enum {
  heddle_assertion = 0,
  heddle_memory = 1,
  heddle_terminate = 4,
  heddle_unsupported = 5,
};
enum { heddle_max_threads = 30 };

// Null for more than PTRDIFF_MAX bytes of heddle_malloc.
void* __heddle_alloc(size_t bytes, uint32_t kind);
void __heddle_free(void* object, uint32_t kind);
size_t __heddle_size(const void* object);
uint32_t __heddle_spawn(void* (*function)(void*), void* argument);
uint32_t __heddle_self(void);  // a number
// The calling thread as a word, which is not 0, and the set that has it as its only member (locks.h).
typedef uint64_t heddle_name;
typedef uint64_t heddle_set;
heddle_name __heddle_me(void);
heddle_set __heddle_only_me(void);
HEDDLE_BOOL __heddle_ended(uint32_t thread);
void __heddle_joined(uint32_t thread);
void __heddle_atomic_begin(uint32_t pending);
void __heddle_atomic_end(void);
void __heddle_await(HEDDLE_BOOL condition);
// The same; nobody but `thread` can make the condition true.
void __heddle_await_thread(HEDDLE_BOOL condition, uint32_t thread);
uint32_t __heddle_choose(uint32_t alternatives);
HEDDLE_NORETURN void __heddle_error(uint32_t failure, const char* text, ...);
void __heddle_print(const char* bytes, size_t count);
HEDDLE_NORETURN void __heddle_exit(int code);
void __heddle_yield(void);
// Ends the calling thread, whatever it is in the middle of.
HEDDLE_NORETURN void __heddle_end(void);

// Of this runtime.
uint32_t __heddle_start_thread(void* (*function)(void*), void* argument);  // a number, or 0xFFFFFFFF
void __heddle_join_thread(uint32_t thread);
// A thread has waited in vain until its time was over, or has slept; what clocks tell (time.c).
void __heddle_time_passes(void);
long __heddle_now(void);
long __heddle_futex_wait(int* address, int expected, int timed);  // 0, or -1 and errno
long __heddle_futex_wake(int* address, int most);
HEDDLE_NORETURN void __heddle_finish(int code);
HEDDLE_NORETURN void __heddle_trap(void);

#ifdef __cplusplus
}
#endif
