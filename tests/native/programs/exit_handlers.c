// What runs before main and after it.
#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor(200))) static void second(void) { puts("second"); }
__attribute__((constructor(101))) static void first(void) { puts("first"); }
__attribute__((destructor)) static void last(void) { puts("last"); }
static void bye(void) { puts("bye"); }
static void good(void) { puts("good"); }

int main(int argc, char** argv) {
  atexit(bye);
  atexit(good);
  printf("%d %d\n", argc, argv[1] == NULL);
  if (argc == 1) exit(4);
  return 0;
}
