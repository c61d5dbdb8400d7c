// Jepsen's text: history.txt, or the log of a run, in which only some lines are events.
//
//   INFO  jepsen.util - 0<tab>:invoke<tab>:write<tab>3
//   2026-01-01 10:00:00,000{GMT}<tab>INFO<tab>[jepsen worker 0] jepsen.util: 0<tab>:ok<tab>:write<tab>3
//   0<tab>:info<tab>:write<tab>3<tab>:timed-out
//
// Columns: process (an integer), type, function, value (EDN), and sometimes an error. The logger's prefix stands before
// the process. A line without these columns does not belong to the history; it is skipped and counted. A line with a
// process and a type in the right places must be a correct event.
#pragma once

#include <string>

#include "check/recorded_history.h"
#include "history/history_builder.h"
#include "history/source_text.h"

namespace heddle::history {

// Throws HistoryError.
void read_jepsen_log(const SourceText& source, HistoryBuilder& builder);
// True if the first columns of a line are those of an event.
bool is_jepsen_event(std::string_view line);

// Appends to `out`. Keys are written as pairs [key value]; processes whose names are not integers get numbers. Throws
// HistoryError if some operations have a key and some have none.
void write_jepsen_log(const RecordedHistory& history, std::string& out);

}  // namespace heddle::history
