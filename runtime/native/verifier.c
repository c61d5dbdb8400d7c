// Names that verification competitions and Heddle's own header use.
#include "heddle_runtime.h"

// How many values a choice of an integer has: 0 to __heddle_nondet_values - 1. A program may set it.
uint32_t __heddle_nondet_values __attribute__((weak)) = 3;

#define HEDDLE_CHOICE(type, name) \
  type __VERIFIER_nondet_##name(void) { return (type)__heddle_choose(__heddle_nondet_values); }
HEDDLE_CHOICE(char, char)
HEDDLE_CHOICE(signed char, schar)
HEDDLE_CHOICE(unsigned char, uchar)
HEDDLE_CHOICE(short, short)
HEDDLE_CHOICE(unsigned short, ushort)
HEDDLE_CHOICE(int, int)
HEDDLE_CHOICE(unsigned, uint)
HEDDLE_CHOICE(unsigned, unsigned)
HEDDLE_CHOICE(long, long)
HEDDLE_CHOICE(unsigned long, ulong)
HEDDLE_CHOICE(long long, longlong)
HEDDLE_CHOICE(unsigned long long, ulonglong)
HEDDLE_CHOICE(size_t, size_t)

_Bool __VERIFIER_nondet_bool(void) { return __heddle_choose(2) != 0; }

// What does not hold for sure is not explored further: the process ends, and that is no error.
void __VERIFIER_assume(int condition) {
  if (!condition) __heddle_exit(0);
}

void __VERIFIER_atomic_begin(void) { __heddle_atomic_begin(heddle_access); }
void __VERIFIER_atomic_end(void) { __heddle_atomic_end(); }

void __VERIFIER_assert(int condition) {
  if (!condition) __heddle_error(heddle_assertion, "__VERIFIER_assert fails");
}
void __VERIFIER_error(void) { __heddle_error(heddle_assertion, "calls __VERIFIER_error()"); }
void reach_error(void) { __heddle_error(heddle_assertion, "calls reach_error()"); }
