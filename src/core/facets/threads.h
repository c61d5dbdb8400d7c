// Facet: deterministic threads over shared slots. In every state a thread has at most one action that it is about to
// take, and taking it leads to one state, or to several that differ in a choice of the thread's own.
//
// Contract
//   1. What a thread does depends on its own slots and on what its pending action reads. Others cannot change which
//      action is pending, only what it reads: whether it is enabled, its outcome, and with it its accesses. A
//      compare-and-swap that would fail is a Read.
//   2. Accesses name slots of the state that other threads may access, too. Two actions of different threads that do
//      not conflict commute, and neither enables, disables nor alters the other. Two accesses of one slot conflict
//      unless they are of one kind other than Write.
//   3. An action that does not say `disables_others` leaves those of other threads enabled.
//   4. A safe action conflicts with nothing that other threads ever do, and no property sees it: it may be taken at
//      once.
//   5. The steps of all threads, in their order, are those that expand lists; execute takes one of them alone.
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
  std::vector<Access> accesses;  // whatever is chosen; also of a blocked action: what it waits for is read
  bool blocked = false;          // it waits for others: a lock that is held, a thread that has not ended
  bool safe = false;
  bool disables_others = false;  // it may block other threads: a lock that is taken
};

class Threads {
 public:
  virtual ~Threads() = default;
  // Threads are numbered from 0; those not yet started and those that have ended count, too. Does not shrink along a
  // run.
  virtual std::uint32_t thread_count(std::span<const Slot> state) const = 0;
  // False if the thread has nothing left to do, or has not been started.
  virtual bool pending(std::span<const Slot> state, std::uint32_t thread, PendingAction& out) const = 0;
};

}  // namespace heddle
