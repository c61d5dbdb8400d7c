// The one interface between doors and engine.
//
// A door (actor/, net/, later program/ and native/) turns what the user wrote into states and steps; searches, reductions,
// checks, explanations and reports are written once against this header and know no door.
//
//   A state is a vector of slots, each the number of an interned content (0 = absent). States are equal iff their
//   slot vectors are equal, trailing absent slots disregarded. Only a system with varying_length() may change the
//   length; in any other every state has initial_states()[0].size() slots.
//   A step is an instance of a static transition; `detail` tells the instances of one transition apart and means
//   something to its door only. (source state, Step) determines the target.
//
// Contract of a door
//   1. expand, evaluate, footprint, effects, describe_* are pure in the state and may be called from several threads at once.
//      Slot numbers may be handed out in any order, but equal contents always have equal numbers.
//   2. expand lists the steps of a state in an order that depends on the state's content only.
//   3. A step's changes name each slot at most once.
//   4. A step changes only slots its footprint lists as other than Read, and its enabledness and effect depend only on
//      slots listed as Read or Write. Two Appends to one slot commute, and so do two Opens and two Closes.
// A door reports what the user did wrong (a handler that throws, say) by throwing ModelError.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/coverage.h"
#include "core/relations.h"
#include "core/trace.h"

namespace heddle {

using Slot = std::uint32_t;
using SlotVector = std::vector<Slot>;

// An error in the user's model; `what()` names the place and the remedy.
class ModelError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The model tells members of a symmetry class apart, and a search that took them to be alike has noticed.
class NotSymmetric : public ModelError {
 public:
  using ModelError::ModelError;
};

struct Step {
  std::uint32_t transition = 0;  // < transition_count()
  std::uint32_t detail = 0;
  friend bool operator==(const Step&, const Step&) = default;
};

struct Change {
  std::uint32_t slot;
  Slot value;
};

// A vector that only ever grows at its end, with the one check it needs inlined: filling a StepBuffer is the innermost loop.
template <class T>
class Pile {
 public:
  void push(const T& value) {
    if (size_ == capacity_) [[unlikely]]
      grow();
    data_[size_++] = value;
  }
  void resize_down(std::size_t size) { size_ = size; }
  std::size_t size() const { return size_; }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }

 private:
  [[gnu::noinline]] void grow() {
    capacity_ = capacity_ == 0 ? 64 : 2 * capacity_;
    auto larger = std::make_unique<T[]>(capacity_);
    std::copy_n(data_.get(), size_, larger.get());
    data_ = std::move(larger);
  }
  std::unique_ptr<T[]> data_;
  std::size_t size_ = 0, capacity_ = 0;
};

// The steps of one or several states, flat, so that a search can collect a whole block before it probes the store.
class StepBuffer {
 public:
  void clear() {
    steps_.resize_down(0);
    changes_.resize_down(0);
  }
  void begin(Step step) { steps_.push({step, static_cast<std::uint32_t>(changes_.size())}); }
  void change(std::uint32_t slot, Slot value) { changes_.push({slot, value}); }
  // Takes back the step begun last.
  void abandon() {
    changes_.resize_down(steps_[steps_.size() - 1].first);
    steps_.resize_down(steps_.size() - 1);
  }

  std::size_t size() const { return steps_.size(); }
  const Step& step(std::size_t i) const { return steps_[i].step; }
  std::span<const Change> changes(std::size_t i) const {
    const std::size_t end = i + 1 < steps_.size() ? steps_[i + 1].first : changes_.size();
    return {changes_.data() + steps_[i].first, end - steps_[i].first};
  }
  // The changes of the step begun last, which may still be edited.
  std::span<Change> open_changes() {
    const std::size_t first = steps_[steps_.size() - 1].first;
    return {changes_.data() + first, changes_.size() - first};
  }

 private:
  struct Begun {
    Step step;
    std::uint32_t first;  // of its changes
  };
  Pile<Begun> steps_;
  Pile<Change> changes_;
};

// What a step may touch, for reductions.
struct Access {
  // Open and Close are changes of the slot of histories, an operation's beginning and its end; they disable nothing.
  enum class Kind : std::uint8_t { Read, Write, Append, Open, Close };
  std::uint32_t slot;
  Kind kind;
};

// What a step does in terms of processes and messages, for searches that keep track of what happens before what (reduce/).
//
// Contract, beyond that of footprints
//   1. Two steps are the same event iff process and label are equal. Executing a step that is independent of an event neither
//      takes the event away nor alters its effects. Independent are steps of different processes of which none sends what the
//      other consumes and whose accesses do not conflict, where an Append to a process's own slot conflicts with nothing that
//      process does.
//   2. A step with no Write but to the slot of its process disables steps of that process only.
//   3. Accesses list as Read also what decides which other steps the process could take instead.
struct Effects {
  static constexpr std::uint32_t nobody = ~std::uint32_t{0};
  struct Consumed {
    std::uint32_t message;
    std::uint32_t copies;  // equal messages waiting, this one included
  };
  struct Sent {
    std::uint32_t process, message;
  };
  std::uint32_t process = nobody;  // its slot
  std::uint64_t label = 0;
  std::vector<Consumed> consumed;  // by a process other than the sender; what it had sent itself is not listed
  std::vector<Sent> sent;          // likewise
  std::vector<Access> accesses;
};

// What a step is to a scheduler of receipts (schedule/): who takes which message from whom, and what of it a client sees. Beyond
// Effects, which say who the process is and what is consumed and sent.
struct Receipt {
  static constexpr std::uint64_t any_key = 0;
  struct Event {
    std::uint32_t number;  // equal events of histories have equal numbers
    bool is_return;
  };
  std::vector<std::uint32_t> senders;  // of what is consumed, oneself included
  std::uint64_t key = any_key;         // which part of the system's data the messages are about, if that is known
  bool excluded = false;      // the model says that receiving it earlier or later makes no difference to clients
  bool client = false;        // the process is one that invokes operations
  std::vector<Event> events;  // in the order they happen
};

struct Property {
  enum class Kind : std::uint8_t {
    Always,        // the predicate is true in every reachable state
    Sometimes,     // the predicate is true in some reachable state
    DeadlockFree,  // every reachable state without steps satisfies the predicate ("may stop here")
    Bound,         // states where the predicate is false are not continued: the search is then incomplete
    Finally,       // as DeadlockFree, but what it says of final states is no matter of deadlocks: "the replicas agree"
  };
  std::string name;
  Kind kind = Kind::Always;

  // Judged in states without steps only.
  bool of_final_states() const { return kind == Kind::DeadlockFree || kind == Kind::Finally; }
};

// Processes that may be renamed among each other, in every way, without changing the system (a scalarset). A member is the
// list of its slots: one, or several that move together; all members have as many, in corresponding order.
struct SymmetryClass {
  std::string name;
  std::vector<std::vector<std::uint32_t>> members;
};

// Why a call on an abstract object was rejected.
struct RefinementFailure {
  std::string call;      // "commit(1)"
  std::string clause;    // the condition that failed, "extendsTrunk"
  std::string property;  // the property of the object it stands for, "P4"; may be empty
  std::string witness;   // a sentence
  std::string object;    // the object before the call, JSON
  bool missing = false;  // an earlier call is missing: the annotation is as suspect as the protocol
};

// The abstract object a system runs beside itself to see whether it refines it.
struct RefinementRun {
  std::size_t property = 0;                     // its property, "refines qtree"
  std::string object, specification, points;    // "qtree", "strict", "corrected"
  std::map<std::string, std::uint64_t> counts;  // different (object, call) pairs so far, by kind of call
  struct Quorums {
    std::string text;  // a sentence
    bool enough;
  };
  std::vector<Quorums> quorums = {};                     // what their sizes promise
  std::optional<std::vector<std::string>> implied = {};  // properties that follow from it; none: the model does not say
};

// What a door finds when it looks whether its classes are symmetric (TransitionSystem::check_symmetry).
struct SymmetryCheck {
  struct Fault {
    std::size_t symmetry_class;  // index into symmetry_classes(); its largest value: what was left out should not have been
    std::string text;            // a clause: "property 'x' tells members of Acceptor apart"
  };
  std::vector<Fault> faults;  // at most one for each class, and one for what was left out
  bool finished = true;       // false: `go_on` said no, and nothing is established
  bool wants_states = false;  // nothing is established before note_state has been told the states of a search
};

// A search that is not worth finishing: the system's assumptions were wrong (TransitionSystem::mistaken).
struct Mistaken {};

class TransitionSystem {
 public:
  virtual ~TransitionSystem() = default;

  // --- States and steps.
  virtual std::vector<SlotVector> initial_states() const = 0;
  virtual bool varying_length() const { return false; }
  virtual void expand(std::span<const Slot> state, StepBuffer& out) const = 0;
  virtual std::uint32_t transition_count() const = 0;
  virtual std::string transition_name(std::uint32_t transition) const = 0;
  virtual void footprint(std::span<const Slot> state, Step step, std::vector<Access>& out) const = 0;
  // A system without processes: every step is on its own, and all that is known of it is its footprint.
  virtual void effects(std::span<const Slot> state, Step step, Effects& out) const {
    out.process = Effects::nobody;
    out.label = std::uint64_t{step.transition} << 32 | step.detail;
    out.consumed.clear();
    out.sent.clear();
    out.accesses.clear();
    footprint(state, step, out.accesses);
  }

  virtual void receipt(std::span<const Slot> state, Step step, Receipt& out) const {
    static_cast<void>(state);
    static_cast<void>(step);
    out = {};
  }
  // The slot that holds the history of clients' operations, if there is one. Histories that differ in the order of events that
  // linearizability does not look at have equal numbers.
  virtual std::optional<std::uint32_t> history_slot() const { return std::nullopt; }
  // Which properties look at that slot only and, once false, stay false: linearizability.
  virtual std::uint64_t history_properties() const { return 0; }

  // --- Properties. Bit i of evaluate() says whether the predicate of properties()[i] is true in `state`.
  virtual std::span<const Property> properties() const = 0;
  // Bits outside `which` may be left 0.
  virtual std::uint64_t evaluate(std::span<const Slot> state, std::uint64_t which = ~std::uint64_t{0}) const = 0;
  // False only if the predicates of all properties but DeadlockFree are the same before and after these changes of `from`,
  // which has been evaluated itself (or inferred so): searches then need not look at the successor.
  virtual bool may_change_truth(std::span<const Slot> from, std::span<const Change> changes) const {
    static_cast<void>(from);
    static_cast<void>(changes);
    return true;
  }

  // Likewise, for properties but those of history_properties(): these, once false, are false at the end of the run as well.
  virtual bool may_change_briefly(std::span<const Slot> from, std::span<const Change> changes) const {
    return may_change_truth(from, changes);
  }

  // How much evaluate() has looked at so far, over all states: grows when a predicate reads something none has read before.
  // What may_change_truth says is final only for what has been looked at.
  virtual std::size_t observed() const { return 0; }

  // --- Relations between transitions, for partial order reduction; null: nothing is known and nothing can be reduced.
  virtual const Relations* relations() const { return nullptr; }
  // Makes bit k of `pairs` true where relations()->net[k] = (t, u) and in `state` t is disabled and will be until a step of u
  // has happened, and false otherwise. `pairs` has as many bits as net has pairs.
  virtual void awaiting(std::span<const Slot> state, BitSet& pairs) const {
    static_cast<void>(state);
    pairs.clear();
  }

  // --- Decomposition. Replaces data that neither steps nor properties depend on by a fixed value, "forgotten"; false if there
  // was none left to replace. The result can be expanded and evaluated like any state, though it need not be reachable. What a
  // door says by this is a claim: states that become equal have the same transitions, leading to states that become equal, and
  // the same truth of properties (reduce/decomposition_audit.h checks it).
  virtual bool forget_auxiliary(SlotVector& state) const {
    static_cast<void>(state);
    return false;
  }

  // --- Assumptions. A door may leave out of states what it takes to be without consequence, and find out during the search that
  // it was wrong. A search that was mistaken has followed real runs, but not all: reconsider and search again. Nobody may use the
  // system while it reconsiders, and states from before it mean nothing afterwards.
  virtual bool mistaken() const { return false; }
  virtual void reconsider() const {}
  // What has been left out so far, in words; empty: nothing.
  virtual std::string left_out() const { return {}; }

  // For finding out what else could be auxiliary: the parts of all states by name ("Acceptor.promised"), and a state in which one
  // of them is reset. The result is good for comparing, not for expanding.
  virtual std::vector<std::string> parts() const { return {}; }
  virtual void forget_part(std::size_t part, SlotVector& state) const {
    static_cast<void>(part);
    static_cast<void>(state);
  }

  // --- Symmetry. No class means no symmetry is known. A renaming exchanges members of classes: what is in slot s moves to slot
  // to[s], and every mention of the member in the contents of slots follows. Renamings that the classes do not generate are
  // not asked for; slots outside of classes stay where they are, but may mention members.
  virtual std::vector<SymmetryClass> symmetry_classes() const { return {}; }
  // Equal renamings have equal numbers, so that doors can keep what they computed.
  virtual std::uint32_t renaming(std::span<const std::uint32_t> to) const {
    static_cast<void>(to);
    return 0;
  }
  // The value slot to[slot] has after the renaming, if `slot` had `value` before it.
  virtual Slot renamed(std::uint32_t slot, Slot value, std::uint32_t renaming) const {
    static_cast<void>(slot);
    static_cast<void>(renaming);
    return value;
  }
  // False if no value of this slot mentions a member.
  virtual bool mentions_members(std::uint32_t slot) const {
    static_cast<void>(slot);
    return true;
  }
  // Returns a fingerprint of the content in which all members of a class look alike. Sets marks[s], zero before, for every
  // slot s of a member the content mentions: a fingerprint, not zero, of the content as seen from there, in which only that
  // member looks different. Renaming changes neither: with value' = renamed(slot, value, r) the result is the same, and
  // marks'[to[s]] == marks[s]. marks has room for the slots of a state.
  virtual std::uint64_t fingerprint(std::uint32_t slot, Slot value, std::span<std::uint64_t> marks) const {
    static_cast<void>(slot);
    static_cast<void>(value);
    static_cast<void>(marks);
    return 0;
  }
  // Whether what has been evaluated and executed so far justifies the classes: the predicates of the properties in `which` have the
  // same value for everything that renamings make of what they have looked at, and steps have renamed steps. `which` is 0: symmetry
  // was not used. In either case also whether left_out() was rightly left out; what was not is kept after reconsider(). A search that
  // has used either is believed only after this. `go_on` is asked now and then. Nobody may search meanwhile.
  virtual SymmetryCheck check_symmetry(std::uint64_t which, const std::function<bool()>& go_on) const {
    static_cast<void>(which);
    static_cast<void>(go_on);
    return {};
  }
  // For a check that wants states: every state of a search, and once more with `deadlock` set every one without steps. Thread-safe.
  virtual void note_state(std::span<const Slot> state, bool deadlock) const {
    static_cast<void>(state);
    static_cast<void>(deadlock);
  }
  // The class is none any more; the numbers of those behind it change. As with reconsider, states from before mean nothing now.
  virtual void forsake_class(std::size_t symmetry_class) const { static_cast<void>(symmetry_class); }
  SlotVector permute(std::span<const Slot> state, std::span<const std::uint32_t> to) const {
    const std::uint32_t number = renaming(to);
    SlotVector out(state.size());
    for (std::uint32_t s = 0; s < out.size(); ++s) out[to[s]] = renamed(s, state[s], number);
    return out;
  }

  // --- Explaining.
  virtual std::vector<trace::Lane> lanes() const = 0;
  virtual trace::Step describe_step(std::span<const Slot> from, Step step, std::span<const Slot> to) const = 0;
  virtual std::vector<trace::Field> describe_state(std::span<const Slot> state) const = 0;
  // The values property `index` looked at in `state`.
  virtual std::vector<trace::Field> describe_property(std::size_t index, std::span<const Slot> state) const = 0;
  // --- Refinement; none: the run checks none.
  virtual std::optional<RefinementRun> refinement() const { return std::nullopt; }
  // Why the refinement's property is false in `state`.
  virtual RefinementFailure refinement_failure(std::span<const Slot> state) const {
    static_cast<void>(state);
    return {};
  }

  // What has grown most so far, largest first, one sentence each: the answer to "why does this not end?".
  virtual std::vector<std::string> growth() const { return {}; }

  // --- Coverage (core/coverage.h): what has happened so far, given how often a search has executed each transition.
  // `renamed`: it stored representatives, so that what is said of one member of a class goes for all.
  virtual Coverage coverage(std::span<const std::uint64_t> executed, bool renamed) const {
    static_cast<void>(renamed);
    Coverage all;
    for (std::uint32_t t = 0; t < transition_count(); ++t) all.transitions.push_back({transition_name(t), executed[t]});
    return all;
  }
  // What is suspicious about the model before anything has run, one sentence each.
  virtual std::vector<std::string> warnings() const { return {}; }

  // --- Accounting: bytes held by the door's tables.
  virtual std::size_t bytes() const = 0;
};

}  // namespace heddle
