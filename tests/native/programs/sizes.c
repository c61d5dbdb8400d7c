// Arrays of variable length, alloca, complex numbers, compound literals, expressions of statements, _Generic.
#include <alloca.h>
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define kind(x) _Generic((x), int: "int", double: "double", char*: "text", default: "other")

static int sum(int n, int a[n][n]) {
  int s = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) s += a[i][j];
  }
  return s;
}
struct flexible {
  int count;
  double values[];
};

int main(int argc, char** argv) {
  (void)argv;
  const int n = argc + 3;
  int a[n][n];
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) a[i][j] = i * j - (i == j);
    char* row = alloca((size_t)i + 2);
    memset(row, 'a' + i, (size_t)i + 1);
    row[i + 1] = '\0';
    puts(row);
  }
  double complex z = 1 + 2 * I;
  z *= z;
  int* q = &(int){5};
  const int w = ({
    int t = n;
    t * 2;
  });
  struct flexible* f = alloca(sizeof *f + 3 * sizeof(double));
  f->count = 3;
  for (int i = 0; i < f->count; ++i) f->values[i] = 1.0 / (i + 1);
  int exponent = 0;
  double whole = 0;
  const double part = frexp(12.75, &exponent), rest = modf(-3.25, &whole);
  printf("%d %g %g %d %d %zu %g\n", sum(n, a), creal(z), cimag(z), *q, w, sizeof a, f->values[2]);
  printf("%g %d %g %g %s %s %s %s\n", part, exponent, whole, rest, kind(1), kind(2.0), kind((char*)0), kind(1L));
  return (int)cabs(3 + 4 * I);
}
