// Facet: deterministic threads over shared slots. In every state a thread has at most one action that it is
// about to take. The action leads to one state, or to several that differ in a choice of the thread.
//
// Contract
//   1. What a thread does depends on its own slots and on what its pending action reads. Others cannot change which
//      action is pending, only what it reads: whether it is enabled, its outcome, and with it its accesses. A
//      compare-and-swap that would fail is a Read.
//   2. Accesses name places that other threads may access as well: slots of the state, or numbers of the door's own for
//      smaller things (place_count). Two actions of different threads that do not conflict (access.h) commute, and
//      neither enables, disables nor alters the other.
//   3. An action that does not say `disables_others` leaves those of other threads enabled.
//   4. A safe action conflicts with nothing that other threads ever do, and no property sees it: it may be taken at
//      once.
//   5. The steps of all threads, in their order, are those that expand lists; execute takes one of them alone.
//   6. What a thread may do from a local state on depends on others only through what its actions read. Others change
//      its local state only by starting it.
//   7. An action that `ends` leads to a state without steps. What others have not done by then they never do, so it
//      comes last: it may be put off, and its accesses do not say that everybody else's step conflicts with it. No
//      property tells the states apart to which it leads before and after steps that it does not conflict with.
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
  // Accesses, not listed above, by which it lets others go on that cannot come before it: the thread ends, and somebody
  // waits for that. They matter to those who wait.
  std::vector<Access> enables = {};
  bool blocked = false;  // it waits for others: a lock that is held, a thread that has not ended
  bool safe = false;
  bool releases = false;         // it is the release of a lock
  bool disables_others = false;  // it may block other threads: it takes a lock
  bool ends = false;             // a choice of it ends the run of all threads: the process exits or fails
};

class Threads {
 public:
  virtual ~Threads() = default;
  // Threads are numbered from 0; those that have not started and those that have ended count. Never shrinks
  // along a run.
  virtual std::uint32_t thread_count(std::span<const Slot> state) const = 0;
  // Returns false if the thread has nothing left to do, or has not been started.
  virtual bool pending(std::span<const Slot> state, std::uint32_t thread, PendingAction& out) const = 0;
  // The process of the thread, where the system has Events.
  virtual std::uint32_t process_of(std::uint32_t thread) const { return thread; }
  // Places are numbered below this, as far as they have been named; 0: they are the slots. May grow.
  virtual std::uint32_t place_count() const { return 0; }
  // Tells local states of one thread apart, those before its start and after its end included. Equal local states have
  // equal numbers. The default tells none apart: that is sound, but leaves thread futures (reduce/) little to go by.
  virtual std::uint64_t local_state(std::span<const Slot> state, std::uint32_t thread) const {
    static_cast<void>(state), static_cast<void>(thread);
    return 0;
  }
};

}  // namespace heddle
