// From events, as every format has them, to operations: who answers what, and what may not be.
//
// A process has one open operation at most; a completion belongs to the open operation of its process. `fail` is Failed, `info` is
// Unknown, and so is what is open at the end. A process that was left with `info` may go on under the same name: the operation
// stays open for ever, the process does not.
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
  const char* at = nullptr;  // where it stands, for complaints
  Type type = Type::Invoke;
  std::string_view process;
  std::string_view function;  // of a completion: may be empty, then it is the invocation's
  Value key = no_key;
  Value value = nil;
  std::int64_t time = -1;  // nanoseconds
  bool has_error = false;  // a reason is recorded
  // Only where HistoryBuilder::wants_all(): whether there are a value and a time, and all other fields under their names.
  bool has_value = false, has_time = false;
  Extras extras = {};
};

// "invoke", "ok", "fail", "info" and what others call them.
std::optional<Event::Type> event_type(std::string_view name);
inline constexpr std::string_view event_types = "invoke, ok, fail, info";
// "cas" and what others call it.
bool is_compare_and_set(std::string_view function);
inline constexpr std::string_view nemesis = "nemesis";
// A name of a process or function means the same with and without the colon of a keyword.
constexpr std::string_view bare_name(std::string_view name) {
  while (name.starts_with(':')) name.remove_prefix(1);
  return name;
}

class HistoryBuilder {
 public:
  HistoryBuilder(const SourceText& source, const ReadOptions& options, RecordedHistory& history);

  ValueTable& values() { return history_.values; }
  // Every field of every event counts, those of the nemesis too.
  bool wants_all() const { return options_.log != nullptr; }
  // Throws HistoryError if the event cannot be, ReadingStopped if the budget ran out.
  void add(const Event& event);
  void ignore_nemesis() { ++summary_.nemesis_events; }
  void ignore_line() { ++summary_.other_lines; }
  // The file says by itself that values are pairs of key and value.
  void note_keyed() { says_keyed_ = true; }
  // Once, after the last event.
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
