// The events of a recording as they stand in the file, for `heddle convert`.
//
// A RecordedHistory keeps what a checker needs. It knows neither where an `info` stood nor which error was recorded,
// and nothing of the nemesis. A log keeps every event in its place, with all fields, so that the same recording in
// another format means the same to its readers.
// Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "check/recorded_history.h"
#include "history/history_builder.h"
#include "history/read_history.h"

namespace heddle::history {

struct LoggedEvent {
  Event::Type type = Event::Type::Invoke;
  std::uint32_t process = 0, function = 0;  // numbers of the history; `function` of a nemesis event: of the log
  bool is_nemesis = false;
  Value key = no_key;
  std::optional<Value> value;
  std::optional<std::int64_t> time;  // nanoseconds
  Event::Extras extras;              // fields that a checker ignores, or of which only the presence counts (`error`)
};

struct EventLog {
  std::vector<LoggedEvent> events;
  std::vector<std::string> functions;  // of events of the nemesis

  // Splits values that are pairs [key value] into key and value, as split_keys() does for the history.
  void split_keys(ValueTable& values);
};

// What could not be written because the format has no place for it; text() is empty if everything was written.
struct NotWritten {
  bool times = false, extras = false, process_names = false;
  std::string text() const;
};

// REQUIRES: `history` is the history that was read together with `log`. Throws HistoryError like write_history.
std::string write_events(const RecordedHistory& history, const EventLog& log, Format format, NotWritten& lost);

void write_edn(const RecordedHistory& history, const EventLog& log, std::string& out);
void write_json(const RecordedHistory& history, const EventLog& log, std::string& out);
void write_jepsen_log(const RecordedHistory& history, const EventLog& log, std::string& out, NotWritten& lost);

// This line in a log says that its values are pairs [key value]: logs have no other place for a key.
inline constexpr std::string_view keyed_line = "heddle: values are pairs [key value]";

}  // namespace heddle::history
