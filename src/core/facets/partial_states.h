// Facet of doors that can build a model twice: in full, and as a system that leaves out of its states what
// should not matter (auxiliary data, dead messages). States and steps of the two systems cannot be compared
// as numbers; this facet compares them by content.
#pragma once

#include <span>

#include "core/step_buffer.h"

namespace heddle {

class TransitionSystem;

class PartialStates {
 public:
  virtual ~PartialStates() = default;
  // Returns whether `state` of this system is `whole`, a state of `full`, without what this system leaves out.
  virtual bool stands_for(std::span<const Slot> state, const TransitionSystem& full,
                          std::span<const Slot> whole) const = 0;
  // Returns whether the steps are the same: the same transition takes the same messages (auxiliary data
  // aside) and makes the same choices.
  virtual bool same_step(std::span<const Slot> from, Step step, const TransitionSystem& full,
                         std::span<const Slot> whole_from, Step whole_step) const = 0;
};

}  // namespace heddle
