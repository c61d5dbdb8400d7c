// Values that nobody has given a value. Each case is a run of its own; "finds KIND: text" says what must be found at that
// line, and a case without it must end well (findings_test.cpp).
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern unsigned __heddle_choose(unsigned);

struct pair {
  char small;
  int large;
};
struct bits {
  unsigned a : 3, b : 5, c : 9;
};
static int table[4];
static volatile int zero;

static void heap_branch(void) {
  int* p = malloc(2 * sizeof *p);
  p[0] = 1;
  if (p[1] > 3) puts("?");  // finds uninitialised: a branch depends on uninitialised memory: 4 bytes at offset 4 of a heap object of 8 bytes, made at uninitialised.c:23
}
static int pick(int way) {
  int x;
  if (way) x = 5;
  return x;
}
static void forgotten_path(void) {
  if (pick(zero) == 5) puts("?");  // finds uninitialised: a branch depends on the uninitialised variable x, declared at uninitialised.c:28
}
static void both_paths(void) {
  int x;
  if (zero) {
    x = 1;
  } else {
    x = 2;
  }
  if (x == 2) puts("2");
}
static void local_switch(void) {
  int x;
  switch (x) {  // finds uninitialised: a branch depends on the uninitialised variable x
    case 1:
      puts("one");
  }
}
static void second_round(void) {
  for (int i = 0; i < 2; ++i) {
    int x;
    if (i == 0) x = 1;
    if (x == 1) puts("1");  // finds uninitialised: a branch depends on the uninitialised variable x
  }
}
static void array_index(void) {
  int i;
  table[i] = 1;  // finds uninitialised: an address depends on the uninitialised variable i
}
static void divisor(void) {
  int x;
  table[0] = 10 / x;  // finds uninitialised: a divisor depends on the uninitialised variable x
}
static void divisor_for_nobody(void) {
  int x, y = 4;
  y /= x;  // finds uninitialised: a divisor depends on the uninitialised variable x
}
static void remainder_for_nobody(void) {
  unsigned x, y = 4;
  y %= x;  // finds uninitialised: a divisor depends on the uninitialised variable x
}
static void alternative(void) {
  int x;
  table[0] = x ? 1 : 2;  // finds uninitialised: the condition of ?: depends on the uninitialised variable x
}
static void alternative_in_memory(void) {
  int x[2];
  x[1] = 0;
  table[0] = x[zero] > 3 ? 1 : 2;  // finds uninitialised: the condition of ?: depends on uninitialised memory: 4 bytes at offset 0 of the local variable x of 8 bytes
}
static void alternative_pointers(void) {
  int x;
  table[0] = *(x ? &table[1] : &table[2]);  // finds uninitialised: the condition of ?: depends on the uninitialised variable x
}
static void dividend(void) {
  int x;
  table[0] = x / 2;
}
static void copied(void) {
  int x, y[2] = {1, 2};
  y[1 - zero] = x;
  if (y[zero] == 1) puts("1");
  if (y[1 - zero] == 2) puts("?");  // finds uninitialised: a branch depends on
}
static void computed(void) {
  int x, y[2] = {1, 2};
  y[1 - zero] = x * 3;
  if (y[1 - zero] == 2) puts("?");  // finds uninitialised: a branch depends on
}
static void printed(void) {
  struct pair p;
  p.small = 1;
  struct pair q = p;
  printf("%d\n", q.small);
  printf("%d\n", q.large);  // finds uninitialised: what is printed depends on
}
static void printed_text(void) {
  char text[4];
  text[0] = 'a';
  text[1] = 'b';
  printf("%s\n", text);  // finds uninitialised: what is printed depends on uninitialised memory: 1 byte at offset 2 of the local variable text of 4 bytes, declared at
}
static void length(void) {
  char text[4];
  text[0] = 'a';
  table[0] = (int)strlen(text);  // finds uninitialised: a branch depends on uninitialised memory: 1 byte at offset 1 of the local variable text
}
static void called(void) {
  void (*f[2])(void);
  f[0] = dividend;
  f[1 - zero]();  // finds uninitialised: the function that is called depends on uninitialised memory: 8 bytes at offset 8
}
static void freed(void) {
  char* p;
  free(p);  // finds uninitialised: a branch depends on the uninitialised variable p
}
static void allocated(void) {
  size_t size;
  table[0] = malloc(size) != NULL;  // finds uninitialised: the size of an allocation depends on the uninitialised variable size
}
static void left(void) {
  int code;
  exit(code);  // finds uninitialised: the exit code depends on the uninitialised variable code
}
static void lock(void) {
  pthread_mutex_t* m = malloc(sizeof *m);
  pthread_mutex_lock(m);  // finds uninitialised: a branch depends on uninitialised memory: 4 bytes at offset 16 of a heap object
}
static void compared(void) {
  atomic_int* a = malloc(sizeof *a);
  int expected = 0;
  atomic_compare_exchange_strong(a, &expected, 1);  // finds uninitialised: the comparison of an atomic operation depends on uninitialised memory: a heap object of 4 bytes
}
static void grown(void) {
  int* p = malloc(sizeof *p);
  p[0] = 4;
  p = realloc(p, 2 * sizeof *p);
  if (p[0] == 4) puts("4");
  if (p[1] == 4) puts("?");  // finds uninitialised: a branch depends on uninitialised memory: 4 bytes at offset 4 of a heap object of 8 bytes
}
static void carried(void) {
  struct pair p;
  p.small = 1;
  struct pair copies[3] = {p, p, p};
  int sum = copies[zero].large * 3 + 1;
  if (sum & 1) puts("?");  // finds uninitialised: a branch depends on
}
static void zeroed(void) {
  int* p = calloc(2, sizeof *p);
  static int s[2];
  if (p[1] == 0 && s[1] == 0) puts("0");
  free(p);
}
static void bit_fields(void) {
  struct bits* b = malloc(sizeof *b);
  b->a = 5;
  b->c = 300;
  struct bits copy = *b;
  if (copy.a == 5 && copy.c == 300) puts("bits");
  copy.c++;
  if (copy.c == 301) puts("more bits");
  if (copy.b == 1) puts("?");  // finds uninitialised: a branch depends on
}
static void padding(void) {
  struct pair p, q;
  p.small = 1, p.large = 2;
  q = p;
  struct pair* many = malloc(3 * sizeof *many);
  many[0] = p, many[1] = q;
  many = realloc(many, 6 * sizeof *many);
  memcpy(&many[4], &many[2], sizeof *many);
  if (many[0].small == many[1].small && many[1].large == 2) puts("equal");
  free(many);
}
static void compared_padding(void) {
  struct pair p, q;
  p.small = q.small = 1, p.large = q.large = 2;
  if (memcmp(&p, &q, sizeof p) == 0) puts("?");  // finds uninitialised: a branch depends on uninitialised memory: 1 byte at offset 1 of the local variable p of 8 bytes
}
static void partly_known(void) {
  unsigned x;
  x = (x & 0xFFFF0000u) | 7;
  if ((x & 0xFF) == 7) puts("7");
  if ((x | 1) != 0) puts("not 0");
  if (x >> 31 == 2) puts("?");
  x &= 0xFF;
  if (x < 256) puts("small");
}
static int sum(int count, ...) {
  va_list list;
  va_start(list, count);
  int total = 0;
  while (count-- > 0) total += va_arg(list, int);
  va_end(list);
  return total;
}
static void arguments(void) {
  if (sum(3, 1, 2, 3) == 6) puts("6");
  int x;
  if (sum(2, 1, x) == 6) puts("?");  // finds uninitialised: a branch depends on
}
static double half(double x) { return x / 2; }
static void floating(void) {
  double x[2];
  x[1] = 3;
  if (half(x[1]) > 1) puts("1.5");
  if (half(x[zero]) > 1) puts("?");  // finds uninitialised: a branch depends on uninitialised memory: 8 bytes at offset 0 of the local variable x of 16 bytes, declared at
}
static void both_ways(void) {
  int x, y = zero ? x : 4;
  if (y == 4) puts("4");
  int z = x > 3 ? 7 : 7;
  if (z == 7) puts("7");
}

static void (*const cases[])(void) = {
    heap_branch, forgotten_path, both_paths, local_switch, second_round, array_index,  divisor,      divisor_for_nobody,
    remainder_for_nobody, alternative, alternative_in_memory, alternative_pointers, dividend,
    copied,      computed,
    printed,     printed_text,   length,     called,       freed,        allocated,    left,         lock,
    compared,    grown,          carried,    zeroed,       bit_fields,   padding,      compared_padding,
    partly_known, arguments,     floating,   both_ways,
};

int main(void) {
  cases[__heddle_choose(sizeof cases / sizeof *cases)]();
  return 0;
}
