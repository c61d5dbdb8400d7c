// A recorded history: what the clients of a running system asked for, and the answers, in the order of real time.
//
// Everything a checker compares is a number: values and names are interned once, when a history is read (history/ has
// the formats). So two values are equal iff their numbers are, and an operation is a few words whatever it carries.
//
//   RecordedHistory h;
//   const auto write = h.invoke(h.process("0"), h.name("write"), no_key, h.values.integer(3));
//   h.complete(write, Outcome::Ok, nil);
//
// Invariants
//   1. Events (invocations and completions) are numbered 0, 1, ... in real-time order; an operation happens somewhere
//      between its `invoked` and its `returned`. Where a recording cannot order two events, the invocation comes first:
//      operations that may have overlapped do overlap.
//   2. Operations are in the order of their invocations. A process has at most one open operation.
//   3. An operation that failed did not happen. An operation of unknown outcome may have happened at any time after its
//      invocation, or not at all: its `returned` is `never`.
// Not thread-safe while it is built; any number of threads may read.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "core/content_table.h"

namespace heddle {

// The number of a value in ValueTable.
using Value = std::uint32_t;
inline constexpr Value nil = 0;
// Differs from nil: an operation without a key is on the history's only object.
inline constexpr Value no_key = ~Value{0};
inline constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();

// Values as histories have them. Equal values have equal numbers. A list holds any values; a map in a recording becomes
// a list of pairs.
class ValueTable {
 public:
  enum class Kind : std::uint8_t { Nil, Boolean, Integer, Text, Keyword, List };

  Value boolean(bool value);
  Value integer(std::int64_t value);
  Value text(std::string_view value);
  Value keyword(std::string_view name);  // without the colon
  Value list(std::span<const Value> members);

  Kind kind(Value value) const;
  bool as_boolean(Value value) const;             // of a Boolean
  std::int64_t as_integer(Value value) const;     // of an Integer
  std::string_view as_text(Value value) const;    // of a Text or Keyword; stays valid
  std::vector<Value> members(Value value) const;  // of a List
  // As JSON, for people: nil is null, a keyword is ":name".
  std::string json(Value value) const;
  std::size_t bytes() const { return contents_->bytes(); }

 private:
  std::unique_ptr<ContentTable> contents_ = std::make_unique<ContentTable>();  // so that histories can be moved
};

// Returns the number of `value` in the table `to`; no_key is the same in all tables.
Value copy_value(const ValueTable& from, Value value, ValueTable& to);

enum class Outcome : std::uint8_t { Ok, Failed, Unknown };

struct RecordedOperation {
  std::uint32_t process = 0;   // index into RecordedHistory::processes
  std::uint32_t function = 0;  // index into RecordedHistory::functions
  Value key = no_key;
  Value argument = nil;
  Value result = nil;  // means something only if outcome is Ok
  Outcome outcome = Outcome::Unknown;
  std::uint32_t invoked = 0;       // event numbers
  std::uint32_t returned = never;  // of Ok and Failed
  // For messages and pictures: lines of the file (0: none) and nanoseconds (-1: not recorded).
  std::uint32_t invoked_line = 0, returned_line = 0;
  std::int64_t invoked_time = -1, returned_time = -1;
};

// Finds the position of a name in a vector, or appends it. A run has thousands of processes and asks with every event.
class NameIndex {
 public:
  std::uint32_t position(std::vector<std::string>& names, std::string_view name);

 private:
  struct Hash {
    using is_avalanching = void;
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const noexcept;
  };
  boost::unordered_flat_map<std::string, std::uint32_t, Hash, std::equal_to<>> positions_;
};

struct RecordedHistory {
  std::vector<RecordedOperation> operations;
  std::vector<std::string> processes;
  std::vector<std::string> functions;  // "read", "write", "cas", ...
  ValueTable values;
  std::uint32_t events = 0;

  // The number of a process or function, new or known.
  std::uint32_t process(std::string_view name);
  std::uint32_t name(std::string_view function);

  // Appends the next event. Returns the operation's index.
  std::size_t invoke(std::uint32_t process, std::uint32_t function, Value key, Value argument);
  // `result` counts for Ok only. An Unknown completion is not an event and orders nothing: the operation stays open
  // forever.
  void complete(std::size_t operation, Outcome outcome, Value result = nil);

 private:
  NameIndex process_index_, function_index_;
};

}  // namespace heddle
