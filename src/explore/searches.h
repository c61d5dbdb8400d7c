// The searches behind search(), one file each.
#pragma once

#include "explore/search.h"

namespace heddle {

SearchResult breadth_first(const TransitionSystem& system, const SearchOptions& options);
SearchResult depth_first(const TransitionSystem& system, const SearchOptions& options);
SearchResult random_walks(const TransitionSystem& system, const SearchOptions& options);

// The length to make a store for: 0 if states differ in length.
std::size_t store_length(const TransitionSystem& system, const std::vector<SlotVector>& initial);

// A run of the system for a path between representatives, where every step is one of the representative before it: the states
// of the run have the same representatives. Throws NotSymmetric if there is none, which a canonicalizer that is no automorphism
// brings about.
Path concrete_path(const TransitionSystem& system, Canonicalizer& canonicalizer, const Path& path);

// A property that tells renamed states apart may be false where the search looked, and true where the run leads: throws NotSymmetric
// unless the run shows what was found.
void check_finding(const TransitionSystem& system, const Finding& finding);
[[noreturn]] void cannot_be_followed(const TransitionSystem& system);

// The machine gives no more threads. Throws ModelError.
[[noreturn]] void too_few_threads(std::size_t started, std::size_t wanted);

// Verdict, completeness and reason from what was found; called last by every search.
void conclude(const TransitionSystem& system, const Budget& budget, SearchResult& result);

}  // namespace heddle
