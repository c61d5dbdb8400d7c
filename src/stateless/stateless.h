// The options and the result of the stateless searches (dpor.h, source_dpor.h, optimal_dpor.h).
//
// These searches store no states but those of the current run, visit a state once for every explored run that passes
// through it, and end only on acyclic systems. A run longer than the limit of depth is taken for a cycle: the search
// stops, and its verdict is `unknown` unless something was found.
#pragma once

#include <cstdint>
#include <functional>

#include "explore/search.h"

namespace heddle {

class Commuting;

struct StatelessOptions {
  // If no depth is given, it is default_depth.
  Limits limits;
  bool stop_at_violation = true;
  // On: a run longer than the limit of depth is cut off, and other runs are explored. Off: it ends the search. Either
  // way the verdict does not rest on it.
  bool cut_off_long_runs = false;
  // The search stops after so many runs that end in a deadlock.
  std::uint64_t most_executions = ~std::uint64_t{0};
  // Off: nothing is visible and only deadlocks are preserved. `always`, `sometimes` and bounds are then not looked at.
  bool properties = true;
  // The steps of one process that commute and so are independent; null: none. REQUIRES: it outlives the search.
  const Commuting* commuting = nullptr;
  // Says which transitions count as visible whatever properties look at; none by default.
  std::function<bool(std::uint32_t transition)> visible;
  // A state begins with the transition of the highest priority, equals in the order of processes. The default is
  // Relations::priority, if the system has relations.
  std::function<int(std::uint32_t transition)> priority;
  // Called about twice a second with the counters so far.
  std::function<void(const Counters&, double seconds)> progress;
  // Called for every run that ends in a deadlock, so several times for a state in which several runs end.
  std::function<void(std::span<const Slot>)> on_deadlock;
  // Called for the same runs, with the run.
  std::function<void(const Path&)> on_execution;

  static constexpr std::uint32_t default_depth = 10'000;
};

struct StatelessResult : SearchResult {
  std::uint64_t nodes = 0;       // visits of states
  std::uint64_t executions = 0;  // runs that ended in a deadlock
  std::uint64_t blocked = 0;     // runs given up because all that could follow had been explored elsewhere
};

}  // namespace heddle
