// Vectors of GCC's extension: arithmetic, comparisons, shuffles, through memory.
#include <stdio.h>

typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef unsigned char b16 __attribute__((vector_size(16)));

static v4 blend(v4 a, v4 b, v4 mask) { return (a & mask) | (b & ~mask); }

int main(void) {
  v4 a = {1, 2, 3, 4}, b = {5, 6, 7, 8};
  const v4 c = a * b + (a > 2);
  f4 f = {1.5f, 2, 3, 4};
  f = f * f - 1;
  const v4 s = __builtin_shufflevector(a, b, 0, 5, 2, 7);
  const v4 m = blend(a, b, a < 3);
  union {
    v4 words;
    b16 bytes;
  } view = {c};
  int sum = 0;
  for (int i = 0; i < 16; ++i) sum += view.bytes[i];
  for (int i = 0; i < 4; ++i) a[i] = b[3 - i] >> i;
  printf("%d %d %d %d %g %d %d %d\n", c[0], c[1], c[2], c[3], f[2], s[1] + s[3], m[3], sum);
  return a[0] * 10 + a[3];
}
