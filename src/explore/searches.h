// The searches behind search(), one file each.
#pragma once

#include "explore/search.h"

namespace heddle {

SearchResult breadth_first(const TransitionSystem& system, const SearchOptions& options);
SearchResult depth_first(const TransitionSystem& system, const SearchOptions& options);
SearchResult random_walks(const TransitionSystem& system, const SearchOptions& options);

// Returns the length to make a store for: 0 if states differ in length. Throws ModelError if there is no
// initial state.
std::size_t store_length(const TransitionSystem& system, const std::vector<SlotVector>& initial);

// Returns what was found at the end of `path`, with a run of the system that shows it. With a canonicalizer the path
// is one between representatives. A property that tells renamed states apart may be false where the search looked and
// true where the run leads: throws NotSymmetric unless the run shows what was found, and Mistaken if an assumption of
// the system was wrong.
Finding concrete_finding(const TransitionSystem& system, const SearchOptions& options, std::size_t property,
                         const Path& path);

// The machine gives no more threads: throws ModelError.
[[noreturn]] void too_few_threads(std::size_t started, std::size_t wanted);

// Computes verdict, completeness and reason from what was found. Every search calls it last.
void conclude(const TransitionSystem& system, const Budget& budget, SearchResult& result);

}  // namespace heddle
