// `--search dpor`: a stateless search behind the options and the result of any other search.
//
//   if (const std::string why = conflicts_with_dpor(options); !why.empty()) ...   // a sentence for the user
//   SearchResult r = dpor_search(system, options);
//
// Kept are deadlocks, final states and the verdicts of all properties; `states` is not counted, since none is
// remembered. A run longer than the limit of depth is cut off, and one longer than StatelessOptions::default_depth,
// where no limit is given, ends the search: the verdict is then `unknown` unless something was found, because a
// stateless search does not end on a system with cycles.
#pragma once

#include <string>

#include "stateless/stateless.h"

namespace heddle {

// What of the options a stateless search cannot heed, a sentence; empty: nothing.
std::string conflicts_with_dpor(const SearchOptions& options);

// REQUIRES: conflicts_with_dpor(options) is empty.
SearchResult dpor_search(const TransitionSystem& system, const SearchOptions& options);

}  // namespace heddle
