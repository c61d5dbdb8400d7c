// A system that starts in another state, with a part of the properties: what lies below one state.
//
//   Continued below(system, state, first, count);   // properties first .. first + count - 1, numbered from 0
//   SearchResult r = search(below, options);
//
// Refers to the system. Thread-safe like the system.
#pragma once

#include <cassert>
#include <span>
#include <utility>
#include <vector>

#include "core/facets/describer.h"
#include "core/forwarding_system.h"

namespace heddle {

class Continued final : public ForwardingSystem, private Describer {
 public:
  // REQUIRES: the system has the properties first .. first + count - 1.
  Continued(const TransitionSystem& system, SlotVector state, std::size_t first, std::size_t count)
      : ForwardingSystem(system), state_(std::move(state)), first_(first), count_(count) {
    assert(first < 64 && first + count <= system.properties().size());
  }

  std::vector<SlotVector> initial_states() const override { return {state_}; }
  std::span<const Property> properties() const override { return system().properties().subspan(first_, count_); }
  std::uint64_t evaluate(std::span<const Slot> state, std::uint64_t which) const override {
    return system().evaluate(state, which << first_) >> first_;
  }

  const Describer& describer() const override { return *this; }
  // These facets name properties by number, and the numbers differ here.
  const Histories* histories() const override { return nullptr; }
  const Refinements* refinements() const override { return nullptr; }

 private:
  std::vector<trace::Lane> lanes() const override { return below().lanes(); }
  trace::Step describe_step(std::span<const Slot> from, Step step, std::span<const Slot> to) const override {
    return below().describe_step(from, step, to);
  }
  std::vector<trace::Field> describe_state(std::span<const Slot> state) const override {
    return below().describe_state(state);
  }
  std::vector<trace::Field> describe_property(std::size_t index, std::span<const Slot> state) const override {
    return below().describe_property(first_ + index, state);
  }
  std::vector<std::string> growth() const override { return below().growth(); }
  Coverage coverage(std::span<const std::uint64_t> executed, bool renamed) const override {
    return below().coverage(executed, renamed);
  }
  const Describer& below() const { return system().describer(); }

  SlotVector state_;
  std::size_t first_, count_;
};

}  // namespace heddle
