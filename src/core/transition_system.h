// The interface between doors and engine.
//
// A door (actor/, net/) turns what the user wrote into states and steps (core/step_buffer.h). Searches,
// reductions, checks, explanations and reports are written once against this header and know no door. The
// core is what every search needs. Facets are small interfaces for what only some doors can say and only some
// techniques ask. A door that has nothing to say returns no facet, and the caller sees that.
//
// Contract of a door
//   1. expand, execute, evaluate, footprint and what facets say of states and steps are pure in the state and
//      may be called from several threads at once. Slot numbers may be handed out in any order, but equal
//      contents always have equal numbers.
//   2. expand lists the steps of a state in an order that depends only on the state's content.
//   3. A step's changes name each slot at most once.
//   4. A step changes only slots that its footprint lists as other than Read. Whether it is enabled and what
//      it does depends only on slots listed as Read or Write. Two Appends to one slot commute, and so do two
//      Opens and two Closes.
//   5. Only a system with varying_length() may change the length of states. In any other, every state has
//      initial_states()[0].size() slots.
//   6. The set of facets does not change while anybody uses the system.
// A door reports a mistake of the user (a handler that throws, say) by throwing ModelError.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/access.h"
#include "core/model_error.h"
#include "core/step_buffer.h"

namespace heddle {

struct Property {
  enum class Kind : std::uint8_t {
    Always,        // the predicate is true in every reachable state
    Sometimes,     // the predicate is true in some reachable state
    DeadlockFree,  // every reachable state without steps satisfies the predicate ("may stop here")
    Bound,         // states where the predicate is false are not continued: the search is then incomplete
    Finally,       // like DeadlockFree, but a claim about results rather than about deadlocks: "the replicas agree"
  };
  std::string name;
  Kind kind = Kind::Always;

  // True if the property is judged only in states without steps.
  bool of_final_states() const { return kind == Kind::DeadlockFree || kind == Kind::Finally; }
};

class Assumptions;    // core/facets/assumptions.h
class Dependence;     // core/facets/dependence.h
class Describer;      // core/facets/describer.h
class Events;         // core/facets/events.h
class Forgetting;     // core/facets/forgetting.h
class Histories;      // core/facets/histories.h
class PartialStates;  // core/facets/partial_states.h
class Receipts;       // stateless/receipts.h
class Refinements;    // check/refinement/refinements.h
class Symmetries;     // core/facets/symmetries.h
class Threads;        // core/facets/threads.h
class Visibility;     // core/facets/visibility.h

class TransitionSystem {
 public:
  virtual ~TransitionSystem() = default;

  virtual std::vector<SlotVector> initial_states() const = 0;
  virtual bool varying_length() const { return false; }
  virtual void expand(std::span<const Slot> state, StepBuffer& out) const = 0;
  // Executes one step: `to` becomes the state it leads to. Returns false if the step is not enabled. The
  // default expands the state; a door that can execute one step without listing all overrides it.
  virtual bool execute(std::span<const Slot> state, Step step, SlotVector& to) const;
  virtual std::uint32_t transition_count() const = 0;
  virtual std::string transition_name(std::uint32_t transition) const = 0;
  virtual void footprint(std::span<const Slot> state, Step step, std::vector<Access>& out) const = 0;

  virtual std::span<const Property> properties() const = 0;
  // Bit i says whether the predicate of properties()[i] is true in `state`. Bits outside `which` may be left 0.
  virtual std::uint64_t evaluate(std::span<const Slot> state, std::uint64_t which = ~std::uint64_t{0}) const = 0;

  // Bytes held by the door's tables.
  virtual std::size_t bytes() const = 0;

  // Facets. Null means that the door has nothing to say.
  virtual const Describer& describer() const = 0;
  virtual const Visibility* visibility() const { return nullptr; }
  virtual const Dependence* dependence() const { return nullptr; }
  virtual const Events* events() const { return nullptr; }
  virtual const Threads* threads() const { return nullptr; }
  virtual const Symmetries* symmetries() const { return nullptr; }
  virtual const Forgetting* forgetting() const { return nullptr; }
  virtual const PartialStates* partial_states() const { return nullptr; }
  virtual const Histories* histories() const { return nullptr; }
  virtual const Receipts* receipts() const { return nullptr; }
  virtual const Refinements* refinements() const { return nullptr; }
  virtual const Assumptions* assumptions() const { return nullptr; }
  virtual Assumptions* assumptions() { return nullptr; }
};

}  // namespace heddle
