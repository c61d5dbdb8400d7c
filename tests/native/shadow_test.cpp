// Shadows of results against all ways to fill in the undefined bits: a bit of a result that takes both values must be
// undefined, and for operations that are followed bit by bit no other bit is.
#include "native/shadow.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "support/long_run.h"

namespace heddle::native::shadow_test {
namespace {

using testing::count_of;

constexpr unsigned width = 6;

// Calls f with every value that agrees with `s` in the defined bits.
void for_each_completion(Shadowed s, const std::function<void(Wide)>& f) {
  Wide fill = 0;
  do {
    f(s.value | fill);
    fill = (fill - s.undefined) & s.undefined;
  } while (fill != 0);
}

// The bits of f(a, b) that are not the same for all completions.
Wide exact(Shadowed a, Shadowed b, const std::function<Wide(Wide, Wide)>& f) {
  Wide ones = ~Wide{0}, zeros = ~Wide{0};
  for_each_completion(a, [&](Wide x) {
    for_each_completion(b, [&](Wide y) {
      ones &= f(x, y);
      zeros &= ~f(x, y);
    });
  });
  return ~(ones | zeros);
}

Shadowed random_value(std::mt19937_64& random) {
  const Wide mask = low_bits<Wide>(width);
  const auto few = [&random] { return random() & random(); };  // NOLINT(misc-redundant-expression): two numbers
  Shadowed s{random() & mask, few() & mask};
  if (random() % 4 == 0) s.undefined = 0;
  s.value &= ~s.undefined;
  return s;
}

struct Rule {
  Code code;
  std::function<Wide(Wide, Wide)> compute;
  bool is_exact;  // no bit is undefined without need
  bool defined_second = false;
};

template <Code code>
Rule rule(bool is_exact, bool defined_second = false) {
  return {code, [](Wide a, Wide b) { return integer<code, Wide>(width, a, b); }, is_exact, defined_second};
}

TEST(Shadow, BitsThatMayDifferAreUndefined) {
  const std::vector<Rule> rules = {
      rule<Code::Add>(false),  rule<Code::Sub>(false),      rule<Code::Mul>(false),       rule<Code::And>(true),
      rule<Code::Or>(true),    rule<Code::Xor>(true),       rule<Code::Shl>(false),       rule<Code::LShr>(false),
      rule<Code::AShr>(false), rule<Code::Shl>(true, true), rule<Code::LShr>(true, true), rule<Code::AShr>(true, true),
      rule<Code::Eq>(true),    rule<Code::Ne>(true),        rule<Code::Ult>(true),        rule<Code::Ule>(true),
      rule<Code::Ugt>(true),   rule<Code::Uge>(true),       rule<Code::Slt>(true),        rule<Code::Sle>(true),
      rule<Code::Sgt>(true),   rule<Code::Sge>(true),
  };
  std::mt19937_64 random(::testing::UnitTest::GetInstance()->random_seed() + 1);
  for (const Rule& each : rules) {
    for (std::size_t i = 0; i < count_of(300, 20'000); ++i) {
      const Shadowed a = random_value(random);
      Shadowed b = random_value(random);
      if (each.defined_second) b.undefined = 0, b.value %= width;
      const Wide found = shadow_of({.code = each.code, .width = width}, a, b, {});
      const Wide needed = exact(a, b, each.compute);
      SCOPED_TRACE(static_cast<int>(each.code));
      ASSERT_EQ(static_cast<Word>(needed & ~found), 0U) << "a bit that may differ counts as defined";
      if (each.is_exact) {
        ASSERT_EQ(static_cast<Word>(found), static_cast<Word>(needed));
      }
      ASSERT_EQ(static_cast<Word>(found >> width), 0U);
    }
  }
}

TEST(Shadow, OfConversions) {
  const Shadowed a{0b0010, 0b1000};
  const auto of = [&](Code code, std::uint16_t to, Word from, Shadowed s) {
    return static_cast<Word>(shadow_of({.code = code, .width = to, .immediate = from}, s, {}, {}));
  };
  EXPECT_EQ(of(Code::Truncate, 3, 4, a), 0U);
  EXPECT_EQ(of(Code::ZeroExtend, 8, 4, a), 0b1000U);
  EXPECT_EQ(of(Code::SignExtend, 8, 4, a), 0b11111000U);
  EXPECT_EQ(of(Code::SignExtend, 8, 4, {0b0010, 0b0100}), 0b00000100U);
  EXPECT_EQ(of(Code::SignedToFloat, 32, 4, a), 0xFFFFFFFFU);
  EXPECT_EQ(of(Code::ByteSwap, 16, 0, {0, 0x00F0}), 0xF000U);
}

TEST(Shadow, OfReadModifyWrite) {
  const auto of = [](Rmw rmw, Shadowed old, Shadowed operand) {
    return static_cast<Word>(shadow_of(rmw, 8, old, operand));
  };
  const Shadowed undefined{0, 0xFF};
  EXPECT_EQ(of(Rmw::Exchange, undefined, {3, 0}), 0U);
  EXPECT_EQ(of(Rmw::Exchange, {3, 0}, undefined), 0xFFU);
  EXPECT_EQ(of(Rmw::And, undefined, {0x0F, 0}), 0x0FU);
  EXPECT_EQ(of(Rmw::Or, undefined, {0x0F, 0}), 0xF0U);
  EXPECT_EQ(of(Rmw::Add, {0, 0x10}, {1, 0}), 0xF0U);
  EXPECT_EQ(of(Rmw::Max, {0, 0x10}, {1, 0}), 0xFFU);
}

}  // namespace
}  // namespace heddle::native::shadow_test
