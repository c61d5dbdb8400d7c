#include <fmt/format.h>

#include <iterator>

#include "history/edn.h"
#include "history/edn_scanner.h"
#include "history/event_order.h"
#include "report/json_text.h"

namespace heddle::history {
namespace {

std::string_view type_of(Outcome outcome) {
  constexpr std::string_view types[] = {":ok", ":fail", ":info"};
  return types[static_cast<int>(outcome)];
}

}  // namespace

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
  for (const OrderedEvent& event : events_in_order(history)) {
    const RecordedOperation& operation = history.operations[event.operation];
    const std::string& process = history.processes[operation.process];
    const Outcome outcome = written_outcome(history, operation);
    out += "{:process ";
    if (report::is_plain_integer(process)) {
      out += process;
    } else {
      write_edn_text(process, out);
    }
    out += ", :type ";
    out += event.is_invocation ? ":invoke" : type_of(outcome);
    out += ", :f ";
    write_edn_function(history.functions[operation.function], out);
    if (operation.key != no_key) {
      out += ", :key ";
      write_edn_value(history.values, operation.key, out);
    }
    out += ", :value ";
    write_edn_value(history.values,
                    event.is_invocation || outcome != Outcome::Ok ? operation.argument : operation.result, out);
    const std::int64_t time = event.is_invocation ? operation.invoked_time : operation.returned_time;
    if (time >= 0) fmt::format_to(std::back_inserter(out), ", :time {}", time);
    if (!event.is_invocation && needs_error(history, operation)) out += ", :error :did-not-happen";
    out += "}\n";
  }
}

}  // namespace heddle::history
