// What a search asks of reductions. A search knows only these questions; the answers are in reduce/.
//
// An object belongs to one thread. SearchOptions holds the functions that make the objects.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/transition_system.h"

namespace heddle {

// Partial order reduction: says which of a state's steps suffice.
class Selector {
 public:
  virtual ~Selector() = default;
  // The steps of `state` are those of `steps` from number `first` on. Writes one entry for each to `keep`:
  // whether the step has to be executed. Returns how many have to be: all of them if nothing can be left out,
  // otherwise at least one. A selector sees every state that is expanded, those without steps as well. A search that
  // may have cycles must also execute the rest unless some kept step leads to a state that is expanded later (the cycle
  // proviso).
  virtual std::size_t select(std::span<const Slot> state, const StepBuffer& steps, std::size_t first,
                             std::vector<char>& keep) = 0;
};

// Says in which order a depth-first search takes the steps of a state. Leaves out nothing.
class StepOrder {
 public:
  virtual ~StepOrder() = default;
  // Writes the numbers 0, 1, ... of the steps to `order`, the first to be taken first.
  virtual void sort(std::span<const Slot> state, const StepBuffer& steps, std::vector<std::uint32_t>& order) = 0;
};

// Symmetry: gives all states that are alike one representative.
class Canonicalizer {
 public:
  virtual ~Canonicalizer() = default;
  // Replaces `state` by the representative of its class, which has as many slots. canonical(canonical(s)) ==
  // canonical(s).
  virtual void canonical(SlotVector& state) = 0;
};

}  // namespace heddle
