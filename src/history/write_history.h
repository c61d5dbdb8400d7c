// Writes a recorded history in one of the formats that have a writer.
//
//   report::write_file_atomically("history.edn", write_history(history, Format::Edn));
//
// Reading it back gives the same history: the same operations, outcomes, order and times. Only names of processes may
// become numbers (jepsen-log).
// Pure functions, thread-safe.
#pragma once

#include <span>
#include <string>

#include "check/recorded_history.h"
#include "history/read_history.h"

namespace heddle::history {

// Throws HistoryError for a format that has no writer or cannot express the history.
std::string write_history(const RecordedHistory& history, Format format);

// Copies the operations `part` into `out`, in their order. REQUIRES: `out` is empty.
void sub_history(const RecordedHistory& history, std::span<const std::uint32_t> part, RecordedHistory& out);

}  // namespace heddle::history
