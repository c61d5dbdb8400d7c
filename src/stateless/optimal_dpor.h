// Optimal DPOR (Abdulla, Aronis, Jonsson, Sagonas: Source Sets, JACM 2017): source-DPOR with wakeup trees.
//
// Races are looked for in complete executions, and a race is reversed by the whole sequence of events that leads to it. The tree of
// the sequences waiting at a state guides the exploration past everything that sleeps, so no two equivalent executions are
// explored and none is in vain: `executions` is the number of Mazurkiewicz traces, and `blocked` is 0. Only where an event may
// disable those of other processes (execution.h) is more explored than that.
//
// Invariants
//   1. There is a node for every visit.
//   2. An event that begins a branch of a node's tree does not sleep there, and the branches of one level begin with different events.
#pragma once

#include "stateless/stateless.h"

namespace heddle {

StatelessResult optimal_dpor(const TransitionSystem& system, const StatelessOptions& options = {});

}  // namespace heddle
