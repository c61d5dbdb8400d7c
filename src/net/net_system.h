// A place/transition net as a TransitionSystem: the smallest door, and the proof that the engine knows no actors.
//
// Each place has one slot, in the order of Net::places. The slot holds the place's marking plus one. So a
// marking is its own interned number, no table is needed, and the slot value 0 (absent) never occurs. A step
// is the firing of one transition.
//
// Footprint of a step: input places whose marking changes are written. Input places that get back what they
// gave (read arcs) are read. Places that are only outputs are appended to, since adding tokens commutes.
//
// Thread-safe: everything is immutable except the relations, which are made once, and the statistics behind
// growth(), which are relaxed atomics.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "core/facets/dependence.h"
#include "core/facets/describer.h"
#include "core/facets/visibility.h"
#include "core/transition_system.h"
#include "net/net.h"

namespace heddle::net {

class NetSystem : public TransitionSystem, public Dependence, public Describer, public Visibility {
 public:
  // Throws ModelError if the net breaks an invariant of net.h.
  explicit NetSystem(Net net);

  const Net& net() const { return net_; }

  std::vector<SlotVector> initial_states() const override;
  // Throws ModelError if a place would hold more than max_tokens.
  void expand(std::span<const Slot> state, StepBuffer& out) const override;
  std::uint32_t transition_count() const override { return static_cast<std::uint32_t>(net_.transitions.size()); }
  std::string transition_name(std::uint32_t transition) const override { return net_.transitions[transition].name; }
  void footprint(std::span<const Slot> state, Step step, std::vector<Access>& out) const override;

  std::span<const Property> properties() const override { return properties_; }
  std::uint64_t evaluate(std::span<const Slot> state, std::uint64_t which = ~std::uint64_t{0}) const override;

  const Dependence* dependence() const override { return this; }
  const Describer& describer() const override { return *this; }
  const Visibility* visibility() const override { return this; }

  // Returns whether a property looks at one of the places.
  bool may_change_truth(std::span<const Slot> from, std::span<const Change> changes) const override;

  const Relations& relations() const override;
  void awaiting(std::span<const Slot> state, BitSet& pairs) const override;

  // One lane, "net", with a field for each place.
  std::vector<trace::Lane> lanes() const override { return {{"net", "Net", "net"}}; }
  trace::Step describe_step(std::span<const Slot> from, Step step, std::span<const Slot> to) const override;
  std::vector<trace::Field> describe_state(std::span<const Slot> state) const override;
  // Describes the places of the formula; for deadlock_free all places that hold tokens.
  std::vector<trace::Field> describe_property(std::size_t index, std::span<const Slot> state) const override;
  std::vector<MissingStep> missing_steps(std::span<const Slot> state) const override;
  std::vector<std::string> growth() const override;
  Coverage coverage(std::span<const std::uint64_t> executed, bool) const override {
    return coverage_by_transition(*this, executed);
  }

  std::size_t bytes() const override;

 private:
  // What firing adds to a place, all arcs taken together.
  struct Effect {
    std::uint32_t place;
    std::int64_t tokens;
    bool is_input;
  };

  trace::Field field(std::uint32_t place, std::span<const Slot> state) const;

  Net net_;
  std::vector<Property> properties_;
  std::vector<bool> watched_;                 // for each place: a property looks at it
  std::vector<std::vector<Effect>> effects_;  // for each transition, ascending by place, unchanged inputs included
  mutable std::once_flag relations_made_;
  mutable std::unique_ptr<Relations> relations_;    // made on first use: quadratic in the number of transitions
  mutable std::vector<std::uint32_t> only_filler_;  // of each place; made with the relations
  mutable std::vector<std::atomic<Slot>> peaks_;    // the largest slot value seen, for each place
};

}  // namespace heddle::net
