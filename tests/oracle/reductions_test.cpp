// Compares the default reductions with the oracle: every property has to get the same verdict.
#include <gtest/gtest.h>

#include "oracle/agree.h"

namespace heddle::oracle::reductions_test {
namespace {

using unkind::Draw;

TEST(OracleReductions, Multiset) {
  compare_many(80, 50'000, [](std::uint64_t seed, Draw&) { return unkind_case(seed, false); }, &agree_reduced);
}
TEST(OracleReductions, SlowAnyNetwork) {
  compare_many(
      80, 51'000,
      [](std::uint64_t seed, Draw& d) {
        Case c = unkind_case(seed, false);
        anywhere(c, d);
        return c;
      },
      &agree_reduced);
}
TEST(OracleReductions, Faults) {
  compare_many(
      60, 52'000,
      [](std::uint64_t seed, Draw& d) {
        Case c = unkind_case(seed, false);
        if (d.one_in(2)) anywhere(c, d);
        with_faults(c, d);
        return c;
      },
      &agree_reduced);
}
TEST(OracleReductions, MembersSingledOut) {
  compare_many(
      80, 53'000,
      [](std::uint64_t seed, Draw& d) {
        const int kind = d.below(4);
        Case c = kind == 0   ? family_case(seed, d, true)
                 : kind == 1 ? client_case(seed, d, true)
                             : unkind_case(seed, true);
        if (d.one_in(2)) anywhere(c, d);
        return c;
      },
      &agree_reduced);
}
TEST(OracleReductions, Spawn) {
  compare_many(
      80, 54'000,
      [](std::uint64_t seed, Draw& d) {
        Case c = family_case(seed, d, false);
        if (d.one_in(2)) anywhere(c, d);
        return c;
      },
      &agree_reduced);
}
TEST(OracleReductions, Clients) {
  compare_many(
      60, 55'000,
      [](std::uint64_t seed, Draw& d) {
        Case c = client_case(seed, d, false);
        if (d.one_in(2)) anywhere(c, d);
        if (d.one_in(4)) c.faults.crashes = 1;
        return c;
      },
      &agree_reduced);
}

}  // namespace
}  // namespace heddle::oracle::reductions_test
