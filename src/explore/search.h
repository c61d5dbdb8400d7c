// Searches over any TransitionSystem.
//
//   SearchResult r = search(system, options);
//
// Breadth-first search finds shortest traces. It finishes the level in which it finds a violation, so that
// counts do not depend on the number of threads. Depth-first search and random walks stop at once. With one
// thread and one seed everything is deterministic. With any number of threads a complete search gives the
// same verdict and, unless a Selector leaves steps out, the same counts. With a Selector the cycle proviso
// depends on the numbers of states, and several threads number them differently in each run.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/budget.h"
#include "core/counters.h"
#include "core/path.h"
#include "core/transition_system.h"
#include "core/verdict.h"
#include "explore/reduction.h"

namespace heddle {

struct SearchOptions {
  // Dpor is stateless dynamic partial order reduction. reduced_search() runs it (stateless/dpor_search.h), search()
  // does not.
  enum class Order : std::uint8_t { BreadthFirst, DepthFirst, RandomWalk, Dpor };
  // Exact stores whole states. HashCompact and Bitstate may miss states and say with which probability. None stores
  // nothing: a depth-first search then walks every run (stateless search) and ends only if no run is infinite.
  enum class Store : std::uint8_t { Exact, HashCompact, Bitstate, None };

  // stateless/: source_dpor.h, optimal_dpor.h, dpor.h.
  enum class Dpor : std::uint8_t { Source, Optimal, Classic };

  Order order = Order::BreadthFirst;
  Dpor dpor = Dpor::Source;
  Store store = Store::Exact;
  bool tree_compression = true;  // off: states as flat slot vectors, for comparison
  unsigned threads = 1;
  Limits limits;
  std::uint64_t seed = 1;
  std::uint64_t walks = 1000;        // random walks
  std::uint32_t walk_length = 1000;  // steps of one walk, at most
  std::size_t bitstate_bytes = std::size_t{1} << 28;
  bool stop_at_violation = true;
  bool selective_push = false;  // depth-first: no frame for a state with only one step to execute
  // Reductions, none by default; each thread has its own.
  std::function<std::unique_ptr<Selector>()> selector;
  std::function<std::unique_ptr<Canonicalizer>()> canonicalizer;
  std::function<std::unique_ptr<StepOrder>()> step_order;  // depth-first; none: as expand lists them
  // Called about twice a second from one thread, with the counters so far.
  std::function<void(const Counters&, double seconds)> progress;
  // Called once for every state stored (without a store: visited), in exact single-threaded searches. For
  // tests and audits.
  std::function<void(std::span<const Slot>)> on_state;
  // Called once for every deadlock, in the same searches.
  std::function<void(std::span<const Slot>)> on_deadlock;
};

struct SearchResult {
  Verdict verdict = Verdict::Unknown;
  bool complete = false;   // nothing was cut off: every reachable state was stored and expanded
  bool exhausted = false;  // only bounds and the depth limit cut the search off: everything within them was looked at
  Counters counters;
  double seconds = 0;
  std::vector<Finding> violations;      // at most one for each property
  std::vector<Finding> witnesses;       // `sometimes` properties that were reached
  std::vector<std::size_t> unreached;   // `sometimes` properties never reached
  std::vector<std::uint64_t> executed;  // for each transition, how many of counters.transitions were steps of it
  std::string stopped_by;               // a phrase that says why it is incomplete; empty if complete
  std::string note;                     // e.g. the probability of a missed state
};

// Whether states are remembered, so that reductions of states have something to act on.
inline bool remembers_states(SearchOptions::Order order) {
  return order == SearchOptions::Order::BreadthFirst || order == SearchOptions::Order::DepthFirst;
}

SearchResult search(const TransitionSystem& system, const SearchOptions& options = {});

// Returns some hundred states met on short random runs within the limits. The result is the same for every call.
std::vector<SlotVector> sample_states(const TransitionSystem& system, const Limits& limits);

}  // namespace heddle
