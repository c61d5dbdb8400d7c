// What a search asks of reductions. They are written in reduce/; a search knows these two questions only.
//
// An object belongs to one thread; SearchOptions holds what makes them.
#pragma once

#include <span>
#include <vector>

#include "core/transition_system.h"

namespace heddle {

// Partial order reduction: which of a state's steps suffice.
class Selector {
 public:
  virtual ~Selector() = default;
  // The steps of `state` are those of `steps` from number `first` on. Writes one entry for each to `keep`: whether the step
  // has to be executed. Returns how many; all of them where nothing can be left out, at least one otherwise.
  // A search that may have cycles must execute the rest as well unless some kept step leads to a state that is expanded
  // later (the cycle proviso).
  virtual std::size_t select(std::span<const Slot> state, const StepBuffer& steps, std::size_t first,
                             std::vector<char>& keep) = 0;
};

// Symmetry: one representative for all states that are alike.
class Canonicalizer {
 public:
  virtual ~Canonicalizer() = default;
  // Replaces `state` by the representative of its class. canonical(canonical(s)) == canonical(s).
  virtual void canonical(SlotVector& state) = 0;
};

}  // namespace heddle
