// Where a program begins and how it ends: constructors, main, handlers of atexit, exit.
#include <stdlib.h>

#include "heddle_runtime.h"

// Made by heddle-lower for each program.
extern int __heddle_main(int argc, char** argv, char** envp);
extern void __heddle_constructors(void);
extern void __heddle_destructors(void);
extern void __heddle_leave_thread(void);

struct exit_handler {
  void (*function)(void*);
  void* argument;
  struct exit_handler* next;
};

static struct exit_handler* exit_handlers;        // the latest first
static struct exit_handler* quick_exit_handlers;  // of at_quick_exit
static _Thread_local struct exit_handler* thread_handlers;

static void add(struct exit_handler** list, void (*function)(void*), void* argument) {
  struct exit_handler* handler = __heddle_alloc(sizeof *handler, heddle_malloc);
  handler->function = function;
  handler->argument = argument;
  __heddle_atomic_begin(heddle_other);
  handler->next = *list;
  *list = handler;
  __heddle_atomic_end();
}

static void run(struct exit_handler** list) {
  for (;;) {
    __heddle_atomic_begin(heddle_other);
    struct exit_handler* handler = *list;
    if (handler != NULL) *list = handler->next;
    __heddle_atomic_end();
    if (handler == NULL) return;
    handler->function(handler->argument);
    __heddle_free(handler, heddle_malloc);
  }
}

static void call_without_argument(void* function) { ((void (*)(void))function)(); }

int __cxa_atexit(void (*function)(void*), void* argument, void* dso) {
  (void)dso;
  add(&exit_handlers, function, argument);
  return 0;
}

void __cxa_finalize(void* dso) { (void)dso; }

int atexit(void (*function)(void)) {
  add(&exit_handlers, call_without_argument, (void*)function);
  return 0;
}

int at_quick_exit(void (*function)(void)) {
  add(&quick_exit_handlers, call_without_argument, (void*)function);
  return 0;
}

// Destructors of thread-local variables.
int __cxa_thread_atexit(void (*function)(void*), void* argument, void* dso) {
  (void)dso;
  struct exit_handler* handler = __heddle_alloc(sizeof *handler, heddle_malloc);
  handler->function = function;
  handler->argument = argument;
  handler->next = thread_handlers;
  thread_handlers = handler;
  return 0;
}

int __cxa_thread_atexit_impl(void (*function)(void*), void* argument, void* dso) {
  return __cxa_thread_atexit(function, argument, dso);
}

void __heddle_run_thread_handlers(void) {
  while (thread_handlers != NULL) {
    struct exit_handler* handler = thread_handlers;
    thread_handlers = handler->next;
    handler->function(handler->argument);
    __heddle_free(handler, heddle_malloc);
  }
}

void __heddle_run_exit_handlers(void) { run(&exit_handlers); }

void __heddle_finish(int code) {
  __heddle_leave_thread();
  __heddle_destructors();
  __heddle_exit(code);
}

void exit(int code) { __heddle_finish(code); }
void _exit(int code) { __heddle_exit(code); }
void _Exit(int code) { __heddle_exit(code); }

void quick_exit(int code) {
  run(&quick_exit_handlers);
  __heddle_exit(code);
}

void abort(void) { __heddle_error(heddle_terminate, "calls abort()"); }
void __heddle_trap(void) { __heddle_error(heddle_terminate, "executes a trap, as __builtin_trap() does"); }

void __assert_fail(const char* expression, const char* file, unsigned line, const char* function) {
  (void)file;
  (void)line;
  (void)function;
  __heddle_error(heddle_assertion, "assert(%s) fails", expression);
}

void __assert_perror_fail(int error, const char* file, unsigned line, const char* function) {
  (void)file;
  (void)line;
  (void)function;
  __heddle_error(heddle_assertion, "assert_perror(%d) fails", error);
}

void __assert(const char* expression, const char* file, int line) {
  (void)file;
  (void)line;
  __heddle_error(heddle_assertion, "assert(%s) fails", expression);
}

void __heddle_start(void) {
  static char name[] = "program";
  static char* arguments[] = {name, NULL};
  static char* environment[] = {NULL};
  __heddle_constructors();
  __heddle_finish(__heddle_main(1, arguments, environment));
}

// Declared differently by compilers; what it returns is never caught.
void* __cxa_init_primary_exception(void* object, void* type, void (*destructor)(void*)) {
  (void)type;
  (void)destructor;
  return object;
}
