// Computes how many nodes a search without a visited set would visit: the measure of the literature on stateless
// reductions.
//
// Dynamic programming over the states counts the nodes without visiting them, so 10^12 nodes cost as much as the states
// behind them. Returns nothing if the system has a cycle.
#pragma once

#include <cstdint>
#include <optional>

#include "explore/reduction.h"

namespace heddle {

// With a selector, the nodes are those of the reduced search. No proviso is applied, because there are no cycles.
std::optional<std::uint64_t> stateless_nodes(const TransitionSystem& system, Selector* selector = nullptr);

}  // namespace heddle
