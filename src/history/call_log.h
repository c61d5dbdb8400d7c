// Reads calls on the Quorum Tree as a real implementation prints them, one JSON object a line (docs/refinement.md).
// check/refinement/check_call_log.h makes the calls.
//
//   {"call": "add", "round": 1, "value": "x", "parent": 0}
//   {"call": "commit", "round": [2, 3], "instance": 1, "mode": "once"}
//   {"call": "decided", "process": "p1", "round": 1, "value": "x"}
//
//   CallLogReader log(lines);
//   for (LoggedCall call; log.next(call);) ...
//
// Nothing is guessed: a field that is missing, repeated, of the wrong type or out of range is an error with its place.
// Fields that are not of the call are skipped, and left_out() says which.
// Not thread-safe.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "check/refinement/logged_call.h"
#include "history/line_reader.h"

namespace heddle::history {

class CallLogReader {
 public:
  explicit CallLogReader(LineReader& lines);
  ~CallLogReader();
  CallLogReader(const CallLogReader&) = delete;
  CallLogReader& operator=(const CallLogReader&) = delete;

  // Reads the next call. Returns false at the end. Throws HistoryError or ReadingStopped.
  bool next(LoggedCall& call);
  // Returns the names of fields that were not read, at most ten.
  const std::set<std::string>& left_out() const;

 private:
  struct Parser;
  LineReader& lines_;
  std::unique_ptr<Parser> parser_;
};

}  // namespace heddle::history
