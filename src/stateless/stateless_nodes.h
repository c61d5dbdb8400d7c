// How many nodes a search without a visited set would visit: the measure of the literature on stateless reductions.
//
// Counted by dynamic programming over the states instead of by running it, so 10^12 nodes cost as much as the states behind
// them. Requires an acyclic system: nothing is returned otherwise.
#pragma once

#include <cstdint>
#include <optional>

#include "explore/reduction.h"

namespace heddle {

// With a selector: of the reduced search. No proviso is applied, since there are no cycles.
std::optional<std::uint64_t> stateless_nodes(const TransitionSystem& system, Selector* selector = nullptr);

}  // namespace heddle
