// Compares everything, for as long as one likes: an hour in all with HEDDLE_LONG=1, or HEDDLE_ORACLE_SECONDS for
// each test.
//
// A case that was printed can be compared again, alone, by
//   HEDDLE_ORACLE_CASE='unkind -p seed=7 ... --network fifo' test_oracle --gtest_filter=OracleCase.*
// and can be shrunk by changing that text.
#include <gtest/gtest.h>

#include <iostream>

#include "oracle/agree.h"

namespace heddle::oracle::long_test {
namespace {

using unkind::Draw;

constexpr double ten_minutes = 580;

TEST(OracleCase, AsTold) {
  const char* told = std::getenv("HEDDLE_ORACLE_CASE");
  if (told == nullptr) told = "unkind -p seed=7 -p nodes=2 --network fifo";
  for (const auto& [property, state] : explore(Oracle(read_case(told).model()), most_states).where) {
    std::cout << property << " is decided in" << state << "\n";
  }
  agree(read_case(told), 0);
  agree_reduced(read_case(told), 0);
}

TEST(OracleCase, IsReadAsItIsPrinted) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Draw d(seed, 301, 0);
    Case c = unkind_case(seed, d.one_in(2));
    whatever(c, d);
    EXPECT_EQ(read_case(c.text()).text(), c.text());
  }
}

// A bound cuts the search off, and a property singles out a member: symmetry still has to be checked.
TEST(OracleCase, SymmetryIsCheckedWithinABound) {
  agree_reduced(read_case("unkind -p bound=1 -p exits=1 -p hubs=1 -p names=1 -p nodes=2 -p quorum=2 -p seed=7024848 "
                          "-p sends=2 -p together=0 --network fifo --traffic M --capacity 1 --when-full overwrite"),
                0);
}

TEST(OracleLong, SlowNetworks) {
  compare_many(
      5, 1'000'000,
      [](std::uint64_t seed, Draw& d) {
        Case c = unkind_case(seed, d.one_in(2));
        anywhere(c, d);
        return c;
      },
      &agree, ten_minutes);
}
TEST(OracleLong, SlowFaults) {
  compare_many(
      5, 2'000'000,
      [](std::uint64_t seed, Draw& d) {
        Case c = unkind_case(seed, d.one_in(2));
        anywhere(c, d);
        with_faults(c, d);
        return c;
      },
      &agree, ten_minutes);
}
TEST(OracleLong, SlowSpawn) {
  compare_many(
      5, 3'000'000,
      [](std::uint64_t seed, Draw& d) {
        Case c = family_case(seed, d, d.one_in(2));
        anywhere(c, d);
        return c;
      },
      &agree, ten_minutes);
}
TEST(OracleLong, SlowClients) {
  compare_many(
      5, 4'000'000,
      [](std::uint64_t seed, Draw& d) {
        Case c = client_case(seed, d, d.one_in(2));
        anywhere(c, d);
        if (d.one_in(3)) c.faults.crashes = 1;
        c.faults.recovery = c.faults.crashes > 0 && d.one_in(2);
        return c;
      },
      &agree, ten_minutes);
}
TEST(OracleLong, SlowReductions) {
  compare_many(
      5, 5'000'000,
      [](std::uint64_t seed, Draw& d) {
        Case c = unkind_case(seed, false);
        anywhere(c, d);
        with_faults(c, d);
        return c;
      },
      &agree_reduced, ten_minutes);
}
TEST(OracleLong, SlowReductionsOfFamiliesAndClients) {
  compare_many(
      5, 6'000'000,
      [](std::uint64_t seed, Draw& d) {
        Case c = d.one_in(2) ? family_case(seed, d, false) : client_case(seed, d, false);
        anywhere(c, d);
        return c;
      },
      &agree_reduced, ten_minutes);
}

TEST(OracleLong, SlowReductionsWhereMembersAreSingledOut) {
  compare_many(
      5, 7'000'000,
      [](std::uint64_t seed, Draw& d) {
        const int kind = d.below(4);
        Case c = kind == 0   ? family_case(seed, d, true)
                 : kind == 1 ? client_case(seed, d, true)
                             : unkind_case(seed, true);
        anywhere(c, d);
        return c;
      },
      &agree_reduced, ten_minutes);
}

}  // namespace
}  // namespace heddle::oracle::long_test
