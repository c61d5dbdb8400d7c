// The absolute value of a complex number.
#include <complex.h>
#include <math.h>

#include "heddle_runtime.h"

double cabs(double complex z) { return hypot(__real__ z, __imag__ z); }
float cabsf(float complex z) { return hypotf(__real__ z, __imag__ z); }
