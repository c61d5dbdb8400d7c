// Giving up early on a stubborn set (Lpor::stubborn with a limit and unwanted members) must not change the sets that
// are found.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "reduce/lpor.h"

namespace heddle::lpor_limit_test {
namespace {

TEST(LporLimit, GivesUpExactlyOnSetsThatAreTooLargeOrUnwanted) {
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  std::size_t given_up = 0, kept = 0;
  for (int round = 0; round < 60; ++round) {
    const std::size_t n = 2 + below(150);
    Relations r(n);
    for (std::size_t i = 0; i < 2 * n; ++i) {
      r.can_enable.add(below(n), below(n));
      if (const std::size_t a = below(n), b = below(n); a != b) r.dependent.add(a, b);
    }
    for (std::size_t i = 0; i < n / 2; ++i) {
      r.net.push_back({static_cast<std::uint32_t>(below(n)), static_cast<std::uint32_t>(below(n))});
    }
    std::ranges::sort(r.net);
    Lpor lpor(r, {.net = below(4) != 0, .precompute = below(4) != 0});
    for (int state = 0; state < 5; ++state) {
      BitSet enabled(n), pending(r.net.size()), unwanted(n);
      for (std::size_t t = 0; t < n; ++t) {
        if (below(3) == 0) enabled.set(t);
        if (below(20) == 0) unwanted.set(t);
      }
      for (std::size_t k = 0; k < r.net.size(); ++k) {
        if (below(2) == 0) pending.set(k);
      }
      enabled.each([&](std::size_t t) {
        const BitSet whole = lpor.stubborn(t, enabled, pending);
        for (const std::size_t limit : {std::size_t{1}, whole.count(), whole.count() + 1, enabled.count()}) {
          for (const BitSet* without : {static_cast<const BitSet*>(nullptr), static_cast<const BitSet*>(&unwanted)}) {
            const bool fits = whole.count() < limit && (without == nullptr || !without->intersects(whole.words()));
            const BitSet* set = lpor.stubborn(t, enabled, pending, limit, without);
            ASSERT_EQ(set != nullptr, fits);
            if (set != nullptr) {
              ASSERT_EQ(*set, whole);
            }
            ++(fits ? kept : given_up);
          }
        }
      });
    }
  }
  EXPECT_GT(kept, 1000u);
  EXPECT_GT(given_up, 1000u);
}

}  // namespace
}  // namespace heddle::lpor_limit_test
