// Jepsen's text: history.txt, and the log of a run, of which the lines that are events are taken.
//
//   INFO  jepsen.util - 0<tab>:invoke<tab>:write<tab>3
//   2026-01-01 10:00:00,000{GMT}<tab>INFO<tab>[jepsen worker 0] jepsen.util: 0<tab>:ok<tab>:write<tab>3
//   0<tab>:info<tab>:write<tab>3<tab>:timed-out
//
// Columns: process (an integer), type, function, value (EDN), and sometimes an error. Whatever stands before the process is the
// logger's. A line without these columns is none of the history, and counted; one that has a process and a type in the right
// places must be right.
#pragma once

#include <string>

#include "check/recorded_history.h"
#include "history/history_builder.h"
#include "history/source_text.h"

namespace heddle::history {

// Throws HistoryError.
void read_jepsen_log(const SourceText& source, HistoryBuilder& builder);
// Whether a line is an event, as far as its first columns tell.
bool is_jepsen_event(std::string_view line);

// Keys are written as pairs [key value]; names of processes that are no integers are numbered. Appends to `out`. Throws
// HistoryError if some operations have a key and some have none.
void write_jepsen_log(const RecordedHistory& history, std::string& out);

}  // namespace heddle::history
