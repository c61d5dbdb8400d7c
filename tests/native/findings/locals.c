// Accesses beyond a local variable whose address nobody else gets to know, at offsets that are known before the program
// runs. Each case is a run of its own; "finds KIND: text" says what must be found at that line, and a case without it must
// end well (findings_test.cpp).
#include <stdatomic.h>
#include <string.h>

extern unsigned __heddle_choose(unsigned);

struct point {
  int x, y;
};
struct shape {
  struct point corner[2];
  int colour;
};
static int total;
static volatile int zero;

static void write_behind(void) {
  int a[3] = {0, 0, 0};
  a[3] = 1;  // finds memory: write of 4 bytes at offset 12 of the local variable a of 12 bytes
}
static void read_behind(void) {
  int a[3] = {0, 0, 0};
  total = a[3];  // finds memory: read of 4 bytes at offset 12 of the local variable a of 12 bytes
}
static void read_for_nobody(void) {
  int x = 1;
  int unused = (&x)[1];  // finds memory: read of 4 bytes at offset 4 of the local variable x of 4 bytes
}
static void write_before(void) {
  int a[3] = {0, 0, 0};
  a[-1] = 1;  // finds memory: write of 4 bytes at offset -4 of the local variable a of 12 bytes
}
static void set_too_many(void) {
  char b[4];
  memset(b, 0, 8);  // finds memory: write of 8 bytes at offset 0 of the local variable b of 4 bytes
  total = b[0];
}
static void behind_a_number(void) {
  int x = 1;
  int* p = &x;
  p[1] = 2;  // finds memory: write of 4 bytes at offset 4 of the local variable x of 4 bytes
}
static void wide_write(void) {
  char b[3];
  *(int*)b = 5;  // finds memory: write of 4 bytes at offset 0 of the local variable b of 3 bytes
}
static void wide_read(void) {
  int i = 1;
  long v = *(long*)&i;  // finds memory: read of 8 bytes at offset 0 of the local variable i of 4 bytes
  total = v == 1;
}
static void copy_from_too_few(void) {
  int i = 1;
  long v;
  memcpy(&v, &i, 8);  // finds memory: read of 8 bytes at offset 0 of the local variable i of 4 bytes
  total = v == 1;
}
static void copy_to_too_few(void) {
  long v = 1;
  int i;
  memcpy(&i, &v, 8);  // finds memory: write of 8 bytes at offset 0 of the local variable i of 4 bytes
  total = i;
}
static void behind_rows(void) {
  int a[2][2] = {{0}};
  a[0][2] = 1;  // the next row
  a[1][2] = 1;  // finds memory: write of 4 bytes at offset 16 of the local variable a of 16 bytes
}
static void behind_members(void) {
  struct point s = {1, 2};
  int* p = &s.x;
  p[1] = 4;  // the next member
  p[2] = 5;  // finds memory: write of 4 bytes at offset 8 of the local variable s of 8 bytes
}
static void atomically(void) {
  _Atomic int a[2] = {0, 0};
  atomic_fetch_add(&a[2], 1);  // finds memory: write of 4 bytes at offset 8 of the local variable a of 8 bytes
}
static void one_of_two(void) {
  int a[2] = {0, 0}, b = 0;
  int* p = zero ? &b : a + 2;
  *p = 1;  // finds memory: write of 4 bytes at offset 8 of the local variable a of 8 bytes
}
static void one_of_two_indices(void) {
  int a[2] = {0, 0};
  a[zero ? 0L : 2L] = 1;  // finds memory: write of 4 bytes at offset 8 of the local variable a of 8 bytes
}
static void by_an_index_that_is_a_register(void) {
  int a[2] = {0, 0};
  unsigned long i = 2;
  a[i] = 1;  // finds memory: write of 4 bytes at offset 8 of the local variable a of 8 bytes
}
static void by_a_loop(void) {
  char a[100];
  char* p = a;
  do {
    *p = 0;  // finds memory: write of 1 byte
    ++p;
  } while (p != a + 101);
}
static void within(void) {
  struct shape s = {{{1, 2}, {3, 4}}, 5};
  int* p = &s.corner[0].x;
  p[4] = 6;
  char* bytes = (char*)&s;
  memset(bytes + sizeof s, 0, 0);
  memcpy(bytes, bytes + 8, 8);
  struct point* end = s.corner + 2;
  total = end[-1].y + s.colour;
}

static void (*const cases[])(void) = {
    write_behind,    read_behind,    read_for_nobody, write_before,       set_too_many,
    behind_a_number, wide_write,     wide_read,       copy_from_too_few,  copy_to_too_few,
    behind_rows,     behind_members, atomically,      one_of_two,         one_of_two_indices,
    by_a_loop,       within,         by_an_index_that_is_a_register,
};

int main(void) {
  cases[__heddle_choose(sizeof cases / sizeof *cases)]();
  return 0;
}
