// The front door for protocols: a Model as a TransitionSystem.
//
// A process is one slot: the pair (local state, inbox), each interned, called its *cell*. Handlers are pure, so everything a
// process can do is a function of its cell; the list of its outcomes (next cell, messages sent) is computed once per process
// and distinct cell. Taking a message in is a function of (cell, message), kept likewise. A step in the hot loop is thus one
// look-up for the mover and one for each receiver. After the processes come, where the run needs them, a slot that counts
// faults, one for the current partition of the network, and one for the history of operations.
//
// outcomes.cpp computes outcomes (handlers, quorums, choices); messages.cpp is the discipline of the network, dropping.cpp leaves
// out messages that are dead; faults.cpp adds crashes, losses, Byzantine senders; spawning.cpp finds places for new processes;
// splits.cpp numbers transitions and relations.cpp relates them; properties.cpp evaluates predicates; describe.cpp explains.
#pragma once

#include <cstdint>
#include <memory>

#include "core/transition_system.h"
#include "heddle/model.h"

namespace heddle {

// How transitions are refined, for reductions (splits.cpp): not at all; those that consume a quorum, one for each set of
// senders; those that answer their senders; or all that consume something.
enum class Split : std::uint8_t { None, Quorum, Reply, Combined };

struct ActorOptions {
  // What is renamed for symmetry: every role on its own (role decomposition), or only whole processes with all co-located
  // roles together; the latter finds less and is there to compare with.
  enum class Symmetry : std::uint8_t { Roles, Processes };
  bool memoise = true;          // off: handlers run again for every state; for comparison
  bool audit_handlers = false;  // run every handler twice, in differently poisoned memory, and compare
  // A handler that fails (an assertion, an exception, a crash) makes a step into a state in which it has failed, and there are
  // properties that say that none does. Otherwise such a step throws UserCodeFailed: few models need the slot.
  bool watch_failures = false;
  Split split = Split::None;  // refined transitions, for partial order reduction
  Symmetry symmetry = Symmetry::Roles;
  // Selective hashing: auxiliary data (heddle/auxiliary.h) is dropped wherever a handler leaves it, so that states which differ
  // in nothing else are one. A path is shown with its auxiliary data by following it in a system that keeps it
  // (reduce/selective_hashing.h).
  bool forget_auxiliary = false;
  // Messages that their receiver will never take again are dropped, as far as is known (dead_messages.h): searches have to ask
  // Assumptions::mistaken. Does nothing where it is not possible, as in FIFO channels.
  // UpToRenaming is for searches with symmetry.
  enum class DropDead : std::uint8_t { No, Yes, UpToRenaming };
  DropDead drop_dead = DropDead::No;
};

// Throws ModelError if the model or the combination of switches is not supported.
std::unique_ptr<TransitionSystem> make_actor_system(Model model, const ActorOptions& options = {});

}  // namespace heddle
