// Structs by value in all sizes and classes, in and out, also through pointers to functions and with varargs.
#include <stdarg.h>
#include <stdio.h>

struct one { char c; };
struct two { int i; float f; };
struct three { double d; int i; };
struct four { long a, b; };
struct five { long a, b, c; };
struct six { float x, y, z; };
struct seven { struct two t; union { int i; float f; } u; char s[3]; };
struct eight { long double l; char c; };

static struct one f1(struct one x) { x.c++; return x; }
static struct two f2(struct two x) { x.i *= 2, x.f /= 2; return x; }
static struct three f3(struct three x) { x.d += x.i; return x; }
static struct four f4(struct four x) { return (struct four){x.b, x.a}; }
static struct five f5(struct five x, int i) { x.c += i; x.a -= i; return x; }
static struct six f6(struct six x) { return (struct six){x.z, x.x, x.y}; }
static struct seven f7(struct seven x) { x.s[1]++, x.u.f *= 3, x.t = f2(x.t); return x; }
static struct eight f8(struct eight x) { x.l *= x.c; return x; }

static long total(int count, ...) {
  va_list list, again;
  va_start(list, count);
  va_copy(again, list);
  long out = 0;
  for (int i = 0; i < count; ++i) {
    switch (i % 5) {
      case 0: out += va_arg(list, int); break;
      case 1: out += (long)va_arg(list, double); break;
      case 2: out += va_arg(list, struct four).b; break;
      case 3: out += va_arg(list, struct five).c; break;
      default: out += (long)va_arg(list, long double);
    }
  }
  out = out * 10 + va_arg(again, int);
  va_end(again);
  va_end(list);
  return out;
}

typedef struct five (*function5)(struct five, int);
static int count(const char* format, ...) {
  char text[100];
  va_list list;
  va_start(list, format);
  const int n = vsnprintf(text, sizeof text, format, list);
  va_end(list);
  puts(text);
  return n;
}

int main(void) {
  const struct one a = f1((struct one){'a'});
  const struct two b = f2((struct two){3, 5});
  const struct three c = f3((struct three){1.5, 4});
  const struct four d = f4((struct four){1, 2});
  function5 volatile g = f5;
  const struct five e = g((struct five){1, 2, 3}, 10);
  const struct six f = f6((struct six){1, 2, 3});
  const struct seven h = f7((struct seven){{1, 2}, {.f = 1.5f}, "ab"});
  const struct eight i = f8((struct eight){2.5L, 4});
  printf("%c %d %g %g %ld %ld\n", a.c, b.i, b.f, c.d, d.a, d.b);
  printf("%ld %ld %ld %g %g %g\n", e.a, e.b, e.c, f.x, f.y, f.z);
  printf("%d %g %g %s %Lg\n", h.t.i, h.t.f, h.u.f, h.s, i.l);
  printf("%ld\n", total(5, 1, 2.9, d, e, 7.5L));
  printf("%ld\n", total(8, -1, 2.0, d, e, 0.5L, 40, 50.0, d));
  return count("%s %5.2f %-4d|%c%% %lx %Lf", "text", 3.14159, 42, 'z', 255L, 1.25L);
}
