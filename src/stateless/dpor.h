// Dynamic partial order reduction (Flanagan, Godefroid: POPL 2005), for processes that exchange messages.
//
// At first a state explores one process, with all its enabled events. Let an event e send to a process that has already
// executed an event f, with f not in the past of e. Had e come first, f might have seen the message. So the state
// before f explores one more process: one that is in the past of e and thus leads towards e, or all if there is none.
// The past of an event is the union of the past of its process's last event and of the pasts that the senders of
// everything it consumes had when they sent; a quorum has several senders (Bokor's extension).
//
// A state explores all its processes if a visible event was executed in it, so that verdicts are preserved and not only
// deadlocks. It does the same if an event might disable events of other processes.
//
// This is the baseline of all comparisons; source_dpor.h and optimal_dpor.h explore less.
#pragma once

#include "stateless/stateless.h"

namespace heddle {

StatelessResult dpor(const TransitionSystem& system, const StatelessOptions& options = {});

}  // namespace heddle
