// Writes events as JSON, one object a line, under the names of Jepsen's fields.
#include <fmt/format.h>

#include <iterator>

#include "history/event_order.h"
#include "history/json.h"
#include "report/json_text.h"

namespace heddle::history {
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
  for (const WrittenEvent& event : written_events(history)) {
    const std::string& process = history.processes[event.operation.process];
    fmt::format_to(std::back_inserter(out), "{{\"process\": {}, \"type\": \"{}\", \"f\": {}",
                   report::is_plain_integer(process) ? process : report::quoted(process), event.type,
                   report::quoted(history.functions[event.operation.function]));
    if (event.operation.key != no_key) {
      out += ", \"key\": ";
      write_json_value(history.values, event.operation.key, out);
    }
    out += ", \"value\": ";
    write_json_value(history.values, event.value, out);
    if (event.time >= 0) fmt::format_to(std::back_inserter(out), ", \"time\": {}", event.time);
    if (event.did_not_happen) out += ", \"error\": \":did-not-happen\"";
    out += "}\n";
  }
}

}  // namespace heddle::history
