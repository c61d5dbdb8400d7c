// The events of a history in the order in which they happened, for writers.
//
// Operations of unknown outcome have no completion among the events. They are completed last, or before the next
// invocation of their process: otherwise that process would have two open operations.
// Pure functions, thread-safe.
#pragma once

#include <cstdint>
#include <vector>

#include "check/recorded_history.h"

namespace heddle::history {

struct OrderedEvent {
  std::uint32_t operation;
  bool is_invocation;
};

std::vector<OrderedEvent> events_in_order(const RecordedHistory& history);

// The outcome that writers write. A compare-and-set that did not match is a failure in every format.
Outcome written_outcome(const RecordedHistory& history, const RecordedOperation& operation);
// True for a compare-and-set that did not happen at all: the error tells it from one that did not match.
bool needs_error(const RecordedHistory& history, const RecordedOperation& operation);

}  // namespace heddle::history
