// Makes operations of the events that the readers of all formats deliver, and rejects sequences that cannot be.
//
// A process has at most one open operation; a completion belongs to the open operation of its process. `fail` is
// Failed, `info` is Unknown, and so is an operation that is open at the end. After `info` a process may go on under
// the same name: the operation stays open forever, the process does not.
// Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check/recorded_history.h"
#include "history/read_history.h"
#include "history/source_text.h"

namespace heddle::history {

struct Event {
  enum class Type : std::uint8_t { Invoke, Ok, Fail, Info };
  using Extras = std::vector<std::pair<std::string, Value>>;
  const char* at = nullptr;  // where it stands, for error messages
  Type type = Type::Invoke;
  std::string_view process;
  std::string_view function;  // may be empty in a completion: then it is the invocation's
  Value key = no_key;
  Value value = nil;
  std::int64_t time = -1;  // nanoseconds
  bool has_error = false;  // a reason is recorded
  // Set only if HistoryBuilder::wants_all(): whether there are a value and a time, and all other fields by name.
  bool has_value = false, has_time = false;
  Extras extras = {};
};

// Knows "invoke", "ok", "fail", "info" and the names that others use for them.
std::optional<Event::Type> event_type(std::string_view name);
inline constexpr std::string_view event_types = "invoke, ok, fail, info";
// Knows "cas" and the names that others use for it.
bool is_compare_and_set(std::string_view function);
inline constexpr std::string_view nemesis = "nemesis";
// Removes the colon of a keyword: names of processes and functions mean the same with and without it.
constexpr std::string_view bare_name(std::string_view name) {
  while (name.starts_with(':')) name.remove_prefix(1);
  return name;
}

class HistoryBuilder {
 public:
  HistoryBuilder(const SourceText& source, const ReadOptions& options, RecordedHistory& history);

  ValueTable& values() { return history_.values; }
  // True if every field of every event is wanted, including events of the nemesis.
  bool wants_all() const { return options_.log != nullptr; }
  // Throws HistoryError if the event cannot follow the earlier ones, ReadingStopped if the budget ran out.
  void add(const Event& event);
  void ignore_nemesis() { ++summary_.nemesis_events; }
  void ignore_line() { ++summary_.other_lines; }
  // Called if the file itself says that values are pairs of key and value.
  void note_keyed() { says_keyed_ = true; }
  // REQUIRES: called once, after the last event.
  ReadSummary finish();

 private:
  void invoke(const Event& event, std::uint32_t process);
  void complete(const Event& event, std::uint32_t process);
  void check_budget();
  void look_at_time(const Event& event, std::uint32_t process);
  void log(const Event& event, std::uint32_t process, std::uint32_t function);

  const SourceText& source_;
  const ReadOptions& options_;
  RecordedHistory& history_;
  ReadSummary summary_;
  std::vector<std::uint32_t> open_;  // by process: the open operation, or `never`
  struct Moment {
    std::int64_t time = -1;
    std::uint32_t line = 0;
  };
  std::vector<Moment> latest_;  // by process
  bool says_keyed_ = false;
  std::uint32_t until_check_ = 0;
};

}  // namespace heddle::history
