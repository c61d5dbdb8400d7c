// Recorded operations as people write them: write(3), read → nil, cas(1, 2) → false.
// Pure functions, thread-safe. The results are printable (report/utf8.h).
#pragma once

#include <string>

#include "check/recorded_history.h"

namespace heddle::explain {

// nil, true, 3, :ready, [1, 2]; strings without quotes where no doubt can arise.
std::string value_text(const ValueTable& values, Value value, bool ascii = false);

// The call alone: cas(1, 2).
std::string call_text(const RecordedHistory& history, const RecordedOperation& operation, bool ascii = false);

// The answer: nil, false. REQUIRES: the operation has returned.
std::string answer_text(const RecordedHistory& history, const RecordedOperation& operation, bool ascii = false);

// True if the operation returned something that says more than that it has ended.
bool answers(const RecordedHistory& history, const RecordedOperation& operation);

// The call, and its answer if that says something: read → nil; a question mark if the outcome is unknown.
std::string operation_text(const RecordedHistory& history, const RecordedOperation& operation, bool ascii = false);

}  // namespace heddle::explain
