// What has no form in an image, each in a function of its own.
#include <stdarg.h>
unsigned cpuid(void) {
  unsigned a = 0;
  __asm__ volatile("cpuid" : "+a"(a) : : "ebx", "ecx", "edx");
  return a;
}
int computed_goto(int n) {
  static void* const labels[] = {&&one, &&two};
  goto *labels[n & 1];
one:
  return 1;
two:
  return 2;
}
_Float16 half(_Float16 a) { return a * a; }
void barrier_only(void) { __asm__ volatile("" : : : "memory"); }
int external(void) {
  extern int nobody_has_this(int);
  return nobody_has_this(1);
}
unsigned long long counter(void) { return __builtin_ia32_rdtsc(); }
