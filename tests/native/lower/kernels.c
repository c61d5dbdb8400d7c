// Small functions whose accesses of memory an optimiser would merge, move, invent or drop. components/lower/lower_test.cpp
// knows what each must do.
#include <stdatomic.h>
#include <stdbool.h>

int g, h;
int* p;
bool flag;
volatile int v;
struct pair { int a, b; } s, t;
struct node { int key; struct node* next; };
_Atomic int x;

void spin(void) { while (!flag) {} }
int read_twice(void) { return g + g; }
void write_twice(void) { g = 1; g = 2; }
int write_then_read(void) { g = 1; return g; }
int conditional_load(int c) { return c ? g : 0; }
int conditional_field(int c) { return c ? s.a : s.b; }
void conditional_store(int c) { g = 1; if (c) g = 2; }
int list_walk(struct node* n, int k) {
  while (n && n->key < k) n = n->next;
  return n && n->key == k;
}
void struct_copy(void) { s = t; }
void dead_load(void) { int unused = g; (void)unused; }
int relaxed_loads(void) {
  return atomic_load_explicit(&x, memory_order_relaxed) + atomic_load_explicit(&x, memory_order_relaxed);
}
void relaxed_stores(void) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&x, 2, memory_order_relaxed);
}
int loop_load(int n) { int sum = 0; for (int i = 0; i < n; ++i) sum += g; return sum; }
void loop_store(int n) { for (int i = 0; i < n; ++i) g = i; }
void swap(void) { int old = g; g = h; h = old; }
int check_then_use(void) { return p ? *p : 0; }
void increment(void) { g++; }
int volatile_loads(void) { return v + v; }
int locals(int n) { int a = n, b = 2; int* to = &a; *to += b; b = a; return a * b; }
void overwritten(void) { g = h; g = h; }
int select_address(int c) { int local = 3; const int* from = c ? &g : &local; return *from; }
int increments(void) { return atomic_fetch_add(&x, 1) + x++; }
void through_parameter(int* out) { *out = 1; *out += 1; }
