// Makes a run that shows a finding small: fewest steps, then fewest processes, messages and faults. Of a system of
// threads it has the fewest context switches first (fewest_switches.h).
//
// Runs found depth-first or at random are full of detours. Breadth-first runs are shortest, but may involve a process
// or send a message without need. The techniques: cutting out states visited twice, a bounded second search from the
// initial state (shortcuts.h), delta debugging on the steps (delta_debugging.h), local shortcuts, and banning one
// process after the other.
//
// Invariants
//   1. The result can be followed, violates (or witnesses) the same property, and does not cost more than what was
//      given.
//   2. Equal input gives equal output, unless the clock or Ctrl-C cut the work short.
// Not thread-safe with respect to a system's statistics (growth()), which it changes.
#pragma once

#include <limits>

#include "explore/search.h"

namespace heddle::explain {

struct MinimiseOptions {
  std::size_t expansions = 3'000'000;  // states looked at in total
  std::size_t states = 200'000;        // states of one search
  std::size_t detour_states = 2'000;   // states of one local search
  double seconds = 5;                  // of processor time
  double wall_seconds = std::numeric_limits<double>::infinity();
};

// Throws ModelError if the finding's path cannot be followed (see make_trace).
Path minimise(const TransitionSystem& system, const Finding& finding, const MinimiseOptions& options = {});

}  // namespace heddle::explain
