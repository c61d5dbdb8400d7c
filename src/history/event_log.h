// The events of a recording as they stand, for `heddle convert`.
//
// A RecordedHistory keeps what a checker needs: it knows neither where an `info` stood nor which error was recorded, and nothing of
// the nemesis. A log keeps every event in its place, with all fields, so that what is written in another format means the same to
// whoever reads it.
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
  std::uint32_t process = 0, function = 0;  // of the history; a process of its own for the nemesis
  bool is_nemesis = false;
  Value key = no_key;
  std::optional<Value> value;
  std::optional<std::int64_t> time;  // nanoseconds
  Event::Extras extras;              // fields that mean nothing to a checker, or only by being there (`error`)
};

struct EventLog {
  std::vector<LoggedEvent> events;
  std::vector<std::string> functions;  // of events of the nemesis

  // Values are pairs [key value]: makes keys of them, as split_keys() does for the history.
  void split_keys(ValueTable& values);
};

// What a format has no room for, in the order of the manual; empty if all of it was written.
struct NotWritten {
  bool times = false, extras = false, process_names = false;
  std::string text() const;
};

// `history` is what the log was recorded with. Throws HistoryError like write_history.
std::string write_events(const RecordedHistory& history, const EventLog& log, Format format, NotWritten& lost);

void write_edn(const RecordedHistory& history, const EventLog& log, std::string& out);
void write_json(const RecordedHistory& history, const EventLog& log, std::string& out);
void write_jepsen_log(const RecordedHistory& history, const EventLog& log, std::string& out, NotWritten& lost);

// The line by which a log of pairs [key value] says so: logs have no other place for a key.
inline constexpr std::string_view keyed_line = "heddle: values are pairs [key value]";

}  // namespace heddle::history
