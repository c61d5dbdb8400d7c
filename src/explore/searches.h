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

// Returns a run of the system for a path between representatives, in which every step is a step of the
// representative before it. The states of the run have the same representatives. Throws NotSymmetric if there is no
// such run: then the canonicalizer is not an automorphism. Throws Mistaken if an assumption of the system was wrong.
Path concrete_path(const TransitionSystem& system, Canonicalizer& canonicalizer, const Path& path);

// Throws NotSymmetric unless the run shows what was found. A property that tells renamed states apart may be
// false where the search looked and true where the run leads. Throws Mistaken like concrete_path.
void check_finding(const TransitionSystem& system, const Finding& finding);
// Throws Mistaken if an assumption of the system was wrong, NotSymmetric otherwise.
[[noreturn]] void cannot_be_followed(const TransitionSystem& system);

// The machine gives no more threads: throws ModelError.
[[noreturn]] void too_few_threads(std::size_t started, std::size_t wanted);

// Computes verdict, completeness and reason from what was found. Every search calls it last.
void conclude(const TransitionSystem& system, const Budget& budget, SearchResult& result);

}  // namespace heddle
