// Arithmetic against the computer's own: C++ on the built-in types, and for odd widths on __int128 by definition.
#include "native/arithmetic.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "support/check_random.h"

namespace heddle::native::arithmetic_test {
namespace {

using testing::check_random;
using testing::count_of;

// Small numbers, limits and arbitrary bits.
Word random_word() {
  return *rc::gen::oneOf(rc::gen::arbitrary<Word>(), rc::gen::inRange<Word>(0, 5),
                         rc::gen::map(rc::gen::inRange(0, 64), [](int bit) { return (Word{1} << bit) - 1; }),
                         rc::gen::map(rc::gen::inRange(0, 64), [](int bit) { return Word{1} << bit; }),
                         rc::gen::map(rc::gen::inRange<Word>(0, 5), [](Word x) { return ~x; }));
}
Wide random_wide() {
  return *rc::gen::arbitrary<bool>() ? Wide{random_word()} : Wide{random_word()} << 64 | random_word();
}

// The code at run time.
template <class Unsigned, Code code = Code::Add>
Unsigned compute(Code wanted, unsigned width, Unsigned a, Unsigned b) {
  if (wanted == code) return integer<code, Unsigned>(width, a, b);
  if constexpr (code != Code::Sge) {
    return compute<Unsigned, static_cast<Code>(static_cast<int>(code) + 1)>(wanted, width, a, b);
  }
  return 0;
}

// What C++ computes on the type.
template <class U, class S>
Wide by_host(Code code, U a, U b) {
  const auto sa = static_cast<S>(a), sb = static_cast<S>(b);
  switch (code) {
    case Code::Add:
      return static_cast<U>(a + b);
    case Code::Sub:
      return static_cast<U>(a - b);
    case Code::Mul:
      return static_cast<U>(static_cast<Wide>(a) * b);
    case Code::UDiv:
      return static_cast<U>(a / b);
    case Code::SDiv:
      return static_cast<U>(sa / sb);
    case Code::URem:
      return static_cast<U>(a % b);
    case Code::SRem:
      return static_cast<U>(sa % sb);
    case Code::And:
      return static_cast<U>(a & b);
    case Code::Or:
      return static_cast<U>(a | b);
    case Code::Xor:
      return static_cast<U>(a ^ b);
    case Code::Shl:
      return b >= sizeof(U) * 8 ? U{0} : static_cast<U>(a << b);
    case Code::LShr:
      return b >= sizeof(U) * 8 ? U{0} : static_cast<U>(a >> b);
    case Code::AShr:
      return b >= sizeof(U) * 8 ? U{0} : static_cast<U>(sa >> b);
    case Code::Eq:
      return a == b;
    case Code::Ne:
      return a != b;
    case Code::Ult:
      return a < b;
    case Code::Ule:
      return a <= b;
    case Code::Ugt:
      return a > b;
    case Code::Uge:
      return a >= b;
    case Code::Slt:
      return sa < sb;
    case Code::Sle:
      return sa <= sb;
    case Code::Sgt:
      return sa > sb;
    default:
      return sa >= sb;
  }
}

template <class U, class S>
void integers_agree() {
  constexpr unsigned width = sizeof(U) * 8;
  const auto a = static_cast<U>(random_wide()), b = static_cast<U>(*rc::gen::arbitrary<bool>() ? random_wide() : 3);
  const auto code = static_cast<Code>(*rc::gen::inRange(0, static_cast<int>(Code::Sge) + 1));
  if (code == Code::UDiv || code == Code::SDiv || code == Code::URem || code == Code::SRem) {
    const bool is_signed = code == Code::SDiv || code == Code::SRem;
    const bool overflow = is_signed && a == static_cast<U>(U{1} << (width - 1)) && b == static_cast<U>(~U{0});
    RC_ASSERT((division_fails(code, width, a, b) != nullptr) == (b == 0 || overflow));
    if (b == 0 || overflow) return;
  }
  const Wide expected = by_host<U, S>(code, a, b);
  RC_ASSERT((compute<Wide>(code, width, a, b) == expected));
  if constexpr (width <= 64) RC_ASSERT((compute<Word>(code, width, a, b) == static_cast<Word>(expected)));
}

TEST(Arithmetic, IntegersAgreeWithTheComputer) {
  check_random(count_of(3'000, 300'000), integers_agree<std::uint8_t, std::int8_t>);
  check_random(count_of(3'000, 300'000), integers_agree<std::uint16_t, std::int16_t>);
  check_random(count_of(3'000, 300'000), integers_agree<std::uint32_t, std::int32_t>);
  check_random(count_of(3'000, 300'000), integers_agree<std::uint64_t, std::int64_t>);
  check_random(count_of(3'000, 300'000), integers_agree<Wide, SignedWide>);
}

// A width that no type has: the result is that of a wider type, cut off. Division and right shifts extend first.
TEST(Arithmetic, OddWidthsAreCutOff) {
  check_random(count_of(3'000, 300'000), [] {
    const auto width = *rc::gen::inRange<unsigned>(1, 64);
    const Word mask = (Word{1} << width) - 1;
    const Word a = random_word() & mask, b = random_word() & mask;
    const auto extended = [&](Word x) {
      return (x >> (width - 1) & 1) != 0 ? static_cast<std::int64_t>(x | ~mask) : static_cast<std::int64_t>(x);
    };
    RC_ASSERT((compute<Word>(Code::Add, width, a, b) == ((a + b) & mask)));
    RC_ASSERT((compute<Word>(Code::Sub, width, a, b) == ((a - b) & mask)));
    RC_ASSERT((compute<Word>(Code::Mul, width, a, b) == ((a * b) & mask)));
    RC_ASSERT((compute<Word>(Code::Slt, width, a, b) == Word{extended(a) < extended(b)}));
    if (b < width) {
      RC_ASSERT((compute<Word>(Code::AShr, width, a, b) == (static_cast<Word>(extended(a) >> b) & mask)));
    }
    if (division_fails(Code::SDiv, width, a, b) == nullptr) {
      RC_ASSERT((compute<Word>(Code::SDiv, width, a, b) == (static_cast<Word>(extended(a) / extended(b)) & mask)));
    }
    const auto to = *rc::gen::inRange<unsigned>(width, 129);
    const Wide sign = convert(Code::SignExtend, to, width, a);
    RC_ASSERT(sign == (static_cast<Wide>(SignedWide{extended(a)}) & low_bits<Wide>(to)));
    RC_ASSERT((convert(Code::ZeroExtend, to, width, a) == a));
    RC_ASSERT((convert(Code::Truncate, width, to, sign) == a));
  });
}

template <class U>
void bits_agree() {
  constexpr unsigned width = sizeof(U) * 8;
  const auto a = static_cast<U>(random_word()), b = static_cast<U>(random_word()), c = static_cast<U>(random_word());
  RC_ASSERT((bit_operation(Code::CountLeadingZeros, width, a) == static_cast<Wide>(std::countl_zero(a))));
  RC_ASSERT((bit_operation(Code::CountTrailingZeros, width, a) == static_cast<Wide>(std::countr_zero(a))));
  RC_ASSERT((bit_operation(Code::CountOnes, width, a) == static_cast<Wide>(std::popcount(a))));
  U swapped{}, reversed{};
  for (unsigned i = 0; i < sizeof(U); ++i) {
    reinterpret_cast<unsigned char*>(&swapped)[i] = reinterpret_cast<const unsigned char*>(&a)[sizeof(U) - 1 - i];
  }
  for (unsigned i = 0; i < width; ++i) reversed = static_cast<U>(reversed | U(U(a >> i & 1) << (width - 1 - i)));
  RC_ASSERT((bit_operation(Code::ByteSwap, width, a) == swapped));
  RC_ASSERT((bit_operation(Code::BitReverse, width, a) == reversed));
  // Of a:b, twice as wide.
  const Wide both = Wide{a} << width | b;
  const auto by = static_cast<unsigned>(c % width);
  RC_ASSERT((funnel_shift(Code::FunnelShiftLeft, width, a, b, c) == static_cast<U>(both << by >> width)));
  RC_ASSERT((funnel_shift(Code::FunnelShiftRight, width, a, b, c) == static_cast<U>(both >> by)));
  if constexpr (width == 64) {
    RC_ASSERT((bit_operation(Code::CountLeadingZeros, 128, Wide{a} << 64 | b) ==
               static_cast<Wide>(a != 0 ? std::countl_zero(a) : 64 + std::countl_zero(b))));
    RC_ASSERT((bit_operation(Code::CountTrailingZeros, 128, both) ==
               static_cast<Wide>(b != 0 ? std::countr_zero(b) : 64 + std::countr_zero(a))));
    RC_ASSERT((bit_operation(Code::ByteSwap, 128, both) == (Wide{__builtin_bswap64(b)} << 64 | __builtin_bswap64(a))));
  }
}

TEST(Arithmetic, BitOperationsAgree) {
  check_random(count_of(1'000, 100'000), bits_agree<std::uint8_t>);
  check_random(count_of(1'000, 100'000), bits_agree<std::uint16_t>);
  check_random(count_of(1'000, 100'000), bits_agree<std::uint32_t>);
  check_random(count_of(1'000, 100'000), bits_agree<std::uint64_t>);
}

template <class T, class Make>
void overflow_agrees(bool is_unsigned, const Make& make) {
  constexpr unsigned width = sizeof(T) * 8;
  const auto a = static_cast<T>(make()), b = static_cast<T>(make());
  const Wide wa = static_cast<Wide>(a) & low_bits<Wide>(width), wb = static_cast<Wide>(b) & low_bits<Wide>(width);
  const auto check_one = [&](Code code, T value, bool overflow) {
    const Overflowing result = with_overflow(code, width, is_unsigned, wa, wb);
    RC_ASSERT(result.overflow == overflow);
    RC_ASSERT((result.value == (static_cast<Wide>(value) & low_bits<Wide>(width))));
  };
  T value{};
  bool overflow = __builtin_add_overflow(a, b, &value);
  check_one(Code::AddOverflow, value, overflow);
  overflow = __builtin_sub_overflow(a, b, &value);
  check_one(Code::SubOverflow, value, overflow);
  overflow = __builtin_mul_overflow(a, b, &value);
  check_one(Code::MulOverflow, value, overflow);
  if constexpr (width < 64) {
    const auto clamped = [](std::int64_t x) {
      return static_cast<T>(std::clamp<std::int64_t>(x, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
    };
    const auto as_bits = [&](T x) { return static_cast<Wide>(x) & low_bits<Wide>(width); };
    RC_ASSERT((saturating(Code::AddSaturating, width, is_unsigned, wa, wb) ==
               as_bits(clamped(std::int64_t{a} + std::int64_t{b}))));
    RC_ASSERT((saturating(Code::SubSaturating, width, is_unsigned, wa, wb) ==
               as_bits(clamped(std::int64_t{a} - std::int64_t{b}))));
  }
}

TEST(Arithmetic, OverflowAgrees) {
  const std::size_t count = count_of(1'000, 100'000);
  check_random(count, [] { overflow_agrees<std::int8_t>(false, random_word); });
  check_random(count, [] { overflow_agrees<std::uint8_t>(true, random_word); });
  check_random(count, [] { overflow_agrees<std::int32_t>(false, random_word); });
  check_random(count, [] { overflow_agrees<std::uint32_t>(true, random_word); });
  check_random(count, [] { overflow_agrees<std::int64_t>(false, random_word); });
  check_random(count, [] { overflow_agrees<std::uint64_t>(true, random_word); });
  check_random(count, [] { overflow_agrees<SignedWide>(false, random_wide); });
  check_random(count, [] { overflow_agrees<Wide>(true, random_wide); });
}

template <class F>
F random_float() {
  const auto kind = *rc::gen::inRange(0, 4);
  if (kind == 0) return static_cast<F>(*rc::gen::inRange(-5, 6));
  if (kind == 1) return static_cast<F>(*rc::gen::arbitrary<double>());
  if (kind == 2) {
    return *rc::gen::element<F>(F(0), -F(0), std::numeric_limits<F>::infinity(), -std::numeric_limits<F>::infinity(),
                                std::numeric_limits<F>::quiet_NaN(), std::numeric_limits<F>::max(),
                                std::numeric_limits<F>::denorm_min());
  }
  return std::ldexp(static_cast<F>(*rc::gen::arbitrary<std::int32_t>()), *rc::gen::inRange(-100, 100));
}

// Equal bits, or both NaN.
template <class F>
bool same(Wide bits, F value) {
  const F computed = float_of<F>(bits);
  if (std::isnan(value)) return std::isnan(computed);
  return computed == value && std::signbit(computed) == std::signbit(value);
}

template <class F>
void floats_agree() {
  constexpr unsigned width = std::is_same_v<F, float> ? 32 : std::is_same_v<F, double> ? 64 : 80;
  const F x = random_float<F>(), y = random_float<F>(), z = random_float<F>();
  const Wide a = bits_of(x), b = bits_of(y), c = bits_of(z);
  RC_ASSERT((a >> width) == 0);
  RC_ASSERT(same<F>(a, x));
  RC_ASSERT(same<F>(floating(Code::FAdd, width, a, b), x + y));
  RC_ASSERT(same<F>(floating(Code::FSub, width, a, b), x - y));
  RC_ASSERT(same<F>(floating(Code::FMul, width, a, b), x * y));
  RC_ASSERT(same<F>(floating(Code::FDiv, width, a, b), x / y));
  RC_ASSERT(same<F>(floating(Code::FRem, width, a, b), std::fmod(x, y)));
  RC_ASSERT(same<F>(floating(Code::FNeg, width, a, 0), -x));
  const auto compare = [&](std::uint32_t predicate) { return floating_compare(predicate, width, a, b); };
  const bool unordered = std::isnan(x) || std::isnan(y);
  RC_ASSERT(!compare(0));
  RC_ASSERT(compare(1) == (x == y));
  RC_ASSERT(compare(2) == (x > y));
  RC_ASSERT(compare(3) == (x >= y));
  RC_ASSERT(compare(4) == (x < y));
  RC_ASSERT(compare(5) == (x <= y));
  RC_ASSERT(compare(6) == (x < y || x > y));
  RC_ASSERT(compare(7) == !unordered);
  RC_ASSERT(compare(8) == unordered);
  RC_ASSERT(compare(9) == (unordered || x == y));
  RC_ASSERT(compare(10) == !(x <= y));
  RC_ASSERT(compare(11) == !(x < y));
  RC_ASSERT(compare(12) == !(x >= y));
  RC_ASSERT(compare(13) == !(x > y));
  RC_ASSERT(compare(14) == (x != y));
  RC_ASSERT(compare(15));
  RC_ASSERT(same<F>(math(MathFunction::SquareRoot, width, a, 0, 0), std::sqrt(x)));
  RC_ASSERT(same<F>(math(MathFunction::Maximum, width, a, b, 0), std::fmax(x, y)) || x == y);
  RC_ASSERT(same<F>(math(MathFunction::MultiplyAdd, width, a, b, c), std::fma(x, y, z)));
  RC_ASSERT(same<F>(math(MathFunction::Round, width, a, 0, 0), std::round(x)));
  RC_ASSERT(same<F>(math(MathFunction::RoundEven, width, a, 0, 0), std::rint(x)));
  RC_ASSERT(same<F>(math(MathFunction::CopySign, width, a, b, 0), std::copysign(x, y)));
  // Conversions.
  RC_ASSERT(same<double>(convert(Code::FloatToFloat, 64, width, a), static_cast<double>(x)));
  RC_ASSERT(same<float>(convert(Code::FloatToFloat, 32, width, a), static_cast<float>(x)));
  const auto integer = *rc::gen::arbitrary<std::int64_t>();
  const auto bits = static_cast<Word>(integer);
  RC_ASSERT(same<F>(convert(Code::SignedToFloat, width, 64, bits), static_cast<F>(integer)));
  RC_ASSERT(same<F>(convert(Code::UnsignedToFloat, width, 64, bits), static_cast<F>(bits)));
  if (std::fabs(x) < F(1LL << 62)) {
    const Word whole = static_cast<Word>(static_cast<std::int64_t>(x));
    RC_ASSERT((convert(Code::FloatToSigned, 64, width, a) == whole));
    if (x >= 0) RC_ASSERT((convert(Code::FloatToUnsigned, 64, width, a) == whole));
    if (std::fabs(x) < F(30'000)) RC_ASSERT((convert(Code::FloatToSigned, 16, width, a) == (whole & 0xFFFF)));
  }
}

TEST(Arithmetic, FloatsAgree) {
  check_random(count_of(2'000, 200'000), floats_agree<float>);
  check_random(count_of(2'000, 200'000), floats_agree<double>);
  if (has_extended) check_random(count_of(2'000, 200'000), floats_agree<long double>);
}

TEST(Arithmetic, FloatsThatNoIntegerHoldsHaveAValue) {
  EXPECT_TRUE(convert(Code::FloatToSigned, 32, 64, bits_of(std::nan(""))) == 0x80000000);
  EXPECT_TRUE(convert(Code::FloatToSigned, 64, 64, bits_of(1e300)) == Wide{1} << 63);
  EXPECT_TRUE(convert(Code::FloatToUnsigned, 64, 32, bits_of(1e19F)) == static_cast<Word>(1e19F));
  EXPECT_TRUE(convert(Code::FloatToUnsigned, 128, 64, bits_of(0x1p127)) == Wide{1} << 127);
}

TEST(Arithmetic, ModifyAgrees) {
  check_random(count_of(2'000, 200'000), [] {
    const auto a = static_cast<std::uint32_t>(random_word()), b = static_cast<std::uint32_t>(random_word());
    const auto sa = static_cast<std::int32_t>(a), sb = static_cast<std::int32_t>(b);
    const auto is = [&](Rmw rmw, std::uint32_t expected) { return modify(rmw, 32, a, b) == expected; };
    RC_ASSERT(is(Rmw::Exchange, b));
    RC_ASSERT(is(Rmw::Add, a + b));
    RC_ASSERT(is(Rmw::Sub, a - b));
    RC_ASSERT(is(Rmw::And, a & b));
    RC_ASSERT(is(Rmw::Nand, ~(a & b)));
    RC_ASSERT(is(Rmw::Or, a | b));
    RC_ASSERT(is(Rmw::Xor, a ^ b));
    RC_ASSERT(is(Rmw::Max, static_cast<std::uint32_t>(std::max(sa, sb))));
    RC_ASSERT(is(Rmw::Min, static_cast<std::uint32_t>(std::min(sa, sb))));
    RC_ASSERT(is(Rmw::UMax, std::max(a, b)));
    RC_ASSERT(is(Rmw::UMin, std::min(a, b)));
  });
}

}  // namespace
}  // namespace heddle::native::arithmetic_test
