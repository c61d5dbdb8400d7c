// One switch over operations for integers and one for floating point, on the host's own arithmetic where it is defined.
#include "native/arithmetic.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace heddle::native {
namespace {

template <class Float>
constexpr std::size_t float_size = std::is_same_v<Float, long double> ? 10 : sizeof(Float);

// Calls f with a Float of the width: float, double or long double.
template <class F>
auto with_float(unsigned width, const F& f) {
  if (width == 32) return f(float{});
  if (width == 64) return f(double{});
  return f(static_cast<long double>(0));
}

unsigned leading_zeros(unsigned width, Wide a) {
  const auto upper = static_cast<Word>(a >> 64);
  const auto all =
      static_cast<unsigned>(upper != 0 ? std::countl_zero(upper) : 64 + std::countl_zero(static_cast<Word>(a)));
  return all - (128 - width);
}

unsigned trailing_zeros(unsigned width, Wide a) {
  if (a == 0) return width;
  const auto lower = static_cast<Word>(a);
  return static_cast<unsigned>(lower != 0 ? std::countr_zero(lower)
                                          : 64 + std::countr_zero(static_cast<Word>(a >> 64)));
}

template <class Float>
Wide to_integer(Float value, unsigned width) {
  const Float whole = std::trunc(value);
  const Float limit = std::ldexp(Float{1}, 127);  // infinite as a float: then every finite value is below it
  Wide result = Wide{1} << (width - 1);
  if (std::isnan(whole) || std::isinf(whole)) return result;
  if (whole >= -limit && whole < limit) {
    result = static_cast<Wide>(static_cast<SignedWide>(whole));
  } else if (whole >= limit && whole / 2 < limit) {
    result = static_cast<Wide>(whole);
  }
  return result & low_bits<Wide>(width);
}

template <class Float>
Wide floating_of(Code code, Wide a, Wide b) {
  const auto x = float_of<Float>(a), y = float_of<Float>(b);
  switch (code) {
    case Code::FAdd:
      return bits_of<Float>(x + y);
    case Code::FSub:
      return bits_of<Float>(x - y);
    case Code::FMul:
      return bits_of<Float>(x * y);
    case Code::FDiv:
      return bits_of<Float>(x / y);
    case Code::FRem:
      return bits_of<Float>(std::fmod(x, y));
    default:
      return bits_of<Float>(-x);
  }
}

template <class Float>
bool compare_of(std::uint32_t predicate, Wide a, Wide b) {
  // Bit 0: equal, bit 1: greater, bit 2: less, bit 3: unordered.
  const auto x = float_of<Float>(a), y = float_of<Float>(b);
  const bool holds =
      ((predicate & 1) != 0 && x == y) || ((predicate & 2) != 0 && x > y) || ((predicate & 4) != 0 && x < y);
  return holds || ((predicate & 8) != 0 && (std::isnan(x) || std::isnan(y)));
}

template <class Float>
Float math_of(MathFunction function, Float a, Float b, Float c) {
  switch (function) {
    case MathFunction::SquareRoot:
      return std::sqrt(a);
    case MathFunction::Absolute:
      return std::fabs(a);
    case MathFunction::Floor:
      return std::floor(a);
    case MathFunction::Ceil:
      return std::ceil(a);
    case MathFunction::Truncate:
      return std::trunc(a);
    case MathFunction::Round:
      return std::round(a);
    case MathFunction::RoundEven:
      return std::nearbyint(a);
    case MathFunction::Minimum:
      return std::fmin(a, b);
    case MathFunction::Maximum:
      return std::fmax(a, b);
    case MathFunction::CopySign:
      return std::copysign(a, b);
    case MathFunction::MultiplyAdd:
      return std::fma(a, b, c);
    case MathFunction::Sine:
      return std::sin(a);
    case MathFunction::Cosine:
      return std::cos(a);
    case MathFunction::Exp:
      return std::exp(a);
    case MathFunction::Log:
      return std::log(a);
    case MathFunction::Power:
      return std::pow(a, b);
  }
  return a;
}

}  // namespace

template <class Float>
Float float_of(Wide bits) {
  Float value{};
  std::memcpy(&value, &bits, std::min(float_size<Float>, sizeof(Float)));
  return value;
}

template <class Float>
Wide bits_of(Float value) {
  Wide bits = 0;
  std::memcpy(&bits, &value, std::min(float_size<Float>, sizeof(Float)));
  return bits;
}

template float float_of<float>(Wide);
template double float_of<double>(Wide);
template long double float_of<long double>(Wide);
template Wide bits_of<float>(float);
template Wide bits_of<double>(double);
template Wide bits_of<long double>(long double);

const char* division_fails(Code code, unsigned width, Wide a, Wide b) {
  if (b == 0) return "division by zero";
  const bool is_signed = code == Code::SDiv || code == Code::SRem;
  if (is_signed && a == Wide{1} << (width - 1) && b == low_bits<Wide>(width)) {
    return "overflow of a division: the smallest number by -1";
  }
  return nullptr;
}

Wide bit_operation(Code code, unsigned width, Wide a) {
  switch (code) {
    case Code::CountLeadingZeros:
      return leading_zeros(width, a);
    case Code::CountTrailingZeros:
      return trailing_zeros(width, a);
    case Code::CountOnes:
      return static_cast<Wide>(std::popcount(static_cast<Word>(a))) +
             static_cast<Wide>(std::popcount(static_cast<Word>(a >> 64)));
    default: {
      const unsigned group = code == Code::ByteSwap ? 8 : 1;
      Wide result = 0;
      for (unsigned i = 0; i < width; i += group) result = result << group | (a >> i & low_bits<Wide>(group));
      return result;
    }
  }
}

Wide funnel_shift(Code code, unsigned width, Wide a, Wide b, Wide c) {
  const auto by = static_cast<unsigned>(c % width);
  if (by == 0) return code == Code::FunnelShiftLeft ? a : b;
  const unsigned left = code == Code::FunnelShiftLeft ? by : width - by;
  return (a << left | b >> (width - left)) & low_bits<Wide>(width);
}

Overflowing with_overflow(Code code, unsigned width, bool is_unsigned, Wide a, Wide b) {
  const Wide mask = low_bits<Wide>(width);
  Overflowing result;
  if (is_unsigned) {
    Wide value = 0;
    result.overflow = code == Code::AddOverflow   ? __builtin_add_overflow(a, b, &value)
                      : code == Code::SubOverflow ? __builtin_sub_overflow(a, b, &value)
                                                  : __builtin_mul_overflow(a, b, &value);
    result.overflow |= (value & ~mask) != 0;
    result.value = value & mask;
    return result;
  }
  const SignedWide x = sign_extend(a, width), y = sign_extend(b, width);
  SignedWide value = 0;
  result.overflow = code == Code::AddOverflow   ? __builtin_add_overflow(x, y, &value)
                    : code == Code::SubOverflow ? __builtin_sub_overflow(x, y, &value)
                                                : __builtin_mul_overflow(x, y, &value);
  result.value = static_cast<Wide>(value) & mask;
  result.overflow |= sign_extend(result.value, width) != value;
  return result;
}

Wide saturating(Code code, unsigned width, bool is_unsigned, Wide a, Wide b) {
  const Code checked = code == Code::AddSaturating ? Code::AddOverflow : Code::SubOverflow;
  const Overflowing result = with_overflow(checked, width, is_unsigned, a, b);
  if (!result.overflow) return result.value;
  const Wide lowest = Wide{1} << (width - 1);
  if (is_unsigned) return code == Code::AddSaturating ? low_bits<Wide>(width) : 0;
  return (a & lowest) != 0 ? lowest : lowest - 1;
}

Wide convert(Code code, unsigned width, unsigned from, Wide a) {
  switch (code) {
    case Code::SignExtend:
      return static_cast<Wide>(sign_extend(a, from)) & low_bits<Wide>(width);
    case Code::FloatToUnsigned:
    case Code::FloatToSigned:
      return with_float(from, [&](auto f) { return to_integer(float_of<decltype(f)>(a), width); });
    case Code::UnsignedToFloat:
      return with_float(width, [&](auto f) { return bits_of(static_cast<decltype(f)>(a)); });
    case Code::SignedToFloat:
      return with_float(width, [&](auto f) { return bits_of(static_cast<decltype(f)>(sign_extend(a, from))); });
    case Code::FloatToFloat:
      return with_float(from, [&](auto f) {
        const auto value = float_of<decltype(f)>(a);
        return with_float(width, [&](auto g) { return bits_of(static_cast<decltype(g)>(value)); });
      });
    default:  // Truncate, ZeroExtend
      return a & low_bits<Wide>(width);
  }
}

Wide floating(Code code, unsigned width, Wide a, Wide b) {
  return with_float(width, [&](auto f) { return floating_of<decltype(f)>(code, a, b); });
}

bool floating_compare(std::uint32_t predicate, unsigned width, Wide a, Wide b) {
  return with_float(width, [&](auto f) { return compare_of<decltype(f)>(predicate, a, b); });
}

Wide math(MathFunction function, unsigned width, Wide a, Wide b, Wide c) {
  return with_float(width, [&](auto f) {
    using Float = decltype(f);
    return bits_of(math_of(function, float_of<Float>(a), float_of<Float>(b), float_of<Float>(c)));
  });
}

Wide modify(Rmw rmw, unsigned width, Wide old, Wide operand) {
  const Wide mask = low_bits<Wide>(width);
  switch (rmw) {
    case Rmw::Exchange:
      return operand;
    case Rmw::Add:
      return (old + operand) & mask;
    case Rmw::Sub:
      return (old - operand) & mask;
    case Rmw::And:
      return old & operand;
    case Rmw::Nand:
      return ~(old & operand) & mask;
    case Rmw::Or:
      return old | operand;
    case Rmw::Xor:
      return old ^ operand;
    case Rmw::Max:
      return sign_extend(old, width) > sign_extend(operand, width) ? old : operand;
    case Rmw::Min:
      return sign_extend(old, width) < sign_extend(operand, width) ? old : operand;
    case Rmw::UMax:
      return std::max(old, operand);
    case Rmw::UMin:
      return std::min(old, operand);
    case Rmw::FAdd:
      return floating(Code::FAdd, width, old, operand);
    case Rmw::FSub:
      return floating(Code::FSub, width, old, operand);
  }
  return operand;
}

}  // namespace heddle::native
