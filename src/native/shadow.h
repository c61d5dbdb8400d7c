// Shadow values: which bits of a value nobody has given a value.
//
// Every value has a shadow of the same width, in which a bit is set if the bit of the value is undefined. Copying
// undefined bits is not an error; what an operation computes from them is undefined in turn, bit by bit where that is
// cheap to know. So padding, bit fields and partly filled objects may be copied around, and only a decision that
// depends on an undefined bit is an error (execution_shadow.cpp). After Seward and Nethercote, "Using Valgrind to
// detect undefined value errors with bit-precision" (2005).
//
// Invariant: an undefined bit of a value is 0. So a value has one form, whatever was in memory before.
// Where a rule is not exact it errs towards undefined for arithmetic, as Memcheck does.
// Thread-safe: pure functions.
#pragma once

#include "native/arithmetic.h"
#include "native/image.h"

namespace heddle::native {

struct Shadowed {
  Wide value = 0, undefined = 0;
};

// The shadow of the result of an operation on integers or floating-point numbers, Add to Math. The value of its second
// part, the bit of AddOverflow and its relatives, is undefined if any bit of an operand is.
Wide shadow_of(const Operation& x, Shadowed a, Shadowed b, Shadowed c);
// The shadow of what a read-modify-write operation writes.
Wide shadow_of(Rmw rmw, unsigned width, Shadowed old, Shadowed operand);
// Whether it is not known if the values are equal.
bool equality_is_undefined(Shadowed a, Shadowed b);

}  // namespace heddle::native
