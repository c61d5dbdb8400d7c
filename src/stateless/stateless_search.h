// The bookkeeping that the stateless searches share: visits, properties, budgets, the verdict, and the alternatives to
// an event.
//
// Invariants
//   1. Between calls visits has one entry more than events, and event i is enabled in the state of visit i.
//   2. If an event and all that depends on it are taken out of an execution, the rest is possible from the state before
//      that event.
//   3. A run that was cut off is counted, so that no verdict rests on it.
// Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/budget.h"
#include "core/content_table.h"
#include "core/facets/visibility.h"
#include "core/transition_system.h"
#include "explore/findings_board.h"
#include "stateless/execution.h"
#include "stateless/stateless.h"

namespace heddle {

class StatelessSearch {
 public:
  StatelessSearch(const TransitionSystem& system, const StatelessOptions& options);
  virtual ~StatelessSearch() = default;

  StatelessResult run();

 protected:
  // Explores everything from execution().visits[0]. REQUIRES: that visit has been entered and has events.
  virtual void explore() = 0;

  Execution& execution() { return execution_; }
  // Visits the state that the execution's events lead to. Returns false, and adds no visit, if nothing can or shall
  // follow.
  bool enter(SlotVector state);
  // Ends the last visit and goes back to the state before the last event.
  void leave();
  // Takes back the last event. REQUIRES: the state after it is not visited.
  void take_back();
  // Returns the enabled event with which the last state begins.
  std::size_t first_choice() const;
  // Returns the state after the enabled event number k of the last state.
  SlotVector after(std::size_t k);
  // Something that the process of event i could do instead, after some of `rest`. `rest` is Execution::without(i).
  struct Alternative {
    std::vector<std::size_t> rest;
    Event event;
  };
  std::vector<Alternative> alternatives(std::size_t i, std::span<const std::size_t> rest);
  // If i and j are a race that can be reversed, returns event j as it happens in the execution without event i. It may
  // differ because of what i has written: a compare-and-swap that failed may succeed.
  std::optional<Event> reversed(std::size_t i, std::size_t j, std::span<const std::size_t> rest);
  // In a system with Threads: the races of event j with events that are not the last ones before it. If a thread can
  // take its step only after others have let it go on, it races with what blocked it: the lock that was taken, not the
  // one that was released. Calls reverse(i, rest, g) for each of them.
  template <class Reverse>
  void reverse_blocking(std::size_t j, const Reverse& reverse) {
    if (system_.threads() == nullptr) return;
    for (std::size_t i = j; i-- > 0 && !stopped();) {
      if (!blocks(i, j)) continue;
      const std::vector<std::size_t> rest = execution_.without(i);
      for (const Event& g : events_instead(i, j, rest)) reverse(i, rest, g);
    }
  }
  // The same for what blocked threads are about to do in the state in which a run has ended; if an event ended it, in
  // the state before that event, which nobody else has a step after.
  template <class Reverse>
  void reverse_waiting(const Reverse& reverse) {
    for (const Event& event : std::vector<Event>(waiting_)) {
      execution_.push(event);
      reverse_blocking(execution_.events.size() - 1, reverse);
      execution_.pop();
    }
  }
  // A run ends in this state: nobody has a step, or all that have one sleep.
  void note_waiting(std::span<const Slot> state);
  // Whether everything else has to be explored before an event.
  bool comes_last(const Event& event) const {
    return system_.threads() != nullptr ? event.effects.ends : event.effects.disables_others;
  }
  void count_blocked() { ++result_.blocked; }
  bool stopped() const { return stopped_; }

 private:
  // Lists the steps of one process, or of all, in steps_.
  void list_steps(std::span<const Slot> state, std::uint32_t process);
  void list_events(std::span<const Slot> state, std::uint32_t process, std::vector<Event>& out);
  void alternatives_after(std::size_t i, std::vector<std::size_t> rest, std::vector<Alternative>& out);
  std::vector<Event> events_of_process_after(std::size_t i, std::span<const std::size_t> rest);
  bool blocks(std::size_t i, std::size_t j) const;
  std::vector<Event> events_instead(std::size_t i, std::size_t j, std::span<const std::size_t> rest);
  // Executes the event in the state. Returns false if it is not possible there.
  bool move(SlotVector& state, const Event& event);
  // Looks at the budget now and then. `work` is 1 for what is short, and grows with the part of the run that is looked
  // at: in a long run a single visit may take milliseconds.
  void tick(std::size_t work = 1) {
    ticks_ += work;
    if (ticks_ < 64) return;
    ticks_ = 0;
    proceed();
  }
  bool proceed();
  void give_up_for_memory();

  const TransitionSystem& system_;
  const Visibility& visibility_;
  StatelessOptions options_;
  Budget budget_;
  std::optional<FindingsBoard<Path>> board_;
  std::uint64_t watched_ = 0;  // properties to be looked at in every state
  bool in_passing_ = false;    // one of them may be false, or true, only for a moment
  Execution execution_;
  std::optional<ContentTable> finals_;  // the states that runs have ended in
  std::vector<Event> waiting_;          // what blocked threads are about to do where the last run has ended, or before
  StatelessResult result_;
  StepBuffer steps_;
  double last_report_ = 0;
  std::size_t ticks_ = 0;
  std::size_t visit_bytes_ = 0;  // of execution_.visits
  bool stopped_ = false;
};

}  // namespace heddle
