// What the stateless searches share: events, the dependence between them, the current execution with its happens-before relation,
// and the bookkeeping of a search.
//
// An event is a step under a name that does not change while other processes act: process, transition, the messages it
// consumes, the choices it makes (Effects::label). Several events of one process may be enabled at once; they exclude or follow
// each other, or commute. Two events are dependent iff
//   1. they belong to one process, unless they are known to commute (commuting.h);
//   2. one sends a message that the other consumes;
//   3. they access a slot in a conflicting way: the ghost variable, the count of faults, another process as a whole; or
//   4. both are visible, that is, may change the truth of a property.
// A message that arrives at a process is *not* dependent on what that process does meanwhile: an event consumes the messages
// it names and asks for no others, so both orders exist and lead to the same state. That is finer than "a send to q and a receive
// at q race", and it is enough. Independent events commute and neither enables nor disables each other, so executions fall
// into Mazurkiewicz traces.
//
// The price is paid where races are looked for. An event f of a process P may take away for good an event g that would have
// consumed a message sent later: f and g then occur in no common execution, and no pair of executed events tells of g. What
// does is the execution without f. Let E be the prefix before f, and v what came after f without being caused by it. E.v is an
// execution in which P stands where it stood before f, with the messages from v in addition; alternatives() lists what P
// can do there, and each is one way to reverse a race with f. This needs that
//   - f disables events of its own process only. Where it may disable others (Effects, 2), all
//     enabled events of the state before it are explored, and nothing has to be reversed there;
//   - what is independent of f does not disable what P could have done instead of f (Effects, 3).
//
// Where events of one process may commute, v may hold events of P that take away what P could do instead of f. Alternatives are
// therefore looked for after every E.v', v' being v without some of P's events and without what depends on those.
//
// Then source sets work as in the paper (Abdulla, Aronis, Jonsson, Sagonas: Source Sets, JACM 2017). Suppose all of T was
// explored from E, and no member of T can come first in some execution E.w. Take the f in T that is independent of the longest prefix
// w' of w, and let g be the event of w after w'. By induction some explored execution contains E.f.w'. If it contains g, f
// and g race in it. If not, f has taken g away, so they belong to one process, w' is part of v, and g is an alternative after
// the v' that has the same events of P as w'; what else v' has is of other processes and leaves g enabled. Either
// way the reversal sees to it that T has an r that can come first in v.g. If r belongs to w'.g, it can come first in w.
// Otherwise it is independent of w', and also of g, unless both are dependent by 3 or 4 and leave each other enabled; then r and
// g race, and r is the better choice of f. All this contradicts the choice of f.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/budget.h"
#include "core/facets/events.h"
#include "core/facets/visibility.h"
#include "core/transition_system.h"
#include "explore/findings_board.h"
#include "reduce/commuting.h"
#include "reduce/stateless.h"

namespace heddle {

struct Event {
  Step step;  // where it was found; elsewhere only the label is valid
  Effects effects;
  bool visible = false;
  const Commuting* commuting = nullptr;  // null: events of one process are dependent

  bool same(const Event& other) const {
    return effects.label == other.effects.label && effects.process == other.effects.process;
  }
  bool of_process(std::uint32_t p) const { return effects.process == p && p != Effects::nobody; }
  bool sends_to(std::uint32_t p) const;
  bool consumes_from(const Event& sender) const;
};

// Of different processes: do their accesses conflict?
bool conflict(const Event& a, const Event& b);
bool dependent(const Event& a, const Event& b);

// A set of positions in an execution, growing with it.
class Past {
 public:
  bool contains(std::size_t i) const { return i / 64 < words_.size() && (words_[i / 64] >> (i % 64) & 1) != 0; }
  void add(std::size_t i) {
    if (i / 64 >= words_.size()) words_.resize(i / 64 + 1, 0);
    words_[i / 64] |= std::uint64_t{1} << (i % 64);
  }
  void add(const Past& other) {
    if (other.words_.size() > words_.size()) words_.resize(other.words_.size(), 0);
    for (std::size_t w = 0; w < other.words_.size(); ++w) words_[w] |= other.words_[w];
  }
  bool intersects(const Past& other) const {
    for (std::size_t w = 0; w < words_.size() && w < other.words_.size(); ++w) {
      if ((words_[w] & other.words_[w]) != 0) return true;
    }
    return false;
  }

 private:
  std::vector<std::uint64_t> words_;
};

// The execution being explored. Event i happened in state i; the last state has no event yet.
struct Execution {
  struct Visit {
    SlotVector state;
    std::vector<Event> enabled;
  };
  std::size_t initial = 0;
  std::vector<Visit> visits;
  std::vector<Event> events;
  std::vector<Past> pasts;  // of each event the positions of those that happen before it

  Path path() const;
  // Appends an event and what happens before it.
  void push(const Event& event);
  // The positions after i that do not depend on i, ascending: what is left of the execution without event i.
  std::vector<std::size_t> without(std::size_t i) const;
  // Whether i happens before j with nothing in between and not because j consumes what i sent. Requires different processes.
  bool is_race(std::size_t i, std::size_t j) const;
};

// The bookkeeping of a stateless search: visits, properties, budgets, the verdict.
class StatelessSearch {
 public:
  StatelessSearch(const TransitionSystem& system, const StatelessOptions& options);
  virtual ~StatelessSearch() = default;

  StatelessResult run();

 protected:
  // Explores everything from execution().visits[0], which has been entered and has events.
  virtual void explore() = 0;

  Execution& execution() { return execution_; }
  // Visits the state that the execution's events lead to. False: nothing can or shall follow; if the execution is complete,
  // `complete` says so.
  bool enter(SlotVector state, bool& complete);
  // Goes back to the state before the last event.
  void leave();
  // Which enabled event of the last state to begin with.
  std::size_t first_choice() const;
  // The state after the enabled event number k of the last state.
  SlotVector after(std::size_t k);
  // What the process of event i could do instead, after some of `rest`, which is what is left of the execution after i without event i.
  struct Alternative {
    std::vector<std::size_t> rest;
    Event event;
  };
  std::vector<Alternative> alternatives(std::size_t i, std::span<const std::size_t> rest);
  // Whether i and j are a race that can be reversed: j can happen in the execution without event i.
  bool is_reversible_race(std::size_t i, std::size_t j, std::span<const std::size_t> rest);
  void count_blocked() { ++result_.blocked; }
  bool stopped() const { return stopped_; }

 private:
  void list_events(std::span<const Slot> state, std::uint32_t process, std::vector<Event>& out);
  void alternatives_after(std::size_t i, std::vector<std::size_t> rest, std::vector<Alternative>& out);
  std::vector<Event> events_of_process_after(std::size_t i, std::span<const std::size_t> rest);
  // Takes the event in the state; false if it is not possible there.
  bool move(SlotVector& state, const Event& event);
  bool proceed();

  const TransitionSystem& system_;
  const Visibility& visibility_;
  StatelessOptions options_;
  Budget budget_;
  std::optional<FindingsBoard<Path>> board_;
  std::uint64_t watched_ = 0;
  Execution execution_;
  StatelessResult result_;
  StepBuffer steps_;
  double last_report_ = 0;
  std::uint64_t moves_ = 0;
  bool stopped_ = false;
};

// The position of `event` in `events`, or events.size().
std::size_t position(const std::vector<Event>& events, const Event& event);

}  // namespace heddle
