// Histories as JSON: one object an event, one after the other (a line each, usually) or in an array.
//
//   {"process": 0, "type": "invoke", "f": "write", "value": 3}
//   {"process": 0, "type": "ok", "f": "write"}
//
// The fields are Jepsen's; the reader also knows names that other recorders use for them (json_reader.cpp has the
// table). A string that begins with a colon is a keyword, so that keywords of EDN survive; a text that begins with a
// colon is written with two.
#pragma once

#include <string>
#include <string_view>

#include "check/recorded_history.h"
#include "history/history_builder.h"
#include "history/source_text.h"

namespace heddle::history {

// Throws HistoryError.
void read_json(const SourceText& source, HistoryBuilder& builder);

// Appends one object a line to `out`.
void write_json(const RecordedHistory& history, std::string& out);
// Renames a field without meaning, such as :thread of an EDN event, so that it has no meaning in JSON either; and back.
std::string json_field_of(std::string_view name);
std::string_view name_of_json_field(std::string_view field);
void write_json_value(const ValueTable& values, Value value, std::string& out);

}  // namespace heddle::history
