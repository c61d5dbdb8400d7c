// Delta debugging (Zeller, Hildebrandt; TSE 2002) on the steps of a walk: leave out ever smaller runs of steps and see
// whether what remains still shows the finding.
//
// A step that is left out takes others with it: without a send there is no receive. So the remaining steps are replayed
// loosely: each step is looked for among the enabled steps of the current state (step_catalogue.h says when two steps
// are the same) and skipped if it is not there. As soon as the finding shows, the replay stops. Steps before the
// first one left out are not executed again.
// Deterministic.
#pragma once

#include "explain/walk.h"

namespace heddle::explain {

// Returns true if the walk became shorter.
bool delta_debug(const Workshop& shop, Walk& walk);

// Leaves out all steps of one lane if that lowers the cost.
bool drop_lane(const Workshop& shop, Walk& walk, std::uint32_t lane);

}  // namespace heddle::explain
