// Integers of all sizes, shifts, conversions, floating point, wide integers.
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

static uint64_t mix(uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 29;
  return x;
}

static void integers(int a, int b) {
  printf("%d %d %d %d %d\n", a + b, a - b, a * b, b ? a / b : 0, b ? a % b : 0);
  printf("%u %u %u\n", (unsigned)a >> 3, (unsigned)a << 5, (unsigned)a / 7u);
  printf("%d %d %d %d\n", a >> 2, a & b, a | b, a ^ ~b);
  printf("%d%d%d%d\n", a < b, a <= b, a == b, (unsigned)a < (unsigned)b);
}

static void narrow(int x) {
  int8_t a = (int8_t)x;
  uint8_t b = (uint8_t)x;
  int16_t c = (int16_t)(x * 3);
  uint16_t d = (uint16_t)(x * 3);
  a += 100;
  b += 200;
  printf("%d %d %d %d %d\n", a, b, c, d, (int)(bool)x);
}

static void wide(void) {
  __int128 x = (__int128)INT64_MAX * 12345;
  x = x / 77 + (x << 3) - (x >> 5);
  unsigned __int128 y = (unsigned __int128)x * 3;
  printf("%llx %llx %d %d\n", (unsigned long long)(y >> 64), (unsigned long long)y, x > 0, y > (unsigned __int128)x);
  x = -x % 1000007;
  printf("%lld\n", (long long)x);
}

static void floating(double x) {
  float f = (float)x;
  long double l = (long double)x * 3.0L;
  printf("%.6f %.3e %g %d %u\n", x / 3, x * 1e10, (double)f, (int)x, (unsigned)(x < 0 ? -x : x));
  printf("%.4Lf %d %d %d\n", l / 7, x < 2.5, x != x, (int)(l + 0.5L));
  printf("%.6f %.6f %.6f %.6f\n", sqrt(fabs(x)), floor(x), ceil(x), fmod(x, 1.7));
  printf("%.6f %.6f %.6f\n", sin(x), pow(2.0, x / 100), exp(-fabs(x)));
}

int main(void) {
  const int samples[] = {0, 1, -1, 7, -13, 1000, -99999, INT_MAX};
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 8; j += 3) {
      if (samples[i] == INT_MAX && samples[j] > 1) continue;
      integers(samples[i] / 100, samples[j] / 100);
    }
    narrow(samples[i]);
    floating(samples[i] / 3.0);
  }
  wide();
  printf("%d %d %d %d\n", __builtin_popcount(0xF0F1), __builtin_clz(4096), __builtin_ctzll(1ull << 40),
         __builtin_bswap32(0x01020304));
  int sum;
  printf("%d ", __builtin_add_overflow(INT_MAX, 1, &sum));
  printf("%d\n", __builtin_mul_overflow(1 << 20, 1 << 5, &sum));
  uint64_t h = 1;
  for (int i = 0; i < 1000; ++i) h = mix(h + (uint64_t)i);
  printf("%llu\n", (unsigned long long)h);
  return (int)(h % 100);
}
