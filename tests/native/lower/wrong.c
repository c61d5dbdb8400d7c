#include "wrong.h"
int f(void) {
  return missing + 1;
}
int g(void) { return also_missing; }
