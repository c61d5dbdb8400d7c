// Facet: which steps may change what properties see.
//
// Without this facet every step counts as one that may change the truth of every property.
#pragma once

#include <cstddef>
#include <span>

#include "core/step_buffer.h"

namespace heddle {

class Visibility {
 public:
  virtual ~Visibility() = default;
  // Returns false only if the predicates of all properties, except those of final states, are the same before
  // and after these changes of `from`; searches then need not look at the successor. REQUIRES: `from` was
  // evaluated, or this function made that unnecessary.
  virtual bool may_change_truth(std::span<const Slot> from, std::span<const Change> changes) const = 0;
  // Like may_change_truth, but ignores properties that can never become true again once they are false
  // (linearizability): a search that looks at complete runs sees those at the end.
  virtual bool may_change_in_passing(std::span<const Slot> from, std::span<const Change> changes) const {
    return may_change_truth(from, changes);
  }
  // Tells how much evaluate() has looked at so far, over all states. It grows when a predicate reads something
  // that none has read before. What may_change_truth says is final only for what has been looked at.
  virtual std::size_t observed() const { return 0; }
};

class TransitionSystem;
// Returns the system's facet, or one by which every step may change everything.
const Visibility& visibility_of(const TransitionSystem& system);

}  // namespace heddle
