// Bit fields of all signs and sizes, beside each other and across bytes; unions over them.
#include <stdio.h>
#include <string.h>

struct mixed {
  signed a : 3;
  unsigned b : 5;
  int c : 17;
  unsigned long long d : 40;
  signed char e : 1;
  _Bool f : 1;
  unsigned : 0;
  unsigned g : 9;
};
#pragma pack(push, 1)
struct packed {
  char x;
  unsigned y : 13;
  long z;
  short w;
};
#pragma pack(pop)
union view {
  struct {
    unsigned low : 4, high : 4;
  } half;
  unsigned char byte;
  unsigned word;
};

static struct mixed step(struct mixed m, int i) {
  m.a += i;
  m.b -= i;
  m.c = m.c * 3 + i;
  m.d ^= m.d << 7 ^ (unsigned)i;
  m.e = i;
  m.f = !m.f;
  m.g++;
  return m;
}

int main(void) {
  struct mixed m = {0};
  m.d = 0x123456789;
  unsigned long long sum = 0;
  for (int i = 0; i < 50; ++i) {
    m = step(m, i);
    sum = sum * 31 + (unsigned)m.a + m.b * 2u + (unsigned)m.c * 5u + m.d + (unsigned)m.e * 7u + m.f + m.g;
  }
  printf("%d %u %d %llu %d %d %u %llu\n", m.a, m.b, m.c, (unsigned long long)m.d, m.e, m.f, m.g, sum);
  struct packed p, *q = &p;
  memset(q, 0, sizeof p);
  q->y = 0x1FFF;
  q->z = -2;
  q->w = 7;
  q->x = 'x';
  q->y -= 5;
  printf("%zu %d %u %ld %d\n", sizeof p, p.x, p.y, p.z, p.w);
  union view v;
  v.word = 0;
  v.byte = 0xA5;
  v.half.low += 3;
  v.half.high ^= 1;
  printf("%u %u %x\n", v.half.low, v.half.high, v.word);
  return (int)(sum % 100);
}
