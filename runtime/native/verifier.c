// Names that verification competitions and Heddle's own header use.
#include "heddle_runtime.h"

// A number of the range that the user has given.
int64_t __heddle_nondet(void);

#define HEDDLE_CHOICE(type, name) \
  type __VERIFIER_nondet_##name(void) { return (type)__heddle_nondet(); }
HEDDLE_CHOICE(char, char)
HEDDLE_CHOICE(signed char, schar)
HEDDLE_CHOICE(unsigned char, uchar)
HEDDLE_CHOICE(unsigned char, unchar)
HEDDLE_CHOICE(short, short)
HEDDLE_CHOICE(unsigned short, ushort)
HEDDLE_CHOICE(int, int)
HEDDLE_CHOICE(unsigned, uint)
HEDDLE_CHOICE(unsigned, unsigned)
HEDDLE_CHOICE(long, long)
HEDDLE_CHOICE(unsigned long, ulong)
HEDDLE_CHOICE(long long, longlong)
HEDDLE_CHOICE(unsigned long long, ulonglong)
HEDDLE_CHOICE(__int128, int128)
HEDDLE_CHOICE(unsigned __int128, uint128)
HEDDLE_CHOICE(size_t, size_t)
HEDDLE_CHOICE(int64_t, loff_t)
HEDDLE_CHOICE(uint64_t, sector_t)
HEDDLE_CHOICE(int8_t, s8)
HEDDLE_CHOICE(uint8_t, u8)
HEDDLE_CHOICE(int16_t, s16)
HEDDLE_CHOICE(uint16_t, u16)
HEDDLE_CHOICE(int32_t, s32)
HEDDLE_CHOICE(uint32_t, u32)
HEDDLE_CHOICE(int64_t, s64)
HEDDLE_CHOICE(uint64_t, u64)
HEDDLE_CHOICE(unsigned long, pthread_t)
HEDDLE_CHOICE(float, float)
HEDDLE_CHOICE(double, double)

_Bool __VERIFIER_nondet_bool(void) { return __heddle_choose(2) != 0; }
// A pointer that nobody gave is null: any other would be an error to use.
void* __VERIFIER_nondet_pointer(void) { return 0; }
char* __VERIFIER_nondet_pchar(void) { return 0; }

// What does not hold for sure is not explored further: the process ends, and that is not an error.
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
