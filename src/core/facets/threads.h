// Facet: deterministic threads over shared slots. In every state a thread has at most one action that it is
// about to take. The action leads to one state, or to several that differ in a choice of the thread.
//
// Contract
//   1. What a thread does depends on its own slots and on what its pending action reads. Others cannot change which
//      action is pending, only what it reads: whether it is enabled, its outcome, and with it its accesses. A
//      compare-and-swap that would fail is a Read.
//   2. Accesses name slots of the state that other threads may access as well. Two actions of different threads that
//      do not conflict commute, and neither enables, disables nor alters the other. Two accesses of one slot conflict
//      unless both are of the same kind and that kind is not Write.
//   3. An action that does not say `disables_others` leaves those of other threads enabled.
//   4. A safe action conflicts with nothing that other threads ever do, and no property sees it: it may be taken at
//      once.
//   5. The steps of all threads, in their order, are those that expand lists; execute takes one of them alone.
//   6. What a thread may do from a local state on depends on others only through what its actions read. Others change
//      its local state only by starting it.
// Thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/access.h"
#include "core/step_buffer.h"

namespace heddle {

struct PendingAction {
  std::vector<Step> steps;       // one for each choice; empty while it is blocked
  std::vector<Access> accesses;  // whatever is chosen; of a blocked action as well: it reads what it waits for
  bool blocked = false;          // it waits for others: a lock that is held, a thread that has not ended
  bool safe = false;
  bool disables_others = false;  // it may block other threads: it takes a lock
};

class Threads {
 public:
  virtual ~Threads() = default;
  // Threads are numbered from 0; those that have not started and those that have ended count. Never shrinks
  // along a run.
  virtual std::uint32_t thread_count(std::span<const Slot> state) const = 0;
  // Returns false if the thread has nothing left to do, or has not been started.
  virtual bool pending(std::span<const Slot> state, std::uint32_t thread, PendingAction& out) const = 0;
  // Tells local states of one thread apart, those before its start and after its end included. Equal local states have
  // equal numbers. The default tells none apart: that is sound, but leaves thread futures (reduce/) little to go by.
  virtual std::uint64_t local_state(std::span<const Slot> state, std::uint32_t thread) const {
    static_cast<void>(state), static_cast<void>(thread);
    return 0;
  }
};

}  // namespace heddle
