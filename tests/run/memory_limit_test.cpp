// The memory that a run may take where nobody has said how much.
#include "run/memory_limit.h"

#include <gtest/gtest.h>

#include "core/memory.h"

namespace heddle::run::memory_limit_test {
namespace {

TEST(DefaultMemoryLimit, IsFourFifthsOfWhatIsLeft) {
  const auto left = static_cast<double>(memory_left());
  set_memory_limit({});
  const auto more = static_cast<double>(memory_limit()) - static_cast<double>(resident_bytes());
  lift_memory_limit();
  // Other programs take and give back memory meanwhile.
  EXPECT_GT(more, 0.6 * left);
  EXPECT_LT(more, 0.95 * left);
}

TEST(DefaultMemoryLimit, GivesWayToWhatWasAskedFor) {
  EXPECT_EQ(set_memory_limit(std::size_t{1} << 30), std::size_t{1} << 30);
  EXPECT_EQ(memory_limit(), std::size_t{1} << 30);
  lift_memory_limit();
}

}  // namespace
}  // namespace heddle::run::memory_limit_test
