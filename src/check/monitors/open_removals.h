// Deciding a collection with removals of unknown outcome.
//
// Such a removal may have taken any value that nobody was seen to get, at any time after its invocation, or none. Many of these leftover values
// have to be gone by a certain time, whatever the linearization: before a value that they were surely ahead of was out, before an empty answer was
// given. With these deadlines:
//   1. If there are not enough open removals invoked before the deadlines, the history is not linearizable.
//   2. The removals are handed out, first invoked to first due. If the history is linearizable with that, it is.
//   3. If it is not linearizable even when all leftover values may be taken by the first of them, it is not.
//   4. Otherwise no answer is given, and the caller has to search.
// Without open removals, or without leftover values, the answer is complete.
// Thread-safe: no state.
#pragma once

#include "check/monitors/collection.h"

namespace heddle::monitors {

// A complete answer for items and empties; open removals are not its concern. Free to stop when the budget has.
using CollectionCheck = std::optional<Violation> (*)(const Context&, const Collection&);

// An item that nobody was seen to get and the event before which it must have been removed, because of an item that was.
struct Deadline {
  std::uint32_t time;
  std::uint32_t item, because_of;
};
// At most one for each item, which must be right; the fewer, the more often there will be no answer.
using CollectionDeadlines = std::vector<Deadline> (*)(const Context&, const Collection&);

std::optional<MonitorResult> decide(const Context& context, const Collected& collected, CollectionCheck check,
                                    CollectionDeadlines deadlines);

}  // namespace heddle::monitors
