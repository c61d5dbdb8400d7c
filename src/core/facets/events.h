// Facet: steps as events of processes that consume and send messages.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/access.h"
#include "core/step_buffer.h"

namespace heddle {

// What a step does in terms of processes and messages, for searches that keep track of what happens before what
// (stateless/).
//
// Contract, beyond that of footprints
//   1. Two steps are the same event iff process and label are equal. Executing a step that is independent of an event
//      neither takes the event away nor alters its effects. Independent are steps of different processes of which none
//      sends what the other consumes and whose accesses do not conflict, where an Append to a process's own slot
//      conflicts with nothing that process does.
//   2. A step that does not say `disables_others` disables steps of its own process only. A write alone disables
//      nobody: whoever reads the slot still has its step, with another outcome.
//   3. Accesses list as Read also what decides which other steps the process could take instead.
struct Effects {
  static constexpr std::uint32_t nobody = ~std::uint32_t{0};
  struct Consumed {
    std::uint32_t message;
    std::uint32_t copies;  // equal messages waiting, this one included
  };
  struct Sent {
    std::uint32_t process, message;
  };
  std::uint32_t process = nobody;  // its slot
  std::uint64_t label = 0;
  std::vector<Consumed> consumed;  // by a process other than the sender; what it had sent itself is not listed
  std::vector<Sent> sent;          // likewise
  std::vector<Access> accesses;
  // It may take steps away from other processes: a lock that is taken, a process that ends.
  bool disables_others = false;
};

class Events {
 public:
  virtual ~Events() = default;
  // REQUIRES: `step` is enabled in `state`.
  virtual void effects(std::span<const Slot> state, Step step, Effects& out) const = 0;
  // The steps of one process alone, in the order in which expand lists them. False: the door cannot list them without
  // all others.
  virtual bool steps_of(std::span<const Slot> state, std::uint32_t process, StepBuffer& out) const;
};

class TransitionSystem;
// By the system's facet; without one, a step is an event of nobody, and all that is known of it is its footprint.
void effects_of(const TransitionSystem& system, std::span<const Slot> state, Step step, Effects& out);

}  // namespace heddle
