// The events of a history in the order they happened, for writers.
//
// Operations of unknown outcome have no completion among the events; they are completed last, or before the next invocation of
// their process: otherwise that process would have two open operations.
// Pure function, thread-safe.
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

// How a completion is written. A compare-and-set that was compared and did not match is a failure in every format.
Outcome written_outcome(const RecordedHistory& history, const RecordedOperation& operation);
// A compare-and-set that did not happen at all is told from one that did not match by its having an error.
bool needs_error(const RecordedHistory& history, const RecordedOperation& operation);

}  // namespace heddle::history
