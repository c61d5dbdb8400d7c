// Translates arguments and results between calls of a client and values of a recorded history.
#include "native/recorded_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <string>

namespace heddle::native {
namespace {

constexpr std::string_view thread_word = "thread ";

}  // namespace

Value value_of_arguments(std::span<const std::int32_t> arguments, ValueTable& values) {
  if (arguments.empty()) return nil;
  if (arguments.size() == 1) return values.integer(arguments[0]);
  std::vector<Value> members;
  for (const std::int32_t one : arguments) members.push_back(values.integer(one));
  return values.list(members);
}

Value value_of_result(std::string_view text, ValueTable& values) {
  if (text == "void" || text == "none") return nil;
  if (text == "true" || text == "false") return values.boolean(text == "true");
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return values.integer(number);
  if (text.size() >= 2 && text.starts_with('"') && text.ends_with('"')) text = text.substr(1, text.size() - 2);
  return values.text(text);
}

void record_calls(const HistoryTable& table, std::uint32_t history, const Harness& harness, RecordedHistory& out,
                  const std::function<RecordedName(const ClientCall&)>& name) {
  std::map<std::size_t, std::size_t> open;  // client -> operation
  for (const HistoryTable::Moment& moment : table.moments(history)) {
    const HistoryTable::Event event = table.event(moment.event);
    if (moment.kind == HistoryTable::Moment::Kind::Invoke) {
      const ClientCall call = call_of_event(event.value, harness);
      const RecordedName told = name ? name(call)
                                     : RecordedName{harness.methods[call.method].name, no_key,
                                                    value_of_arguments(call.arguments, out.values)};
      open[moment.client] = out.invoke(out.process(fmt::format("{}{}", thread_word, event.process)),
                                       out.name(told.function), told.key, told.argument);
    } else {
      out.complete(open[moment.client], Outcome::Ok, value_of_result(event.value, out.values));
    }
  }
}

ClientCall recorded_call(const RecordedHistory& history, const RecordedOperation& operation, const Harness& harness) {
  ClientCall call;
  const auto method = std::ranges::find(harness.methods, history.functions[operation.function], &HarnessMethod::name);
  call.method = static_cast<std::uint32_t>(method - harness.methods.begin());
  const ValueTable& values = history.values;
  if (operation.argument == nil) return call;
  if (values.kind(operation.argument) == ValueTable::Kind::Integer) {
    call.arguments.push_back(static_cast<std::int32_t>(values.as_integer(operation.argument)));
    return call;
  }
  for (const Value member : values.members(operation.argument)) {
    call.arguments.push_back(static_cast<std::int32_t>(values.as_integer(member)));
  }
  return call;
}

std::uint32_t recorded_thread(const RecordedHistory& history, const RecordedOperation& operation) {
  const std::string& name = history.processes[operation.process];
  std::uint32_t thread = 0;
  std::from_chars(name.data() + thread_word.size(), name.data() + name.size(), thread);
  return thread;
}

}  // namespace heddle::native
