// Facet: optimistic reduction. A door may take for granted what it cannot prove beforehand: that parts of a state are irrelevant, that
// processes are alike. If it later learns otherwise, every run found so far is still real, but some were missed.
//
//   search; if mistaken(): reconsider() and search again; before `holds`: check()
//
// reconsider, forsake_class and check change the system: nobody may use it meanwhile, and after the first two states from before
// mean nothing. mistaken, left_out and note_state are thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/step_buffer.h"

namespace heddle {

// What a door finds when it looks whether its classes are symmetric (Assumptions::check_symmetry).
struct SymmetryCheck {
  struct Fault {
    std::size_t
        symmetry_class;  // index into symmetry_classes(); its largest value: what was left out should not have been
    std::string text;    // a clause: "property 'x' tells members of Acceptor apart"
  };
  std::vector<Fault> faults;  // at most one for each class, and one for what was left out
  bool finished = true;       // false: `go_on` said no, and nothing is established
  bool wants_states = false;  // nothing is established before note_state has been told the states of a search
};

// A search that is not worth finishing: an assumption was wrong.
struct Mistaken {};

class Assumptions {
 public:
  virtual ~Assumptions() = default;
  virtual bool mistaken() const = 0;
  virtual void reconsider() = 0;
  // What has been left out so far, in words; empty: nothing.
  virtual std::string left_out() const = 0;

  // Whether what has been evaluated and executed so far justifies the symmetry classes: the predicates of the properties in `which`
  // have the same value for everything that renamings make of what they have looked at, and steps have renamed steps. `which` is 0:
  // symmetry was not used. In either case also whether left_out() was rightly left out; what was not is kept after reconsider(). A
  // search that has used either is believed only after this. `go_on` is asked now and then.
  virtual SymmetryCheck check_symmetry(std::uint64_t which, const std::function<bool()>& go_on) = 0;
  // For a check that wants states: every state of a search, and once more with `deadlock` set every one without steps.
  virtual void note_state(std::span<const Slot> state, bool deadlock) = 0;
  // The class is none any more; the numbers of those behind it change.
  virtual void forsake_class(std::size_t symmetry_class) = 0;
};

class TransitionSystem;
// What the facet says; without one, no and nothing.
bool is_mistaken(const TransitionSystem& system);
std::string left_out_of(const TransitionSystem& system);

}  // namespace heddle
