// Source-DPOR (Abdulla, Aronis, Jonsson, Sagonas: Source Sets, JACM 2017): source sets computed from races, with sleep
// sets.
//
// A state explores one process at first. For every race found in an execution, the state before the first of its two
// events explores an event that can begin the reversed race, unless it does so already. After an event was explored
// from a state, it sleeps in all that is explored from there later, until a dependent event wakes it. So no trace is
// explored twice; but an execution may come to a state where all events sleep, and was in vain (`blocked`).
// execution.h says what a race is here, and why deadlocks and verdicts are preserved.
//
// Invariants
//   1. There is a node for every visit, with a mark for each of its events.
//   2. An event is executed once from a node, and never while it sleeps there.
#pragma once

#include "stateless/stateless.h"

namespace heddle {

StatelessResult source_dpor(const TransitionSystem& system, const StatelessOptions& options = {});

}  // namespace heddle
