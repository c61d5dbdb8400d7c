// Functions of <math.h> that write to a pointer. The others are the machine's.
#include <math.h>

double frexp(double x, int* exponent) {
  *exponent = 0;
  if (x == 0 || !isfinite(x)) return x;
  *exponent = ilogb(x) + 1;
  return ldexp(x, -*exponent);
}
float frexpf(float x, int* exponent) { return (float)frexp(x, exponent); }

double modf(double x, double* whole) {
  *whole = trunc(x);
  return isinf(x) ? copysign(0, x) : copysign(x - *whole, x);
}
float modff(float x, float* whole) {
  double wide = 0;
  const float part = (float)modf(x, &wide);
  *whole = (float)wide;
  return part;
}
