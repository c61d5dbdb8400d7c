// Structs, unions, bit fields, arrays, by value and by pointer; function pointers; variable arguments.
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct small { int a; char b; };
struct pair { long x, y; };
struct large { int values[10]; double weight; char name[12]; };
struct bits { unsigned a : 3, b : 7; int c : 5; unsigned long long d : 40; };
union word { unsigned u; float f; unsigned char bytes[4]; };

static struct small make_small(int a, char b) { return (struct small){a, b}; }
static struct pair swap(struct pair p) { return (struct pair){p.y, p.x}; }
static struct large scale(struct large l, int by) {
  for (int i = 0; i < 10; ++i) l.values[i] *= by;
  l.weight *= by;
  strcat(l.name, "!");
  return l;
}
static int sum(int count, ...) {
  va_list list;
  va_start(list, count);
  int total = 0;
  for (int i = 0; i < count; ++i) total += va_arg(list, int);
  va_end(list);
  return total;
}
static double mixed(const char* kinds, ...) {
  va_list list, again;
  va_start(list, kinds);
  va_copy(again, list);
  double total = 0;
  for (; *kinds; ++kinds) {
    switch (*kinds) {
      case 'i': total += va_arg(list, int); break;
      case 'd': total += va_arg(list, double); break;
      case 'l': total += (double)va_arg(list, long); break;
      case 'p': { struct pair p = va_arg(list, struct pair); total += (double)(p.x + p.y); break; }
      case 'L': { struct large l = va_arg(list, struct large); total += l.weight; break; }
      case 'x': total += (double)va_arg(list, long double); break;
      default: break;
    }
  }
  total += va_arg(again, int);
  va_end(list);
  va_end(again);
  return total;
}
static int add(int a, int b) { return a + b; }
static int multiply(int a, int b) { return a * b; }
static int (*const operations[])(int, int) = {add, multiply};
static const char* const names[] = {"add", "multiply"};
static int matrix[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
static int* const middle = &matrix[1][2];

static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

static const char* word(int n) {
  switch (n) {
    case 0: return "zero";
    case 1: return "one";
    case 17: return "seventeen";
    case -5: return "minus five";
    default: return "many";
  }
}

int main(void) {
  struct small s = make_small(5, 'x');
  struct pair p = swap((struct pair){1, 2});
  struct large l = {{1, 2, 3}, 1.5, "name"};
  struct large m = scale(l, 3);
  printf("%d %c %ld %ld\n", s.a, s.b, p.x, p.y);
  printf("%d %d %s %s %.2f\n", l.values[2], m.values[2], l.name, m.name, m.weight);
  struct bits b = {5, 100, -3, 1ull << 35};
  b.a += 4;
  b.d |= 3;
  printf("%u %u %d %llu\n", b.a, b.b, b.c, (unsigned long long)b.d);
  union word w;
  w.f = 1.0f;
  printf("%x %d\n", w.u, w.bytes[3]);
  printf("%d %.2f\n", sum(5, 1, 2, 3, 4, 5), mixed("idlpLxi", 1, 2.5, 3L, p, m, 4.25L, 7));
  for (int i = 0; i < 2; ++i) printf("%s %d\n", names[i], operations[i](6, 7));
  *middle += 100;
  int total = 0;
  for (int i = 0; i < 3; ++i) for (int j = 0; j < 4; ++j) total += matrix[i][j];
  printf("%d %d %zu\n", total, fibonacci(15), offsetof(struct large, weight));
  for (int i = -5; i < 20; i += 1) if (word(i)[0] != 'm' || i < 0) printf("%s ", word(i));
  int n = 4;
  int array[n];
  for (int i = 0; i < n; ++i) array[i] = i * i;
  struct large copies[2];
  memcpy(&copies[0], &m, sizeof m);
  copies[1] = copies[0];
  memset(&copies[0], 0, sizeof copies[0]);
  printf("\n%d %s %d\n", array[n - 1], copies[1].name, copies[0].values[1]);
  goto end;
end:
  return total & 0x7f;
}
