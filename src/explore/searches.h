// The searches behind search(), one file each.
#pragma once

#include "explore/search.h"

namespace heddle {

SearchResult breadth_first(const TransitionSystem& system, const SearchOptions& options);
SearchResult depth_first(const TransitionSystem& system, const SearchOptions& options);
SearchResult random_walks(const TransitionSystem& system, const SearchOptions& options);

// The length to make a store for: 0 if states differ in length.
std::size_t store_length(const TransitionSystem& system, const std::vector<SlotVector>& initial);

// What was found at the end of `path`, with a run of the system that shows it. With a canonicalizer the path is one
// between representatives. A property that tells renamed states apart may be false where the search looked, and true
// where the run leads: throws NotSymmetric unless the run shows what was found.
Finding concrete_finding(const TransitionSystem& system, const SearchOptions& options, std::size_t property,
                         const Path& path);

// The machine gives no more threads. Throws ModelError.
[[noreturn]] void too_few_threads(std::size_t started, std::size_t wanted);

// Verdict, completeness and reason from what was found; called last by every search.
void conclude(const TransitionSystem& system, const Budget& budget, SearchResult& result);

}  // namespace heddle
