// The current execution of a stateless search with its happens-before relation, and why looking for races is enough.
//
// An event is a step under a name that does not change while other processes act: process, transition, the messages it
// consumes, the choices it makes (Effects::label). Several events of one process may be enabled at once; they exclude
// or follow each other, or commute. Two events are dependent iff
//   1. they belong to one process, unless they are known to commute (commuting.h);
//   2. one sends a message that the other consumes;
//   3. they access a slot in a conflicting way: the ghost variable, the count of faults, another process as a whole; or
//   4. both are visible, that is, may change the truth of a property.
// A message that arrives at a process is *not* dependent on what that process does meanwhile: an event consumes the
// messages it names and asks for no others, so both orders exist and lead to the same state. That is finer than "a send
// to q and a receive at q race", and it is enough. Independent events commute and neither enables nor disables each
// other, so executions fall into Mazurkiewicz traces.
//
// The price is paid in the search for races. An event f of a process P may disable for good an event g that would have
// consumed a message sent later. Then f and g occur in no common execution, and no pair of executed events reveals g.
// The execution without f does. Let E be the prefix before f, and v the events after f that f did not cause. E.v is an
// execution in which P is in the state it had before f, with the messages from v in addition. alternatives() lists what
// P can do there; each alternative is one way to reverse a race with f. This needs that
//   - f disables only events of its own process. Where f may disable others (Effects, 2), all enabled events of the
//     state before f are explored, and nothing has to be reversed there;
//   - events independent of f do not disable what P could have done instead of f (Effects, 3).
//
// Where events of one process may commute, v may hold events of P that disable what P could do instead of f. Therefore
// alternatives are looked for after every E.v', where v' is v without some events of P and without all that depends on
// those events.
//
// Then source sets work as in the paper (Abdulla, Aronis, Jonsson, Sagonas: Source Sets, JACM 2017). Suppose all of T
// was explored from E, and no member of T can come first in some execution E.w. Take the f in T that is independent of
// the longest prefix w' of w, and let g be the event of w after w'. By induction some explored execution contains
// E.f.w'. If it contains g, f and g race in it. If not, f has disabled g. Then they belong to one process, w' is part
// of v, and g is an alternative after the v' that has the same events of P as w'; all other events of v' belong to
// other processes and leave g enabled. Either way the reversal makes sure that T has an r that can come first in v.g.
// If r belongs to w'.g, it can come first in w. Otherwise r is independent of w'. It is also independent of g, unless
// both are dependent by 3 or 4 and leave each other enabled; then r and g race, and r is a better choice than f. All
// this contradicts the choice of f.
#pragma once

#include <cstddef>
#include <vector>

#include "core/path.h"
#include "stateless/event.h"
#include "stateless/positions.h"

namespace heddle {

// The execution that is being explored. Event i happened in state i; the last state has no event yet.
//
// Invariants
//   1. events and pasts are equally long, and visits has at most one entry more.
//   2. A past holds earlier positions only, and with a position its past.
struct Execution {
  struct Visit {
    SlotVector state;
    std::vector<Event> enabled;
  };
  std::size_t initial = 0;
  std::vector<Visit> visits;
  std::vector<Event> events;
  std::vector<Positions> pasts;  // for each event, the positions of the events that happen before it

  Path path() const;
  // Appends an event and computes its past. Returns the last positions of the past, descending: those that no other
  // position of it depends on. Only they can race with the event.
  std::vector<std::size_t> push(const Event& event);
  // Takes back the last event.
  void pop() {
    events.pop_back();
    pasts.pop_back();
  }
  // Returns the positions after i that do not depend on i, ascending: the rest of the execution without event i. An
  // event that ends the run is left out: it may come later.
  std::vector<std::size_t> without(std::size_t i) const;
  // Whether i happens before j with nothing in between, and not because j consumes what i sent.
  // REQUIRES: i and j belong to different processes.
  bool is_race(std::size_t i, std::size_t j) const;
};

}  // namespace heddle
