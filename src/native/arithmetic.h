// The pure operations of the machine: integers of 1 to 128 bits and floating point of 32, 64 and 80 bits.
//
// Integers are computed in Word if they have up to 64 bits, otherwise in Wide; bits above the width are zero in
// operands and results. Floating-point numbers are passed as their bits. What C leaves open has one value here:
// shifting by the width or more gives 0; a floating-point number that an integer cannot hold is truncated to its bits,
// or gives the integer's highest bit alone if it has none (NaN, or beyond 128 bits).
#pragma once

#include <cstdint>
#include <limits>

#include "native/image.h"

namespace heddle::native {

__extension__ using Wide = unsigned __int128;
__extension__ using SignedWide = __int128;

template <class Unsigned>
struct SignedOf;
template <>
struct SignedOf<Word> {
  using Type = std::int64_t;
};
template <>
struct SignedOf<Wide> {
  using Type = SignedWide;
};

template <class Unsigned>
constexpr Unsigned low_bits(unsigned width) {
  constexpr unsigned size = sizeof(Unsigned) * 8;
  return width >= size ? ~Unsigned{0} : (Unsigned{1} << width) - 1;
}

template <class Unsigned>
constexpr typename SignedOf<Unsigned>::Type sign_extend(Unsigned value, unsigned width) {
  constexpr unsigned size = sizeof(Unsigned) * 8;
  using Signed = typename SignedOf<Unsigned>::Type;
  return width >= size ? static_cast<Signed>(value) : static_cast<Signed>(value << (size - width)) >> (size - width);
}

// a `code` b for the integer codes Add to Sge.
// REQUIRES: 1 <= width <= bits of Unsigned; for divisions, !division_fails(code, width, a, b).
template <Code code, class Unsigned>
constexpr Unsigned integer(unsigned width, Unsigned a, Unsigned b) {
  using Signed = typename SignedOf<Unsigned>::Type;
  const Unsigned mask = low_bits<Unsigned>(width);
  const auto sa = [&]() -> Signed { return sign_extend(a, width); };
  const auto sb = [&]() -> Signed { return sign_extend(b, width); };
  if constexpr (code == Code::Add) return (a + b) & mask;
  if constexpr (code == Code::Sub) return (a - b) & mask;
  if constexpr (code == Code::Mul) return (a * b) & mask;
  if constexpr (code == Code::UDiv) return a / b;
  if constexpr (code == Code::URem) return a % b;
  if constexpr (code == Code::SDiv) return static_cast<Unsigned>(sa() / sb()) & mask;
  if constexpr (code == Code::SRem) return static_cast<Unsigned>(sa() % sb()) & mask;
  if constexpr (code == Code::And) return a & b;
  if constexpr (code == Code::Or) return a | b;
  if constexpr (code == Code::Xor) return a ^ b;
  if constexpr (code == Code::Shl) return b >= width ? 0 : (a << static_cast<unsigned>(b)) & mask;
  if constexpr (code == Code::LShr) return b >= width ? 0 : a >> static_cast<unsigned>(b);
  if constexpr (code == Code::AShr) {
    return b >= width ? 0 : static_cast<Unsigned>(sa() >> static_cast<unsigned>(b)) & mask;
  }
  if constexpr (code == Code::Eq) return a == b;
  if constexpr (code == Code::Ne) return a != b;
  if constexpr (code == Code::Ult) return a < b;
  if constexpr (code == Code::Ule) return a <= b;
  if constexpr (code == Code::Ugt) return a > b;
  if constexpr (code == Code::Uge) return a >= b;
  if constexpr (code == Code::Slt) return sa() < sb();
  if constexpr (code == Code::Sle) return sa() <= sb();
  if constexpr (code == Code::Sgt) return sa() > sb();
  if constexpr (code == Code::Sge) return sa() >= sb();
}

// What is wrong with a division, as a user reads it; null: nothing.
const char* division_fails(Code code, unsigned width, Wide a, Wide b);

// CountLeadingZeros to BitReverse.
Wide bit_operation(Code code, unsigned width, Wide a);
Wide funnel_shift(Code code, unsigned width, Wide a, Wide b, Wide c);

struct Overflowing {
  Wide value = 0;
  bool overflow = false;
};
// AddOverflow, SubOverflow, MulOverflow.
Overflowing with_overflow(Code code, unsigned width, bool is_unsigned, Wide a, Wide b);
// AddSaturating, SubSaturating.
Wide saturating(Code code, unsigned width, bool is_unsigned, Wide a, Wide b);

// Whether this computer has the long double of 80 bits; if not, the functions below must not be asked for it.
inline constexpr bool has_extended = std::numeric_limits<long double>::digits == 64;

Wide convert(Code code, unsigned width, unsigned from, Wide a);
// FAdd to FNeg; FNeg ignores b.
Wide floating(Code code, unsigned width, Wide a, Wide b);
// `predicate`: LLVM's number.
bool floating_compare(std::uint32_t predicate, unsigned width, Wide a, Wide b);
Wide math(MathFunction function, unsigned width, Wide a, Wide b, Wide c);

// The new value of a read-modify-write operation on `width` bits.
Wide modify(Rmw rmw, unsigned width, Wide old, Wide operand);

template <class Float>
Float float_of(Wide bits);
template <class Float>
Wide bits_of(Float value);

}  // namespace heddle::native
