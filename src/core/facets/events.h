// Facet: steps as events of processes that consume and send messages.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/access.h"
#include "core/step_buffer.h"

namespace heddle {

// The effects of a step on processes and messages, for searches that keep track of what happens before what
// (stateless/).
//
// Contract, beyond that of footprints
//   1. Two steps are the same event iff process and label are equal. Executing a step that is independent of
//      an event neither removes the event nor alters its effects. Two steps are independent if they are of
//      different processes, neither sends what the other consumes, and their accesses do not conflict. An
//      Append to a process's own slot conflicts with nothing that this process does.
//   2. A step disables steps of other processes only if `disables_others` is set. A write alone disables
//      nobody: a process that reads the slot still has its step, with another outcome. Exempt are systems with
//      Threads, where a search sees blocked threads and what they wait for.
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
  std::vector<Consumed> consumed;  // messages from other processes; what the process sent itself is not listed
  std::vector<Sent> sent;          // messages to other processes
  std::vector<Access> accesses;
  // It may take steps away from other processes: it takes a lock, or a process ends.
  bool disables_others = false;
  bool ends = false;  // nobody has a step after it (Threads, 7)
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
// By the system's facet. Without the facet a step is an event of nobody, and only its footprint is known.
void effects_of(const TransitionSystem& system, std::span<const Slot> state, Step step, Effects& out);

}  // namespace heddle
