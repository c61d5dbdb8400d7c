// Bits, overflow, shifts and conversions at their edges, by builtins and by hand.
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  const uint64_t values[] = {1, 2, 3, 0x80, 0xFF00, 0x80000000, 0x8000000000000000, 0x123456789ABCDEF, UINT64_MAX};
  uint64_t hash = 7;
  for (int i = 0; i < 9; ++i) {
    const uint64_t v = values[i];
    hash = hash * 1099511628211u + (unsigned)__builtin_popcountll(v);
    hash = hash * 31 + (unsigned)__builtin_clzll(v) * 64u + (unsigned)__builtin_ctzll(v);
    hash ^= __builtin_bswap64(v) + __builtin_bswap32((uint32_t)v) + __builtin_bswap16((uint16_t)v);
    hash += __builtin_rotateleft64(v, 13) ^ __builtin_rotateright32((uint32_t)v, 5);
    hash += (unsigned)__builtin_parityll(v) + (unsigned)__builtin_ffsll((long long)v);
    int a = 0;
    long b = 0;
    unsigned c = 0;
    hash = hash * 3 + (unsigned)__builtin_add_overflow((int)v, INT_MAX, &a) + (unsigned)a;
    hash = hash * 3 + (unsigned)__builtin_mul_overflow((long)v, 3L, &b) + (uint64_t)b;
    hash = hash * 3 + (unsigned)__builtin_sub_overflow((unsigned)v, 5u, &c) + c;
    hash += (uint64_t)((int64_t)v >> 3) + (uint64_t)(int8_t)v + (uint64_t)(int16_t)v;
  }
  printf("%" PRIx64 "\n", hash);
  __int128 big = ((__int128)INT64_MAX + 5) * -3;
  unsigned __int128 huge = (unsigned __int128)big >> 60;
  printf("%lld %llu %lld\n", (long long)(big / 1000000007), (unsigned long long)huge, (long long)(big % 97));
  printf("%d %u %ld\n", (int)-3.99e8f, (unsigned)4e9, (long)-1.5e18);
  printf("%d %d %d\n", (signed char)200, (short)70000, (int)0x1FFFFFFFFull);
  printf("%d\n", abs(-5) + (int)labs(-6L));
  return (int)(hash % 251);
}
