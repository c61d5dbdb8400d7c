// Lazy source sets: after a thread has been explored in a state, looks up who may disturb its step later (Cirisci 2022,
// Algorithm 3: DL-S-POR).
//
//   SearchResult r = lazy_source_sets(system, options);
//
// source_set_search.h has the search, the repairs of the algorithm and the argument. current[t] is t and the threads in
// whose future after t's step something depends on that step. The futures of states are kept in one of two ways, with
// the same result:
//   Sets        as hash-consed sets (future_sets.h): a look-up.
//   Traversal   as the graph of executed steps, which is walked each time, as in the thesis. For comparison: it takes
//               far longer.
// Four cuts save look-ups:
//   1. none for the last thread that is enabled;
//   2. none once all steps that remain lead to known states: they are executed, which costs nothing;
//   3. a walk ends when all enabled threads are found;
//   4. a walk ends when a thread is found that is not enabled.
#pragma once

#include "reduce/source_set_search.h"

namespace heddle {

struct LazyOptions {
  enum class Futures : std::uint8_t { Sets, Traversal };
  Futures futures = Futures::Sets;
  SourceSetOptions how = {};
  std::uint64_t* lookups = nullptr;  // counts how often a future was asked for
  std::uint64_t* walked = nullptr;   // counts steps walked by traversals
};

// REQUIRES: the system has Threads; conflicts_with_source_sets(options) is empty.
SearchResult lazy_source_sets(const TransitionSystem& system, const SearchOptions& options,
                              const LazyOptions& lazy = {});

}  // namespace heddle
