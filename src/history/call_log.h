// Calls on the Quorum Tree as a real implementation prints them, one JSON object a line (docs/refinement.md).
//
//   {"call": "add", "round": 1, "value": "x", "parent": 0}
//   {"call": "commit", "round": [2, 3], "instance": 1, "mode": "once"}
//   {"call": "decided", "process": "p1", "round": 1, "value": "x"}
//
//   CallLogReader log(lines);
//   for (LoggedCall call; log.next(call);) ...
//
// Nothing is guessed: what is missing, twice there, of the wrong type or out of range is an error with its place. Fields that a
// call does not have are left out, and left_out() says which.
// Not thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>

#include "heddle/qtree.h"
#include "history/line_reader.h"

namespace heddle::history {

// A string, an integer, a boolean or null, as JSON; and the lines that have added and committed it, 0: none.
struct LoggedValue {
  std::string json;
  std::uint64_t added = 0, committed = 0;

  bool operator==(const LoggedValue& other) const { return json == other.json; }
  const std::string& text() const { return json; }
};

struct LoggedCall {
  enum class Kind : std::uint8_t { Add, Commit, Decided };
  Kind kind = Kind::Add;
  Round round, parent;
  LoggedValue value;
  CallMode mode;
  std::string process;  // of a decision, JSON; empty: not said
  std::uint64_t line = 0;

  // As `heddle check --refines` writes it: "add(1, "x", 0)".
  std::string text() const;
};

class CallLogReader {
 public:
  explicit CallLogReader(LineReader& lines);
  ~CallLogReader();
  CallLogReader(const CallLogReader&) = delete;
  CallLogReader& operator=(const CallLogReader&) = delete;

  // False at the end. Throws HistoryError or ReadingStopped.
  bool next(LoggedCall& call);
  // Names of fields that were not read; at most ten.
  const std::set<std::string>& left_out() const;

 private:
  struct Parser;
  LineReader& lines_;
  std::unique_ptr<Parser> parser_;
};

}  // namespace heddle::history
