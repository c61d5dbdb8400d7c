#include "history/write_history.h"

#include <vector>

#include "history/edn.h"
#include "history/event_order.h"
#include "history/jepsen_log.h"
#include "history/json.h"

namespace heddle::history {
namespace {

// The same value in another table.
Value copy(const ValueTable& from, Value value, ValueTable& to) {
  using Kind = ValueTable::Kind;
  std::vector<Value> members;
  switch (from.kind(value)) {
    case Kind::Nil:
      return nil;
    case Kind::Boolean:
      return to.boolean(from.as_boolean(value));
    case Kind::Integer:
      return to.integer(from.as_integer(value));
    case Kind::Text:
      return to.text(from.as_text(value));
    case Kind::Keyword:
      return to.keyword(from.as_text(value));
    case Kind::List:
      for (const Value member : from.members(value)) members.push_back(copy(from, member, to));
      return to.list(members);
  }
  return nil;
}

}  // namespace

std::string write_history(const RecordedHistory& history, Format format) {
  std::string out;
  switch (format) {
    case Format::Edn:
      write_edn(history, out);
      break;
    case Format::Json:
      write_json(history, out);
      break;
    case Format::JepsenLog:
      write_jepsen_log(history, out);
      break;
    case Format::Trace:
      throw HistoryError("a trace is a run of a model, which a history is not; write edn, json or jepsen-log");
  }
  return out;
}

void sub_history(const RecordedHistory& history, std::span<const std::uint32_t> part, RecordedHistory& out) {
  std::vector<bool> wanted(history.operations.size());
  for (const std::uint32_t index : part) wanted[index] = true;
  std::vector<std::size_t> place(history.operations.size());
  for (const OrderedEvent& event : events_in_order(history)) {
    if (!wanted[event.operation]) continue;
    const RecordedOperation& from = history.operations[event.operation];
    if (event.is_invocation) {
      place[event.operation] =
          out.invoke(out.process(history.processes[from.process]), out.name(history.functions[from.function]),
                     from.key == no_key ? no_key : copy(history.values, from.key, out.values),
                     copy(history.values, from.argument, out.values));
    } else {
      out.complete(place[event.operation], from.outcome, copy(history.values, from.result, out.values));
    }
    RecordedOperation& to = out.operations[place[event.operation]];
    to.invoked_line = from.invoked_line;
    to.returned_line = from.returned_line;
    to.invoked_time = from.invoked_time;
    to.returned_time = from.returned_time;
  }
}

}  // namespace heddle::history
