#include <fmt/format.h>

#include <iterator>

#include "history/event_order.h"
#include "history/json.h"
#include "report/json_text.h"

namespace heddle::history {
namespace {

std::string_view type_of(Outcome outcome) {
  constexpr std::string_view types[] = {"ok", "fail", "info"};
  return types[static_cast<int>(outcome)];
}

}  // namespace

void write_json_value(const ValueTable& values, Value value, std::string& out) {
  using Kind = ValueTable::Kind;
  switch (values.kind(value)) {
    case Kind::Nil:
      out += "null";
      return;
    case Kind::Boolean:
      out += values.as_boolean(value) ? "true" : "false";
      return;
    case Kind::Integer:
      fmt::format_to(std::back_inserter(out), "{}", values.as_integer(value));
      return;
    case Kind::Text: {
      const std::string_view text = values.as_text(value);
      out += report::quoted(text.starts_with(':') && text.size() > 1 ? ":" + std::string(text) : std::string(text));
      return;
    }
    case Kind::Keyword:
      out += report::quoted(":" + std::string(values.as_text(value)));
      return;
    case Kind::List:
      out += '[';
      for (const Value member : values.members(value)) {
        if (out.back() != '[') out += ", ";
        write_json_value(values, member, out);
      }
      out += ']';
      return;
  }
}

void write_json(const RecordedHistory& history, std::string& out) {
  for (const OrderedEvent& event : events_in_order(history)) {
    const RecordedOperation& operation = history.operations[event.operation];
    const std::string& process = history.processes[operation.process];
    const Outcome outcome = written_outcome(history, operation);
    out += "{\"process\": ";
    out += report::is_plain_integer(process) ? process : report::quoted(process);
    out += ", \"type\": \"";
    out += event.is_invocation ? "invoke" : type_of(outcome);
    out += "\", \"f\": ";
    out += report::quoted(history.functions[operation.function]);
    if (operation.key != no_key) {
      out += ", \"key\": ";
      write_json_value(history.values, operation.key, out);
    }
    out += ", \"value\": ";
    write_json_value(history.values,
                     event.is_invocation || outcome != Outcome::Ok ? operation.argument : operation.result, out);
    const std::int64_t time = event.is_invocation ? operation.invoked_time : operation.returned_time;
    if (time >= 0) fmt::format_to(std::back_inserter(out), ", \"time\": {}", time);
    if (!event.is_invocation && needs_error(history, operation)) out += ", \"error\": \":did-not-happen\"";
    out += "}\n";
  }
}

}  // namespace heddle::history
