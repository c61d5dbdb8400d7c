#include "core/budget.h"

#include <gtest/gtest.h>

#include "core/remaining.h"

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

TEST(Budget, NamesTheTimeThatTheUserGave) {
  EXPECT_EQ(time_limit_text({.seconds = 7}), "time limit of 7 s");
  EXPECT_EQ(time_limit_text(remaining(Budget({.seconds = 7}))), "time limit of 7 s");
  const Limits nothing_left = remaining(Budget({.seconds = -1, .asked_seconds = 0}));
  EXPECT_EQ(nothing_left.seconds, 0);
  EXPECT_EQ(time_limit_text(nothing_left), "time limit of 0 s");
}

}  // namespace
}  // namespace heddle::budget_test
