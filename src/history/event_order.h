// The events of a history in the order in which they happened, for writers.
//
// Operations of unknown outcome have no completion among the events. They are completed last, or before the next
// invocation of their process: otherwise that process would have two open operations.
// Pure functions, thread-safe.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "check/recorded_history.h"

namespace heddle::history {

struct OrderedEvent {
  std::uint32_t operation;
  bool is_invocation;
};

std::vector<OrderedEvent> events_in_order(const RecordedHistory& history);

// An event as every format writes it. `operation` is of the history and lives as long as that.
struct WrittenEvent {
  const RecordedOperation& operation;
  // invoke, ok, fail or info. A compare-and-set that was compared and did not match is a failure in every format.
  std::string_view type;
  Value value;        // the argument, or the result of what returned
  std::int64_t time;  // below 0: not known
  // True for a compare-and-set that did not happen at all: the error tells it from one that did not match.
  bool did_not_happen;
};

std::vector<WrittenEvent> written_events(const RecordedHistory& history);

}  // namespace heddle::history
