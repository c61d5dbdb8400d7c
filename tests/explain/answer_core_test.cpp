// Which answers leave no order: minimal, and what the budget leaves is said.
#include "explain/answer_core.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace heddle::explain::answer_core_test {
namespace {

using testing::ElementsAre;

TEST(AnswerCore, KeepsWhatGivesAnOrderWithoutIt) {
  // No order exists as long as answers 1 and 3 count, or 0, 1 and 4.
  const auto admitted = [](const std::vector<bool>& counts) {
    return !(counts[1] && counts[3]) && !(counts[0] && counts[1] && counts[4]);
  };
  const AnswerCore core = answer_core(6, {0, 1, 3, 4}, admitted);
  EXPECT_TRUE(core.minimal);
  EXPECT_THAT(core.operations, ElementsAre(1, 3));
}

// A core is a set of conflicts without a conflict in any part of it.
TEST(AnswerCore, IsMinimalAmongRandomConflicts) {
  std::mt19937 random(5);
  for (int i = 0; i < 500; ++i) {
    const std::size_t n = 1 + random() % 6;
    std::vector<std::uint32_t> conflicts(1 + random() % 4);
    for (auto& one : conflicts) one = 1 + static_cast<std::uint32_t>(random() % ((1u << n) - 1));
    const auto admitted = [&](const std::vector<bool>& counts) {
      std::uint32_t mask = 0;
      for (std::size_t k = 0; k < n; ++k) mask |= counts[k] ? 1u << k : 0;
      return std::ranges::none_of(conflicts, [&](std::uint32_t one) { return (one & mask) == one; });
    };
    std::vector<std::uint32_t> answered(n);
    for (std::uint32_t k = 0; k < n; ++k) answered[k] = k;
    const AnswerCore core = answer_core(n, answered, admitted);
    std::vector<bool> counts(n, false);
    for (const auto k : core.operations) counts[k] = true;
    ASSERT_FALSE(admitted(counts)) << i;
    for (const auto k : core.operations) {
      counts[k] = false;
      ASSERT_TRUE(admitted(counts)) << i;
      counts[k] = true;
    }
  }
}

TEST(AnswerCore, SaysWhenTheBudgetEnded) {
  Budget budget(Limits{.seconds = 0});
  const AnswerCore core = answer_core(2, {0, 1}, [](const std::vector<bool>&) { return false; }, &budget);
  EXPECT_FALSE(core.minimal);
  EXPECT_THAT(core.operations, ElementsAre(0, 1));
}

}  // namespace
}  // namespace heddle::explain::answer_core_test
