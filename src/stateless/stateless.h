// What the stateless searches (dpor.h, source_dpor.h, optimal_dpor.h) are asked and answer.
//
// They store no states but the current run, visit a state once for every run they explore that passes through it, and end on acyclic
// systems only. A run longer than the limit of depth is taken for a cycle: the search stops and its verdict is `unknown`.
#pragma once

#include <cstdint>
#include <functional>

#include "explore/search.h"

namespace heddle {

class Commuting;

struct StatelessOptions {
  // Where no depth is given, default_depth.
  Limits limits;
  bool stop_at_violation = true;
  // A run longer than the limit of depth is cut off and others are explored; otherwise it ends the search. Either way the
  // verdict does not rest on it.
  bool cut_off_long_runs = false;
  // Runs that end in a deadlock, at most.
  std::uint64_t most_executions = ~std::uint64_t{0};
  // Off: nothing is visible and only deadlocks are kept. `always`, `sometimes` and bounds are then not looked at.
  bool properties = true;
  // Steps of one process that commute and so are independent; null: none are. Must outlive the search.
  const Commuting* commuting = nullptr;
  // Transitions that count as visible whatever properties look at; none by default.
  std::function<bool(std::uint32_t transition)> visible;
  // Which transitions a state begins with: the higher first, equals in the order of processes. By default what
  // Relations::priority says, if anything does.
  std::function<int(std::uint32_t transition)> priority;
  // Called about twice a second with the counters so far.
  std::function<void(const Counters&, double seconds)> progress;
  // Called for every run that ends in a deadlock, so more than once for a state that several runs end in.
  std::function<void(std::span<const Slot>)> on_deadlock;
  // Called likewise with the run.
  std::function<void(const Path&)> on_execution;

  static constexpr std::uint32_t default_depth = 10'000;
};

struct StatelessResult : SearchResult {
  std::uint64_t nodes = 0;       // states visited, each as often as it was
  std::uint64_t executions = 0;  // runs that ended in a deadlock
  std::uint64_t blocked = 0;     // runs given up because all that could follow had been explored elsewhere
};

}  // namespace heddle
