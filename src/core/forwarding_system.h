// The base of wrappers: a system that behaves like another one in most respects.
//
//   class Continued final : public ForwardingSystem { ... overrides what differs ... };
//
// Everything is passed on, facets as a whole. If a facet is no longer true for a wrapper, the wrapper
// overrides its accessor: it returns another facet, or null, which drops the facet where everybody can see
// it. Refers to the system. Thread-safe like the system.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/transition_system.h"

namespace heddle {

class ForwardingSystem : public TransitionSystem {
 public:
  explicit ForwardingSystem(const TransitionSystem& system) : system_(system) {}

  std::vector<SlotVector> initial_states() const override { return system_.initial_states(); }
  bool varying_length() const override { return system_.varying_length(); }
  void expand(std::span<const Slot> state, StepBuffer& out) const override { system_.expand(state, out); }
  bool execute(std::span<const Slot> state, Step step, SlotVector& to) const override {
    return system_.execute(state, step, to);
  }
  std::uint32_t transition_count() const override { return system_.transition_count(); }
  std::string transition_name(std::uint32_t transition) const override { return system_.transition_name(transition); }
  void footprint(std::span<const Slot> state, Step step, std::vector<Access>& out) const override {
    system_.footprint(state, step, out);
  }
  std::span<const Property> properties() const override { return system_.properties(); }
  std::uint64_t evaluate(std::span<const Slot> state, std::uint64_t which) const override {
    return system_.evaluate(state, which);
  }
  std::size_t bytes() const override { return system_.bytes(); }

  const Describer& describer() const override { return system_.describer(); }
  const Visibility* visibility() const override { return system_.visibility(); }
  const Dependence* dependence() const override { return system_.dependence(); }
  const Events* events() const override { return system_.events(); }
  const Threads* threads() const override { return system_.threads(); }
  const Symmetries* symmetries() const override { return system_.symmetries(); }
  const Forgetting* forgetting() const override { return system_.forgetting(); }
  const PartialStates* partial_states() const override { return system_.partial_states(); }
  const Histories* histories() const override { return system_.histories(); }
  const Receipts* receipts() const override { return system_.receipts(); }
  const Refinements* refinements() const override { return system_.refinements(); }
  // Assumptions can only be read through a wrapper. Whoever may change them holds the system itself.
  const Assumptions* assumptions() const override { return system_.assumptions(); }
  Assumptions* assumptions() override { return nullptr; }

 protected:
  const TransitionSystem& system() const { return system_; }

 private:
  const TransitionSystem& system_;
};

}  // namespace heddle
