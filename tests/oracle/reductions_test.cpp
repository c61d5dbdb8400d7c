// The default reductions against the oracle: the same verdict of every property.
#include <gtest/gtest.h>

#include "oracle/case.h"

namespace heddle::oracle {
namespace {

using unkind::Draw;

Case plain(std::uint64_t seed, Draw&) { return unkind_case(seed, false); }
Case naming(std::uint64_t seed, Draw&) { return unkind_case(seed, true); }

TEST(OracleReductions, Multiset) { compare_many(80, 50'000, plain, &agree_reduced); }
TEST(OracleReductions, Fifo) {
  compare_many(
      60, 51'000,
      [](std::uint64_t seed, Draw& d) {
        Case c = plain(seed, d);
        c.network.order = Network::Order::Fifo;
        return c;
      },
      &agree_reduced);
}
TEST(OracleReductions, DISABLED_MembersSingledOut) { compare_many(80, 52'000, naming, &agree_reduced); }

}  // namespace
}  // namespace heddle::oracle
