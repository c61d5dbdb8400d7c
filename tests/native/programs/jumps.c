// goto, switch in strange places, loops that are left in the middle, recursion, comma, conditional operators.
#include <stdio.h>
#include <stdlib.h>

static int duff(char* to, const char* from, int count) {
  int rounds = (count + 3) / 4, copied = 0;
  switch (count % 4) {
    case 0: do { *to++ = *from++, ++copied;
    case 3:      *to++ = *from++, ++copied;
    case 2:      *to++ = *from++, ++copied;
    case 1:      *to++ = *from++, ++copied;
            } while (--rounds > 0);
  }
  return copied;
}
static int collatz(unsigned long n) {
  int steps = 0;
again:
  if (n == 1) return steps;
  n = n % 2 ? 3 * n + 1 : n / 2;
  ++steps;
  goto again;
}
static unsigned ackermann(unsigned m, unsigned n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
static int is_odd(int n);
static int is_even(int n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(int n) { return n == 0 ? 0 : is_even(n - 1); }
static const char* name(long long x) {
  switch (x) {
    case -1: return "minus one";
    case 0 ... 9: return "digit";
    case 1LL << 40: return "large";
    default:
      if (x < 0) return "negative";
    case 100: return "hundred or more";
  }
}
static int find(int wanted) {
  for (int i = 0; i < 10; ++i) {
    for (int j = 0; j < 10; ++j) {
      if (i == j) continue;
      if (i * j == wanted) {
        printf("%d*%d ", i, j);
        goto found;
      }
      if (j > 7) break;
    }
  }
  return 0;
found:
  return wanted;
}
static int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

int main(void) {
  char to[20] = {0};
  const int n = duff(to, "hello, world", 11);
  printf("%s %d\n", to, n);
  printf("%d %u %d %d\n", collatz(27), ackermann(2, 3), is_even(20), is_odd(15));
  printf("%s %s %s %s %s\n", name(-1), name(7), name(1LL << 40), name(-9), name(55));
  printf("%d\n", find(42));
  int list[30], key = 12;
  for (int i = 0; i < 30; ++i) list[i] = (i * 7 + 3) % 31;
  qsort(list, 30, sizeof *list, compare);
  int* at = bsearch(&key, list, 30, sizeof *list, compare);
  printf("%d %d\n", at ? (int)(at - list) : -1, list[29]);
  int x = 3, y = (x++, x *= 2, x--);
  do {
    if (x > 20) break;
    x += y;
  } while (x % 3);
  return x;
}
