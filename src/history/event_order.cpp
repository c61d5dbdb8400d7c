// Sorts invocations and completions by their positions, and places completions that were never recorded.
#include "history/event_order.h"

#include "history/history_builder.h"

namespace heddle::history {

std::vector<OrderedEvent> events_in_order(const RecordedHistory& history) {
  constexpr OrderedEvent none{never, false};
  std::vector<OrderedEvent> by_number(history.events, none);
  for (std::uint32_t i = 0; i < history.operations.size(); ++i) {
    by_number[history.operations[i].invoked] = {i, true};
    if (history.operations[i].returned != never) by_number[history.operations[i].returned] = {i, false};
  }
  std::vector<std::uint32_t> left_open(history.processes.size(), never);
  std::vector<OrderedEvent> out;
  out.reserve(2 * history.operations.size());
  for (const OrderedEvent& event : by_number) {
    if (event.operation == never) continue;
    const RecordedOperation& operation = history.operations[event.operation];
    std::uint32_t& open = left_open[operation.process];
    if (event.is_invocation && open != never) {
      out.push_back({open, false});
      open = never;
    }
    out.push_back(event);
    if (event.is_invocation && operation.returned == never) open = event.operation;
  }
  for (const std::uint32_t open : left_open) {
    if (open != never) out.push_back({open, false});
  }
  return out;
}

std::vector<WrittenEvent> written_events(const RecordedHistory& history) {
  constexpr std::string_view types[] = {"ok", "fail", "info"};
  std::vector<WrittenEvent> out;
  out.reserve(2 * history.operations.size());
  for (const auto& [number, is_invocation] : events_in_order(history)) {
    const RecordedOperation& operation = history.operations[number];
    const bool compares = is_compare_and_set(history.functions[operation.function]);
    const bool mismatch = compares && operation.outcome == Outcome::Ok &&
                          history.values.kind(operation.result) == ValueTable::Kind::Boolean &&
                          !history.values.as_boolean(operation.result);
    const Outcome outcome = mismatch ? Outcome::Failed : operation.outcome;
    out.push_back({.operation = operation,
                   .type = is_invocation ? "invoke" : types[static_cast<int>(outcome)],
                   .value = is_invocation || outcome != Outcome::Ok ? operation.argument : operation.result,
                   .time = is_invocation ? operation.invoked_time : operation.returned_time,
                   .did_not_happen = !is_invocation && compares && operation.outcome == Outcome::Failed});
  }
  return out;
}

}  // namespace heddle::history
