// A call on the Quorum Tree that a real implementation has logged, with its line. history/call_log.h reads such logs,
// check_call_log.h makes the calls.
#pragma once

#include <cstdint>
#include <string>

#include "heddle/qtree.h"

namespace heddle {

// A string, an integer, a boolean or null, as JSON; and the lines that have added and committed it, or 0.
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
  std::string process;  // who decided, as JSON; empty: not said
  std::uint64_t line = 0;

  // Returns the call as `heddle check --refines` writes it: "add(1, "x", 0)".
  std::string text() const;
};

}  // namespace heddle
