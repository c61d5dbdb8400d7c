// Facet: deterministic threads over shared slots. In every state a thread has at most one action that it is
// about to take. The action leads to one state, or to several that differ in a choice of the thread.
//
// Contract
//   1. What a thread does depends on its own slots and on what its pending action reads. Others cannot change
//      its pending action, only whether it is enabled.
//   2. Accesses name slots of the state. Two actions of different threads conflict if one writes a slot that the
//      other accesses. Actions that do not conflict commute, and neither enables, disables nor alters the other.
//   3. A safe action commutes with everything that other threads ever do, and no property sees it: it may be
//      taken at once.
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
  std::vector<Access> accesses;  // of a blocked action as well: it reads what it waits for
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
};

}  // namespace heddle
