#include "core/budget.h"

#include <gtest/gtest.h>

namespace heddle::budget_test {
namespace {

TEST(Budget, StopsForMemoryAndKeepsTheFirstReason) {
  Budget budget({.bytes = 1000});
  EXPECT_TRUE(budget.check(1000));
  EXPECT_EQ(budget.reason(), "");
  EXPECT_FALSE(budget.check(1001));
  budget.stop(Budget::Stop::Time);
  EXPECT_EQ(budget.stopped(), Budget::Stop::Memory);
  EXPECT_NE(budget.reason().find("memory limit"), std::string::npos);
  EXPECT_FALSE(budget.check(0));
}

TEST(Budget, StopsForTime) {
  Budget budget({.seconds = 0});
  while (budget.check(0)) {
  }
  EXPECT_EQ(budget.stopped(), Budget::Stop::Time);
  EXPECT_EQ(budget.reason(), "time limit of 0 s");
}

}  // namespace
}  // namespace heddle::budget_test
