// Writes events, one map a line, as Jepsen does.
#include <fmt/format.h>

#include <iterator>

#include "history/edn.h"
#include "history/edn_scanner.h"
#include "history/event_order.h"
#include "report/json_text.h"

namespace heddle::history {
void write_edn_text(std::string_view text, std::string& out) {
  out += '"';
  for (const char c : text) {
    switch (c) {
      case '"':
      case '\\':
        out += '\\';
        out += c;
        break;
      case '\n':
        out += "\\n";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\r':
        out += "\\r";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

void write_edn_function(std::string_view function, std::string& out) {
  if (is_keyword_name(function)) {
    out += ':';
    out += function;
  } else {
    write_edn_text(function, out);
  }
}

void write_edn_value(const ValueTable& values, Value value, std::string& out) {
  using Kind = ValueTable::Kind;
  switch (values.kind(value)) {
    case Kind::Nil:
      out += "nil";
      return;
    case Kind::Boolean:
      out += values.as_boolean(value) ? "true" : "false";
      return;
    case Kind::Integer:
      fmt::format_to(std::back_inserter(out), "{}", values.as_integer(value));
      return;
    case Kind::Text:
      write_edn_text(values.as_text(value), out);
      return;
    case Kind::Keyword:
      out += ':';
      out += values.as_text(value);
      return;
    case Kind::List:
      out += '[';
      for (const Value member : values.members(value)) {
        if (out.back() != '[') out += ' ';
        write_edn_value(values, member, out);
      }
      out += ']';
      return;
  }
}

void write_edn(const RecordedHistory& history, std::string& out) {
  for (const WrittenEvent& event : written_events(history)) {
    const std::string& process = history.processes[event.operation.process];
    out += "{:process ";
    if (report::is_plain_integer(process)) {
      out += process;
    } else {
      write_edn_text(process, out);
    }
    fmt::format_to(std::back_inserter(out), ", :type :{}, :f ", event.type);
    write_edn_function(history.functions[event.operation.function], out);
    if (event.operation.key != no_key) {
      out += ", :key ";
      write_edn_value(history.values, event.operation.key, out);
    }
    out += ", :value ";
    write_edn_value(history.values, event.value, out);
    if (event.time >= 0) fmt::format_to(std::back_inserter(out), ", :time {}", event.time);
    if (event.did_not_happen) out += ", :error :did-not-happen";
    out += "}\n";
  }
}

}  // namespace heddle::history
