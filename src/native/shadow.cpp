// Computes for each operation which bits of its result depend on undefined bits of its operands.
#include "native/shadow.h"

#include <algorithm>

namespace heddle::native {
namespace {

// A carry may reach every bit above the lowest undefined one.
Wide and_above(Wide undefined, unsigned width) { return (undefined | (~undefined + 1)) & low_bits<Wide>(width); }

Wide all_if(bool any, unsigned width) { return any ? low_bits<Wide>(width) : 0; }

// Whether a < b, or a <= b, depends on undefined bits: with the smallest a and the largest b the answer is another one
// than with the largest a and the smallest b. Signed numbers are compared as unsigned ones with their sign flipped.
bool order_is_undefined(Shadowed a, Shadowed b, unsigned width, bool is_signed, bool or_equal) {
  const Wide sign = is_signed ? Wide{1} << (width - 1) : 0;
  const auto lowest = [&](Shadowed s) { return (s.value ^ sign) & ~s.undefined; };
  const auto highest = [&](Shadowed s) { return (s.value ^ sign) | s.undefined; };
  const auto less = [&](Wide x, Wide y) { return or_equal ? x <= y : x < y; };
  return less(lowest(a), highest(b)) != less(highest(a), lowest(b));
}

// By `amount`, which is defined. What comes in from outside is defined, but for copies of the sign.
Wide shifted(Code code, unsigned width, Wide undefined, Wide amount) {
  if (amount >= width) return 0;
  const auto by = static_cast<unsigned>(amount);
  if (code == Code::Shl) return undefined << by & low_bits<Wide>(width);
  if (code == Code::LShr) return undefined >> by;
  return static_cast<Wide>(sign_extend(undefined, width) >> by) & low_bits<Wide>(width);
}

}  // namespace

bool equality_is_undefined(Shadowed a, Shadowed b) {
  const Wide undefined = a.undefined | b.undefined;
  return undefined != 0 && ((a.value ^ b.value) & ~undefined) == 0;
}

Wide shadow_of(const Operation& x, Shadowed a, Shadowed b, Shadowed c) {
  const unsigned width = x.width;
  const Wide either = a.undefined | b.undefined;
  switch (x.code) {
    case Code::Add:
    case Code::Sub:
    case Code::Mul:
    case Code::AddOverflow:
    case Code::SubOverflow:
    case Code::MulOverflow:
      return and_above(either, width);
    case Code::And:
      return (a.undefined & (b.value | b.undefined)) | (b.undefined & (a.value | a.undefined));
    case Code::Or:
      return ((a.undefined & ~b.value) | (b.undefined & ~a.value)) & low_bits<Wide>(width);
    case Code::Xor:
      return either;
    case Code::Shl:
    case Code::LShr:
    case Code::AShr:
      return b.undefined != 0 ? low_bits<Wide>(width) : shifted(x.code, width, a.undefined, b.value);
    case Code::Eq:
    case Code::Ne:
      return equality_is_undefined(a, b) ? 1 : 0;
    case Code::Ult:
    case Code::Uge:
      return order_is_undefined(a, b, width, false, false) ? 1 : 0;
    case Code::Ule:
    case Code::Ugt:
      return order_is_undefined(a, b, width, false, true) ? 1 : 0;
    case Code::Slt:
    case Code::Sge:
      return order_is_undefined(a, b, width, true, false) ? 1 : 0;
    case Code::Sle:
    case Code::Sgt:
      return order_is_undefined(a, b, width, true, true) ? 1 : 0;
    case Code::FCompare:
      return either != 0 ? 1 : 0;
    case Code::Truncate:
      return a.undefined & low_bits<Wide>(width);
    case Code::ZeroExtend:
      return a.undefined & low_bits<Wide>(static_cast<unsigned>(x.immediate));
    case Code::SignExtend:
      return static_cast<Wide>(sign_extend(a.undefined, static_cast<unsigned>(x.immediate))) & low_bits<Wide>(width);
    case Code::FNeg:
      return a.undefined;
    case Code::ByteSwap:
    case Code::BitReverse:
      return bit_operation(x.code, width, a.undefined);
    case Code::FunnelShiftLeft:
    case Code::FunnelShiftRight:
      return c.undefined != 0 ? low_bits<Wide>(width) : funnel_shift(x.code, width, a.undefined, b.undefined, c.value);
    default:
      return all_if((either | c.undefined) != 0, width);
  }
}

Wide shadow_of(Rmw rmw, unsigned width, Shadowed old, Shadowed operand) {
  Operation x;
  x.width = static_cast<std::uint16_t>(width);
  switch (rmw) {
    case Rmw::Exchange:
      return operand.undefined;
    case Rmw::And:
    case Rmw::Nand:
      x.code = Code::And;
      break;
    case Rmw::Or:
      x.code = Code::Or;
      break;
    case Rmw::Xor:
      x.code = Code::Xor;
      break;
    case Rmw::Add:
    case Rmw::Sub:
      x.code = Code::Add;
      break;
    default:
      return all_if((old.undefined | operand.undefined) != 0, width);
  }
  return shadow_of(x, old, operand, {});
}

}  // namespace heddle::native
