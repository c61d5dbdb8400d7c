// The front door for protocols: turns a Model into a TransitionSystem.
//
// A process is one slot. Its value is called the *cell*: the pair (local state, inbox), each interned. Handlers
// are pure, so everything a process can do is a function of its cell. The list of its outcomes (next cell,
// messages sent) is computed once for each process and distinct cell. Taking a message in is a function of (cell,
// message) and is kept in the same way. So a step in the hot loop is one look-up for the mover and one for each
// receiver. After the processes come further slots, where the run needs them: one each for the counts of faults,
// the current partition of the network, the ghost variable, the history of operations, the abstract object of a
// refinement, and a failure of user code.
//
// outcomes.cpp computes outcomes (handlers, quorums, choices); messages.cpp implements the disciplines of the
// network; dropping.cpp leaves out dead messages; faults.cpp adds crashes, losses and Byzantine senders;
// spawning.cpp finds places for new processes; splits.cpp numbers transitions and relations.cpp relates them;
// properties.cpp evaluates predicates; describe.cpp explains.
#pragma once

#include <cstdint>
#include <memory>

#include "core/transition_system.h"
#include "heddle/model.h"

namespace heddle {

// How transitions are refined for reductions (splits.cpp). Quorum splits the transitions that consume a quorum,
// one for each set of senders; Reply splits those that answer their senders; Combined splits all that consume
// something.
enum class Split : std::uint8_t { None, Quorum, Reply, Combined };

struct ActorOptions {
  // What symmetry renames: every role separately (role decomposition), or only whole processes with all their
  // co-located roles together. The latter finds less and is there to compare with.
  enum class Symmetry : std::uint8_t { Roles, Processes };
  bool memoise = true;          // if false, handlers run again for every state; for comparison
  bool audit_handlers = false;  // run every handler twice, in differently poisoned memory, and compare
  // If set, a handler that fails (by an assertion, an exception or a crash) makes a step into a state that says
  // so, and two further properties say that this never happens. Otherwise such a step throws UserCodeFailed: few
  // models need the slot.
  bool watch_failures = false;
  Split split = Split::None;  // refined transitions, for partial order reduction
  Symmetry symmetry = Symmetry::Roles;
  // Auxiliary data (heddle/auxiliary.h) is dropped wherever a handler leaves it, so that states which differ in
  // nothing else are one (known as selective hashing). To show a path with its auxiliary data,
  // reduce/auxiliary.h follows it in a system that keeps the data.
  bool forget_auxiliary = false;
  // Drops messages that, as far as is known, their receiver will never take (dead_messages.h). Has no effect
  // where dropping is not possible, as in FIFO channels. UpToRenaming is for searches with symmetry.
  // REQUIRES: a search with this option asks Assumptions::mistaken when it ends.
  enum class DropDead : std::uint8_t { No, Yes, UpToRenaming };
  DropDead drop_dead = DropDead::No;
};

// Throws ModelError if the model or the combination of switches is not supported.
std::unique_ptr<TransitionSystem> make_actor_system(Model model, const ActorOptions& options = {});

}  // namespace heddle
