// Counts how often each kind of fault has happened, and bounds it. All counts are one number, a numeral of mixed
// radix with a digit for every kind.
//
// REQUIRES: all kinds are added before the first use of `after`. Thread-safe from then on.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/transition_system.h"

namespace heddle::actor {

class FaultBudget {
 public:
  using Kind = std::uint32_t;
  static constexpr Slot none = 1;  // nothing has happened yet; 0 stands for what is not possible

  // Adds a kind of fault that may happen at most `most` times.
  Kind add(unsigned most) {
    digits_.push_back({next_, most});
    next_ *= std::uint64_t{most} + 1;
    if (next_ >= std::numeric_limits<Slot>::max()) {
      throw ModelError("so many faults of so many kinds cannot be counted together; allow fewer of some kind");
    }
    return static_cast<Kind>(digits_.size() - 1);
  }

  // Returns the counts after one more fault of each of `kinds`; 0 if one of them has happened as often as it may.
  Slot after(Slot counts, std::span<const Kind> kinds) const {
    std::uint64_t number = counts - 1;
    for (const Kind kind : kinds) {
      const Digit& digit = digits_[kind];
      if (number / digit.weight % (digit.most + 1) == digit.most) return 0;
      number += digit.weight;
    }
    return static_cast<Slot>(number + 1);
  }

 private:
  struct Digit {
    std::uint64_t weight, most;
  };
  std::vector<Digit> digits_;
  std::uint64_t next_ = 1;
};

}  // namespace heddle::actor
