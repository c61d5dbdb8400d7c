// The calls of a harness's client as operations of a recorded history, and back.
//
// A function is the method's name, and its argument nil, an integer, or a list of integers; the processes are
// "thread 1", "thread 2", ... A result that is not a value is nil: of a method that returns nothing, and of an empty
// std::optional.
// Thread-safe: pure functions.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "check/history_table.h"
#include "check/recorded_history.h"
#include "native/client.h"

namespace heddle::native {

struct RecordedName {
  std::string function;
  Value key = no_key, argument = nil;
};

// Appends the calls in an order of events in which the history comes about, each named by `name` or, without it, as
// above.
void record_calls(const HistoryTable& table, std::uint32_t history, const Harness& harness, RecordedHistory& out,
                  const std::function<RecordedName(const ClientCall&)>& name = {});

Value value_of_result(std::string_view text, ValueTable& values);
Value value_of_arguments(std::span<const std::int32_t> arguments, ValueTable& values);
// REQUIRES: the operation is one of record_calls() without names.
ClientCall recorded_call(const RecordedHistory& history, const RecordedOperation& operation, const Harness& harness);
std::uint32_t recorded_thread(const RecordedHistory& history, const RecordedOperation& operation);

}  // namespace heddle::native
