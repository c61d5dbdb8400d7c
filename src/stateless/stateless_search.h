// The bookkeeping that the stateless searches share: visits, properties, budgets, the verdict, and what could have
// happened without an event.
//
// Invariants
//   1. Between calls visits has one entry more than events, and event i is enabled in the state of visit i.
//   2. What is left of an execution without an event and all that depends on it is possible from the state before that
//      event.
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
  // Explores everything from execution().visits[0], which has been entered and has events.
  virtual void explore() = 0;

  Execution& execution() { return execution_; }
  // Visits the state that the execution's events lead to. False: nothing can or shall follow, and there is no visit to
  // it.
  bool enter(SlotVector state);
  // Goes back to the state before the last event; the last visit has ended.
  void leave();
  // Takes back the last event, whose state is not visited.
  void take_back();
  // Which enabled event of the last state to begin with.
  std::size_t first_choice() const;
  // The state after the enabled event number k of the last state.
  SlotVector after(std::size_t k);
  // What the process of event i could do instead, after some of `rest`, which is what is left of the execution after i
  // without event i.
  struct Alternative {
    std::vector<std::size_t> rest;
    Event event;
  };
  std::vector<Alternative> alternatives(std::size_t i, std::span<const std::size_t> rest);
  // If i and j are a race that can be reversed: event j as it happens in the execution without event i. What i has
  // written may make a difference to it, a compare-and-swap that fails for instance.
  std::optional<Event> reversed(std::size_t i, std::size_t j, std::span<const std::size_t> rest);
  void count_blocked() { ++result_.blocked; }
  bool stopped() const { return stopped_; }

 private:
  // The steps of one process, or of all, into steps_.
  void list_steps(std::span<const Slot> state, std::uint32_t process);
  void list_events(std::span<const Slot> state, std::uint32_t process, std::vector<Event>& out);
  void alternatives_after(std::size_t i, std::vector<std::size_t> rest, std::vector<Alternative>& out);
  std::vector<Event> events_of_process_after(std::size_t i, std::span<const std::size_t> rest);
  // Takes the event in the state; false if it is not possible there.
  bool move(SlotVector& state, const Event& event);
  bool proceed();
  void give_up_for_memory();

  const TransitionSystem& system_;
  const Visibility& visibility_;
  StatelessOptions options_;
  Budget budget_;
  std::optional<FindingsBoard<Path>> board_;
  std::uint64_t watched_ = 0;  // properties to be looked at in every state
  bool in_passing_ = false;    // one of them may be false, or true, for a moment only
  Execution execution_;
  std::optional<ContentTable> finals_;  // the states that runs have ended in
  StatelessResult result_;
  StepBuffer steps_;
  double last_report_ = 0;
  std::uint64_t moves_ = 0;
  bool stopped_ = false;
};

}  // namespace heddle
