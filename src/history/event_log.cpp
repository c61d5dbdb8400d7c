// Writes every event of a recording in each format, and counts what a format cannot say.
#include "history/event_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "history/edn.h"
#include "history/edn_scanner.h"
#include "history/json.h"
#include "history/json_values.h"
#include "report/json_text.h"

namespace heddle::history {
namespace {

constexpr std::string_view types[] = {"invoke", "ok", "fail", "info"};

std::string_view type_name(const LoggedEvent& event) { return types[static_cast<int>(event.type)]; }
std::string_view function_name(const RecordedHistory& history, const EventLog& log, const LoggedEvent& event) {
  return event.is_nemesis ? log.functions[event.function] : history.functions[event.function];
}
bool is_number(std::string_view process) { return report::is_plain_integer(process) && !process.starts_with('-'); }

}  // namespace

void EventLog::split_keys(ValueTable& values) {
  const auto pair = [&](const std::optional<Value>& value) {
    const bool is_list = value && values.kind(*value) == ValueTable::Kind::List;
    std::vector<Value> members = is_list ? values.members(*value) : std::vector<Value>();
    if (members.size() != 2) members.clear();
    return members;
  };
  std::vector<Value> keys;  // by process: the key of its open operation
  for (LoggedEvent& event : events) {
    if (event.is_nemesis) continue;
    if (event.process >= keys.size()) keys.resize(event.process + 1, no_key);
    const std::vector<Value> members = pair(event.value);
    if (event.type == Event::Type::Invoke) {
      keys[event.process] = no_key;
      if (event.key != no_key || members.empty()) continue;
      keys[event.process] = members[0];
    } else if (members.empty() || keys[event.process] == no_key || members[0] != keys[event.process]) {
      continue;
    }
    event.key = members[0];
    event.value = members[1];
  }
}

std::string NotWritten::text() const {
  std::vector<std::string> parts;
  if (times) parts.emplace_back("times");
  if (process_names) parts.emplace_back("names of processes, which are numbers now");
  if (extras) parts.emplace_back("fields such as :index and :node");
  return fmt::format("{}", fmt::join(parts, ", "));
}

void write_edn(const RecordedHistory& history, const EventLog& log, std::string& out) {
  const auto value = [&](std::string_view name, Value v) {
    out += ", ";
    write_edn_function(name, out);
    out += ' ';
    write_edn_value(history.values, v, out);
  };
  for (const LoggedEvent& event : log.events) {
    out += "{:process ";
    const std::string& process = event.is_nemesis ? ":nemesis" : history.processes[event.process];
    if (event.is_nemesis || report::is_plain_integer(process)) {
      out += process;
    } else {
      write_edn_text(process, out);
    }
    fmt::format_to(std::back_inserter(out), ", :type :{}, :f ", type_name(event));
    write_edn_function(function_name(history, log, event), out);
    if (event.key != no_key) value("key", event.key);
    if (event.value) value("value", *event.value);
    if (event.time) fmt::format_to(std::back_inserter(out), ", :time {}", *event.time);
    for (const auto& [name, extra] : event.extras) value(name, extra);
    out += "}\n";
  }
}

void write_json(const RecordedHistory& history, const EventLog& log, std::string& out) {
  const auto value = [&](std::string_view name, Value v) {
    out += ", " + report::quoted(name) + ": ";
    write_json_value(history.values, v, out);
  };
  for (const LoggedEvent& event : log.events) {
    const std::string process = event.is_nemesis ? std::string(nemesis) : history.processes[event.process];
    fmt::format_to(std::back_inserter(out), "{{\"process\": {}, \"type\": \"{}\", \"f\": {}",
                   report::is_plain_integer(process) ? process : report::quoted(process), type_name(event),
                   report::quoted(function_name(history, log, event)));
    if (event.key != no_key) value("key", event.key);
    if (event.value) value("value", *event.value);
    if (event.time) fmt::format_to(std::back_inserter(out), ", \"time\": {}", *event.time);
    for (const auto& [name, extra] : event.extras) value(json_field_of(name), extra);
    out += "}\n";
  }
}

void write_jepsen_log(const RecordedHistory& history, const EventLog& log, std::string& out, NotWritten& lost) {
  const auto invokes = [](const LoggedEvent& e) { return e.type == Event::Type::Invoke && !e.is_nemesis; };
  std::size_t with_key = 0, without = 0;
  for (const LoggedEvent& e : log.events) {
    if (invokes(e)) ++(e.key != no_key ? with_key : without);
  }
  if (with_key > 0 && without > 0) {
    throw HistoryError(
        "some operations have a key and some have none, which this format cannot say; write edn or json");
  }
  if (with_key > 0) fmt::format_to(std::back_inserter(out), "{}\n", keyed_line);
  lost.process_names = !std::ranges::all_of(history.processes, is_number);
  std::vector<Value> keys(history.processes.size(), no_key);
  for (const LoggedEvent& event : log.events) {
    const std::string process = event.is_nemesis     ? ":nemesis"
                                : lost.process_names ? fmt::format("{}", event.process)
                                                     : history.processes[event.process];
    fmt::format_to(std::back_inserter(out), "INFO  jepsen.util - {}\t:{}\t", process, type_name(event));
    write_edn_function(function_name(history, log, event), out);
    out += '\t';
    Value key = no_key;
    if (!event.is_nemesis) {
      Value& known = keys[event.process];
      if (event.type == Event::Type::Invoke) known = event.key;
      key = known;
    }
    if (key != no_key) {
      out += '[';
      write_edn_value(history.values, key, out);
      out += ' ';
    }
    write_edn_value(history.values, event.value.value_or(nil), out);
    if (key != no_key) out += ']';
    for (const auto& [name, extra] : event.extras) {
      if (name == "error" && extra != nil) {
        out += '\t';
        write_edn_value(history.values, extra, out);
      } else if (name != "error") {
        lost.extras = true;
      }
    }
    lost.times |= event.time.has_value();
    out += '\n';
  }
}

std::string write_events(const RecordedHistory& history, const EventLog& log, Format format, NotWritten& lost) {
  std::string out;
  switch (format) {
    case Format::Edn:
      write_edn(history, log, out);
      break;
    case Format::Json:
      write_json(history, log, out);
      break;
    case Format::JepsenLog:
      write_jepsen_log(history, log, out, lost);
      break;
    case Format::Trace:
      throw HistoryError("a trace is a run of a model, which a history is not; write edn, json or jepsen-log");
  }
  return out;
}

}  // namespace heddle::history
