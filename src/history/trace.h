// The history inside one of our traces (docs/trace-format.md): the operations its steps invoke and return.
//
//   {"kind": "invoke", "lane": 3, "value": {"op": "write", "value": 1}}
//
// A call is an object that names its operation in `op`, `kind` or `f`. Its key is `key`; its argument is `value` or
// `argument`, otherwise the only other field, otherwise all other fields. A text is an operation without argument. A
// return is the field `value` or `result` of an object, or the whole value. The id of nobody is nil.
//
// Operations that are open in the first state stand in its history, one list for each client; they come first. An
// operation that is open at the end got no answer: its outcome is unknown.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "history/history_builder.h"
#include "history/source_text.h"

namespace heddle::history {

struct NamedCall {
  std::string function;
  Value key = no_key;
  Value argument = nil;
};
// Returns the name and the arguments of a model's operation, given as JSON; nullopt if it has no name.
std::optional<NamedCall> named_call(std::string_view text, ValueTable& values);

// Throws HistoryError.
void read_trace(const SourceText& source, HistoryBuilder& builder);

}  // namespace heddle::history
