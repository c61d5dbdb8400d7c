// Facet: optimistic reduction. A door may assume what it cannot prove beforehand: that parts of a state are
// irrelevant, that processes are alike. If it later learns otherwise, every run found so far is still real,
// but some runs were missed.
//
//   search; if mistaken(): reconsider() and search again; before `holds`: check_symmetry()
//
// reconsider, forsake_class and check_symmetry change the system. REQUIRES: nobody uses it meanwhile. After
// reconsider and forsake_class, states from before mean nothing. The other functions are thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/step_buffer.h"

namespace heddle {

// What a door finds when it checks whether its classes are symmetric (Assumptions::check_symmetry).
struct SymmetryCheck {
  struct Fault {
    // Index into symmetry_classes(); the largest number: something was left out that should not have been.
    std::size_t symmetry_class;
    std::string text;  // a clause: "property 'x' tells members of Acceptor apart"
  };
  std::vector<Fault> faults;  // at most one for each class, and one for what was left out
  bool finished = true;       // false: `go_on` returned false, and nothing is established
  bool wants_states = false;  // nothing is established before note_state has been told the states of a search
};

// Thrown out of a search that is not worth finishing, because an assumption was wrong.
struct Mistaken {};

class Assumptions {
 public:
  virtual ~Assumptions() = default;
  virtual bool mistaken() const = 0;
  virtual void reconsider() = 0;
  // Returns in words what has been left out so far; empty if nothing.
  virtual std::string left_out() const = 0;

  // Checks the assumptions against everything that has been evaluated and executed so far. A search that used
  // them is believed only after this. Symmetry classes are justified if the predicates of the properties in
  // `which` have the same value for all renamings of what they looked at, and if renamed steps exist. `which`
  // is 0 if symmetry was not used. In either case this also checks that left_out() was rightly left out; what
  // was not is kept after reconsider(). `go_on` is asked now and then.
  virtual SymmetryCheck check_symmetry(std::uint64_t which, const std::function<bool()>& go_on) = 0;
  // For a check that wants states: called with every state of a search, and again, with `deadlock` set, for
  // each one without steps.
  virtual void note_state(std::span<const Slot> state, bool deadlock) = 0;
  // Drops the class; the numbers of the classes behind it change.
  virtual void forsake_class(std::size_t symmetry_class) = 0;
};

class TransitionSystem;
// What the facet says. Without the facet: false, and the empty text.
bool is_mistaken(const TransitionSystem& system);
std::string left_out_of(const TransitionSystem& system);
// Has the facet reconsider. Without the facet: throws Mistaken.
void reconsider(TransitionSystem& system);

// Calls f() until it does not throw Mistaken. What f has made of states before means nothing afterwards.
template <class F>
auto until_not_mistaken(TransitionSystem& system, F&& f) {
  for (;;) {
    try {
      return f();
    } catch (const Mistaken&) {
      reconsider(system);
    }
  }
}

}  // namespace heddle
