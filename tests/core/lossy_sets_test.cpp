#include "core/lossy_sets.h"

#include <gtest/gtest.h>

#include "core/pair_table.h"

namespace heddle::lossy_sets_test {
namespace {

TEST(HashCompactSet, FindsWhatWasInsertedAndStatesItsRisk) {
  HashCompactSet set(1 << 20);
  std::size_t missed = 0;
  for (std::uint64_t i = 1; i <= 100'000; ++i) missed += !set.insert(PairTable::hash(i));
  for (std::uint64_t i = 1; i <= 100'000; ++i) ASSERT_FALSE(set.insert(PairTable::hash(i)));
  EXPECT_LE(missed, 2u);  // about 0.0004 are expected
  EXPECT_GT(set.omission_probability(), 0.0);
  EXPECT_LT(set.omission_probability(), 0.01);
}

TEST(HashCompactSet, SaysWhenItIsFull) {
  HashCompactSet set(std::size_t{64} * 8);
  EXPECT_THROW(
      {
        for (std::uint64_t i = 1; i < 10'000; ++i) set.insert(PairTable::hash(i));
      },
      TableFull);
}

TEST(BitstateSet, NeverReportsAKnownStateAsNew) {
  BitstateSet set(1 << 16);
  std::size_t fresh = 0;
  for (std::uint64_t i = 1; i <= 10'000; ++i) fresh += set.insert(PairTable::hash(i));
  for (std::uint64_t i = 1; i <= 10'000; ++i) ASSERT_FALSE(set.insert(PairTable::hash(i)));
  EXPECT_GT(fresh, 9'900u);
  EXPECT_NE(set.note(fresh).find("may miss"), std::string::npos);
}

}  // namespace
}  // namespace heddle::lossy_sets_test
