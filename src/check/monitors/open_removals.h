// Decides a collection with removals of unknown outcome ("open" removals).
//
// A value that no recorded removal returned is a *leftover*. An open removal may have taken any leftover value, at any
// time after its invocation, or none. Many leftover values have a deadline, a time by which they must be gone
// whatever the linearization: they were surely ahead of a value that is out by then, or an empty answer was given
// then.
//   1. If there are not enough open removals invoked before the deadlines, the history is not linearizable.
//   2. Open removals are assigned to leftover values, the first invoked to the first due. If the history is
//      linearizable with this assignment, it is linearizable.
//   3. If it is not linearizable even when the first open removal may take all leftover values, it is not linearizable.
//   4. Otherwise no answer is given, and the caller has to search.
// Without open removals, or without leftover values, the answer is complete.
// Thread-safe: no state.
#pragma once

#include "check/monitors/collection.h"

namespace heddle::monitors {

// Gives a complete answer for items and empties and ignores open removals. It may stop when the budget has run out.
using CollectionCheck = std::optional<Violation> (*)(const Context&, const Collection&);

// A leftover item, and the event before which it must have been removed because of another item that was removed.
struct Deadline {
  std::uint32_t time;
  std::uint32_t item, because_of;
};
// Returns at most one deadline for each item. Every deadline must be right; a missing one can only cost the answer.
using CollectionDeadlines = std::vector<Deadline> (*)(const Context&, const Collection&);

std::optional<MonitorResult> decide(const Context& context, const Collected& collected, CollectionCheck check,
                                    CollectionDeadlines deadlines);

}  // namespace heddle::monitors
