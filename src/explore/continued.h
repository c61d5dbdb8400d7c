// A system started somewhere else: what lies below one state, and what of the properties is of interest there.
//
//   Continued below(system, state, first, count);   // properties first .. first + count - 1, numbered from 0
//   SearchResult r = search(below, options);
//
// Refers to the system. Thread-safe like it.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/transition_system.h"

namespace heddle {

class Continued final : public TransitionSystem {
 public:
  Continued(const TransitionSystem& system, SlotVector state, std::size_t first, std::size_t count)
      : system_(system), state_(std::move(state)), first_(first), count_(count) {}

  std::vector<SlotVector> initial_states() const override { return {state_}; }
  bool varying_length() const override { return system_.varying_length(); }
  void expand(std::span<const Slot> state, StepBuffer& out) const override { system_.expand(state, out); }
  std::uint32_t transition_count() const override { return system_.transition_count(); }
  std::string transition_name(std::uint32_t t) const override { return system_.transition_name(t); }
  void footprint(std::span<const Slot> state, Step step, std::vector<Access>& out) const override {
    system_.footprint(state, step, out);
  }
  std::span<const Property> properties() const override { return system_.properties().subspan(first_, count_); }
  std::uint64_t evaluate(std::span<const Slot> state, std::uint64_t which) const override {
    return system_.evaluate(state, which << first_) >> first_;
  }
  bool may_change_truth(std::span<const Slot> from, std::span<const Change> changes) const override {
    return system_.may_change_truth(from, changes);
  }
  std::size_t observed() const override { return system_.observed(); }
  std::vector<trace::Lane> lanes() const override { return system_.lanes(); }
  trace::Step describe_step(std::span<const Slot> from, Step step, std::span<const Slot> to) const override {
    return system_.describe_step(from, step, to);
  }
  std::vector<trace::Field> describe_state(std::span<const Slot> state) const override {
    return system_.describe_state(state);
  }
  std::vector<trace::Field> describe_property(std::size_t index, std::span<const Slot> state) const override {
    return system_.describe_property(first_ + index, state);
  }
  std::size_t bytes() const override { return system_.bytes(); }

 private:
  const TransitionSystem& system_;
  SlotVector state_;
  std::size_t first_, count_;
};

}  // namespace heddle
