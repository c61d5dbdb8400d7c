// `--search dpor`: a stateless search with the options and the result of any other search.
//
//   if (const std::string why = conflicts_with_dpor(options); !why.empty()) ...   // a sentence for the user
//   SearchResult r = dpor_search(system, options);
//
// Deadlocks, final states and the verdicts of all properties are preserved. `states` is not counted, because no state
// is remembered. A run longer than the limit of depth is cut off. Without such a limit, a run longer than
// StatelessOptions::default_depth ends the search, because a stateless search does not end on a system with cycles. The
// verdict is then `unknown` unless something was found.
#pragma once

#include <string>

#include "stateless/stateless.h"

namespace heddle {

// Returns a sentence about an option that a stateless search cannot heed; empty if there is none.
std::string conflicts_with_dpor(const SearchOptions& options);

// REQUIRES: conflicts_with_dpor(options) is empty.
SearchResult dpor_search(const TransitionSystem& system, const SearchOptions& options);

}  // namespace heddle
