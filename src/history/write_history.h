// Writes a recorded history in one of the formats that have a writer.
//
//   report::write_file_atomically("history.edn", write_history(history, Format::Edn));
//
// What is read back is the same history: same operations, outcomes, order and times. Only names of processes may become
// numbers (jepsen-log).
// Pure functions, thread-safe.
#pragma once

#include <span>
#include <string>

#include "check/recorded_history.h"
#include "history/read_history.h"

namespace heddle::history {

// Throws HistoryError for a format that cannot be written, or cannot say what the history says.
std::string write_history(const RecordedHistory& history, Format format);

// The operations `part` alone, in the order they had. `out` must be empty.
void sub_history(const RecordedHistory& history, std::span<const std::uint32_t> part, RecordedHistory& out);

}  // namespace heddle::history
