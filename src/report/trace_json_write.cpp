// Writes a trace with one step a line, its keys in the order of docs/trace-format.md.
#include "report/trace_json.h"

#include <fmt/format.h>

#include "report/json_text.h"

namespace heddle::report {
namespace {

using trace::Access;
using trace::Call;
using trace::Diff;
using trace::Field;
using trace::Lane;
using trace::Message;
using trace::Operation;
using trace::Place;
using trace::Step;
using trace::Trace;

// A value sits at most this many levels deep in a trace. Deeper nesting could be written but not be read again.
constexpr std::size_t levels_above_a_value = 8;

std::string value_text(const std::string& value) {
  if (value.empty()) return "null";
  if (!is_json(value, JsonDocument::depth_limit - levels_above_a_value)) return quoted(value);
  return JsonDocument(value, "value").root().compact();
}

// The format promises an array, even if the door wrote something else.
std::string array_text(const std::string& value) {
  const std::string text = value_text(value);
  return text.starts_with('[') ? text : fmt::format("[{}]", text);
}

std::string line(const Lane& lane) {
  return fmt::format(R"({{"name": {}, "role": {}, "process": {}}})", quoted(lane.name), quoted(lane.role),
                     quoted(lane.process));
}

std::string line(const Field& field) {
  return fmt::format(R"({{"lane": {}, "name": {}, "value": {}}})", field.lane, quoted(field.name),
                     value_text(field.value));
}

std::string line(const Diff& diff) {
  return fmt::format(R"({{"lane": {}, "name": {}, "before": {}, "after": {}}})", diff.lane, quoted(diff.name),
                     value_text(diff.before), value_text(diff.after));
}

std::string line(const Message& message) {
  return fmt::format(R"({{"type": {}, "from": {}, "to": {}, "body": {}}})", quoted(message.type), message.from,
                     message.to, value_text(message.body));
}

std::string line(const Operation& operation) {
  return fmt::format(R"({{"kind": "{}", "lane": {}, "value": {}}})",
                     operation.kind == Operation::Kind::Invoke ? "invoke" : "return", operation.lane,
                     value_text(operation.value));
}

std::string line(const Call& call) {
  return fmt::format(R"({{"object": {}, "call": {}, "answer": {}}})", quoted(call.object), quoted(call.call),
                     quoted(call.answer));
}

// The fields of a place that are known.
std::string line(const Place& place) {
  std::string out;
  const auto add = [&](std::string_view key, const std::string& text) {
    out += fmt::format("{}\"{}\": {}", out.empty() ? "" : ", ", key, text);
  };
  if (!place.file.empty()) add("file", quoted(place.file));
  if (place.line != 0) add("line", std::to_string(place.line));
  if (place.column != 0) add("column", std::to_string(place.column));
  if (!place.function.empty()) add("function", quoted(place.function));
  if (!place.stack.empty()) {
    std::string stack;
    for (const Place& caller : place.stack) stack += (stack.empty() ? "" : ", ") + line(caller);
    add("stack", fmt::format("[{}]", stack));
  }
  return fmt::format("{{{}}}", out);
}

bool is_empty(const Place& place) {
  return place.file.empty() && place.line == 0 && place.column == 0 && place.function.empty() && place.stack.empty();
}

std::string line(const Access& access) {
  std::string out = fmt::format(R"({{"object": {}, )", quoted(access.object));
  if (!access.part.empty()) out += fmt::format(R"("part": {}, )", quoted(access.part));
  out += fmt::format(R"("kind": {})", quoted(access.kind));
  if (!access.before.empty()) out += fmt::format(R"(, "before": {})", value_text(access.before));
  if (!access.after.empty()) out += fmt::format(R"(, "after": {})", value_text(access.after));
  if (!is_empty(access.place)) out += fmt::format(R"(, "place": {})", line(access.place));
  return out + "}";
}

// One element a line.
template <class Element>
std::string lines(const std::vector<Element>& elements, std::string_view indent) {
  if (elements.empty()) return "[]";
  std::string out = "[\n";
  for (std::size_t i = 0; i < elements.size(); ++i) {
    out += fmt::format("{}  {}{}\n", indent, line(elements[i]), i + 1 < elements.size() ? "," : "");
  }
  return out.append(indent).append("]");
}

std::string block(const Step& step) {
  constexpr std::string_view indent = "      ";
  std::string out = fmt::format("{{\n{0}\"lane\": {1},\n{0}\"name\": {2},\n{0}\"kind\": {3}", indent, step.lane,
                                quoted(step.name), quoted(step.kind));
  const auto add = [&](std::string_view key, const std::string& text) {
    out += fmt::format(",\n{}\"{}\": {}", indent, key, text);
  };
  if (!step.choice.empty()) add("choice", array_text(step.choice));
  if (!step.received.empty()) add("received", lines(step.received, indent));
  if (!step.sent.empty()) add("sent", lines(step.sent, indent));
  if (!step.operations.empty()) add("operations", lines(step.operations, indent));
  if (!step.calls.empty()) add("calls", lines(step.calls, indent));
  if (!step.diffs.empty()) add("diffs", lines(step.diffs, indent));
  if (!is_empty(step.place)) add("place", line(step.place));
  if (!step.accesses.empty()) add("accesses", lines(step.accesses, indent));
  if (!step.output.empty()) add("output", quoted(step.output));
  return out + "\n    }";
}

}  // namespace

std::string to_json(const Trace& trace) {
  std::string steps = trace.steps.empty() ? "[]" : "[";
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    steps += fmt::format("{}\n    {}", i > 0 ? "," : "", block(trace.steps[i]));
  }
  if (!trace.steps.empty()) steps += "\n  ]";

  std::string out = "{\n";
  const auto add = [&](std::string_view key, const std::string& text) {
    out += fmt::format("{}  \"{}\": {}", out.size() > 2 ? ",\n" : "", key, text);
  };
  add("format", quoted("heddle-trace"));
  add("version", std::to_string(trace_format_version));
  add("model", quoted(trace.model));
  add("parameters", settings_text(trace.parameters));
  add("bug", quoted_or_null(trace.bug));
  add("options", settings_text(trace.options));
  add("lanes", lines(trace.lanes, "  "));
  add("initial", lines(trace.initial, "  "));
  add("steps", steps);
  add("final", lines(trace.final, "  "));
  add("verdict", quoted(trace.verdict.empty() ? "unknown" : trace.verdict));
  add("property", quoted_or_null(trace.property));
  add("explanation", lines(trace.explanation, "  "));
  return out + "\n}\n";
}

}  // namespace heddle::report
