// Optimal DPOR (Abdulla, Aronis, Jonsson, Sagonas: Source Sets, JACM 2017): source-DPOR with wakeup trees.
//
// Races are looked for in complete executions. A race is reversed by the whole sequence of events that leads to the
// reversed race. The sequences that wait at a state form a tree, which guides the exploration past all sleeping events.
// So no two equivalent executions are explored, and no execution is in vain: `executions` is the number of Mazurkiewicz
// traces, and `blocked` is 0. More is explored only where an event may disable events of other processes (execution.h).
//
// Invariants
//   1. There is a node for every visit.
//   2. An event that begins a branch of a node's tree does not sleep there, and the branches of one level begin with
//      different events.
#pragma once

#include "stateless/stateless.h"

namespace heddle {

StatelessResult optimal_dpor(const TransitionSystem& system, const StatelessOptions& options = {});

}  // namespace heddle
