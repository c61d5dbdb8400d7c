// Dynamic partial order reduction (Flanagan, Godefroid: POPL 2005), for processes that exchange messages.
//
// A state explores one process at first, with all its enabled events. Whenever an event e sends to a process that has acted before without
// e knowing (f is not in the past of e), f might have seen the message had e come first: the state before f then explores one more process,
// one that is in the past of e and so leads towards it, or all if there is none. The past of an event is that of its process's last event
// and that of the senders of everything it consumes, as of sending: for a quorum the union of all of them (Bokor's extension).
//
// A state in which a visible event was executed explores all its processes, so that verdicts are kept as well as deadlocks; likewise
// where an event might disable those of other processes.
//
// This is the baseline others are measured by; source_dpor.h and optimal_dpor.h explore less.
#pragma once

#include "stateless/stateless.h"

namespace heddle {

StatelessResult dpor(const TransitionSystem& system, const StatelessOptions& options = {});

}  // namespace heddle
