// Finds a shorter or cheaper way by bounded breadth-first search.
//
// From one state of a walk, searches for any state further along it, and for any state that shows the finding. The best
// replacement within the limits is taken. From the initial state this is a second search, with the depth of the walk as
// its bound; from later states it cuts out detours that are too deep for that.
//
// Ties are broken inside the search: all steps into a layer are known before the next layer starts, so each state keeps
// its cheapest predecessor by (messages, faults), which is optimal among shortest paths (Dijkstra on a layered graph).
// Deterministic: the order of expand() decides everything else.
#pragma once

#include <vector>

#include "explain/walk.h"

namespace heddle::explain {

struct ShortcutLimits {
  std::size_t states = 200'000;
  const std::vector<bool>* banned_lanes = nullptr;  // steps of these lanes are not taken
  bool rejoin = true;  // false: look for the finding only, not for later states of the walk
};

struct ShortcutResult {
  bool improved = false;
  bool exhausted = false;  // all that could be better was looked at, so nothing better than the result exists
};

// Replaces the part of `walk` after its state `from` if that lowers its cost. The search does not look for fewer lanes;
// `banned_lanes` is for that. But lanes count in the cost.
ShortcutResult take_shortcut(const Workshop& shop, Walk& walk, std::size_t from, const ShortcutLimits& limits);

}  // namespace heddle::explain
