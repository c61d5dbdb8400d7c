// Reads a trace through JsonView, so that every error has its line and column.
#include "report/trace_json.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <optional>
#include <set>

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

// Added to errors about the shape of a trace.
constexpr std::string_view see_format = "; docs/trace-format.md describes the fields";

JsonView required(const JsonView& object, std::string_view key, std::string_view of) {
  object.expect(JsonView::Type::Object);
  if (std::optional<JsonView> found = object.find(key)) return *found;
  object.fail(fmt::format("{} needs the field \"{}\"{}", of, key, see_format));
}

std::string optional_string(const JsonView& object, std::string_view key) {
  const std::optional<JsonView> found = object.find(key);
  return found && found->type() != JsonView::Type::Null ? found->string() : std::string();
}

std::uint32_t small_integer(const JsonView& view, std::string_view what) {
  std::uint32_t value = 0;
  const std::string_view text = view.text();
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    view.fail(fmt::format("{} must be a whole number that is not negative{}", what, see_format));
  }
  return value;
}

class Reader {
 public:
  explicit Reader(const JsonView& root) : root_(root) {}

  Trace read() {
    check_format();
    Trace trace;
    trace.model = required(root_, "model", "a trace").string();
    trace.parameters = settings("parameters");
    trace.bug = optional_string(root_, "bug");
    trace.options = settings("options");
    // Lanes first, wherever they stand: everything else refers to them.
    const JsonView lanes = required(root_, "lanes", "a trace");
    trace.lanes = all(lanes, &Reader::lane);
    lane_count_ = trace.lanes.size();
    std::set<std::string_view> names;
    for (const Lane& lane : trace.lanes) {
      if (!names.insert(lane.name).second) {
        lanes.fail(
            fmt::format("two lanes are called '{}'; steps are found by the names of lanes{}", lane.name, see_format));
      }
    }
    trace.initial = optional_all(root_, "initial", &Reader::field);
    trace.steps = all(required(root_, "steps", "a trace"), &Reader::step);
    trace.final = optional_all(root_, "final", &Reader::field);
    trace.verdict = verdict(required(root_, "verdict", "a trace"));
    trace.property = optional_string(root_, "property");
    trace.explanation = optional_all(root_, "explanation", &Reader::field);
    return trace;
  }

 private:
  void check_format() const {
    const JsonView format = required(root_, "format", "a trace");
    if (format.type() != JsonView::Type::String || format.string() != "heddle-trace") {
      format.fail(
          "not a heddle trace: \"format\" must be \"heddle-trace\"; give a file that heddle wrote with --trace");
    }
    const JsonView version = required(root_, "version", "a trace");
    const std::uint32_t number = small_integer(version, "\"version\"");
    if (number > trace_format_version) {
      version.fail(
          fmt::format("version {} of the trace format is newer than this heddle, which reads version {}; "
                      "use a newer heddle",
                      number, trace_format_version));
    }
    if (number < 1) version.fail("there is no version 0 of the trace format; let heddle write the trace again");
  }

  template <class Element>
  std::vector<Element> all(const JsonView& array, Element (Reader::*read_one)(const JsonView&) const) const {
    std::vector<Element> out;
    for (const JsonView& element : array.elements()) out.push_back((this->*read_one)(element));
    return out;
  }

  template <class Element>
  std::vector<Element> optional_all(const JsonView& object, std::string_view key,
                                    Element (Reader::*read_one)(const JsonView&) const) const {
    const std::optional<JsonView> found = object.find(key);
    return found ? all(*found, read_one) : std::vector<Element>();
  }

  std::map<std::string, std::string> settings(std::string_view key) const {
    std::map<std::string, std::string> out;
    if (const std::optional<JsonView> found = root_.find(key)) {
      for (const auto& [name, value] : found->members()) {
        switch (value.type()) {
          case JsonView::Type::String:
            out[name] = value.string();
            break;
          case JsonView::Type::Number:
          case JsonView::Type::Bool:
            out[name] = value.text();
            break;
          default:
            value.fail(
                fmt::format("\"{}\" in \"{}\" must be a string, a number or a boolean{}", name, key, see_format));
        }
      }
    }
    return out;
  }

  std::uint32_t lane_number(const JsonView& object, std::string_view key, std::string_view of) const {
    const JsonView view = required(object, key, of);
    const std::uint32_t number = small_integer(view, fmt::format("\"{}\"", key));
    if (number >= lane_count_) {
      view.fail(fmt::format("lane {} does not exist: the trace has {} lanes, numbered from 0{}", number, lane_count_,
                            see_format));
    }
    return number;
  }

  Lane lane(const JsonView& view) const {
    Lane out;
    out.name = required(view, "name", "a lane").string();
    out.role = optional_string(view, "role");
    const std::optional<JsonView> process = view.find("process");
    out.process = process ? process->string() : out.name;
    return out;
  }

  Field field(const JsonView& view) const {
    Field out;
    out.lane = lane_number(view, "lane", "a value");
    out.name = optional_string(view, "name");
    out.value = required(view, "value", "a value").compact();
    return out;
  }

  Diff diff(const JsonView& view) const {
    Diff out;
    out.lane = lane_number(view, "lane", "a difference");
    out.name = optional_string(view, "name");
    out.before = required(view, "before", "a difference").compact();
    out.after = required(view, "after", "a difference").compact();
    return out;
  }

  Message message(const JsonView& view) const {
    Message out;
    out.type = required(view, "type", "a message").string();
    out.from = lane_number(view, "from", "a message");
    out.to = lane_number(view, "to", "a message");
    const std::optional<JsonView> body = view.find("body");
    out.body = body ? body->compact() : "{}";
    return out;
  }

  Operation operation(const JsonView& view) const {
    Operation out;
    const JsonView kind = required(view, "kind", "an operation");
    const std::string name = kind.string();
    if (name != "invoke" && name != "return") {
      kind.fail(fmt::format("an operation's kind must be \"invoke\" or \"return\"{}", see_format));
    }
    out.kind = name == "invoke" ? Operation::Kind::Invoke : Operation::Kind::Return;
    out.lane = lane_number(view, "lane", "an operation");
    out.value = required(view, "value", "an operation").compact();
    return out;
  }

  Call call(const JsonView& view) const {
    return {required(view, "object", "a call").string(), required(view, "call", "a call").string(),
            required(view, "answer", "a call").string()};
  }

  Place place(const JsonView& view) const {
    view.expect(JsonView::Type::Object);
    Place out;
    out.file = optional_string(view, "file");
    if (const std::optional<JsonView> line = view.find("line")) out.line = small_integer(*line, "\"line\"");
    if (const std::optional<JsonView> column = view.find("column")) out.column = small_integer(*column, "\"column\"");
    out.function = optional_string(view, "function");
    return out;
  }

  Place place_with_stack(const JsonView& view) const {
    Place out = place(view);
    out.stack = optional_all(view, "stack", &Reader::place);
    return out;
  }

  Access access(const JsonView& view) const {
    Access out;
    out.object = required(view, "object", "an access").string();
    out.part = optional_string(view, "part");
    out.kind = required(view, "kind", "an access").string();
    if (const std::optional<JsonView> before = view.find("before")) out.before = before->compact();
    if (const std::optional<JsonView> after = view.find("after")) out.after = after->compact();
    if (const std::optional<JsonView> at = view.find("place")) out.place = place(*at);
    return out;
  }

  Step step(const JsonView& view) const {
    Step out;
    out.lane = lane_number(view, "lane", "a step");
    out.name = required(view, "name", "a step").string();
    if (const std::optional<JsonView> kind = view.find("kind")) out.kind = kind->string();
    if (const std::optional<JsonView> choice = view.find("choice")) {
      choice->expect(JsonView::Type::Array);
      out.choice = choice->compact();
    }
    out.received = optional_all(view, "received", &Reader::message);
    out.sent = optional_all(view, "sent", &Reader::message);
    out.operations = optional_all(view, "operations", &Reader::operation);
    out.calls = optional_all(view, "calls", &Reader::call);
    out.diffs = optional_all(view, "diffs", &Reader::diff);
    if (const std::optional<JsonView> at = view.find("place")) out.place = place_with_stack(*at);
    out.accesses = optional_all(view, "accesses", &Reader::access);
    out.output = optional_string(view, "output");
    return out;
  }

  std::string verdict(const JsonView& view) const {
    std::string word = view.string();
    if (word != "holds" && word != "violated" && word != "unknown") {
      view.fail(fmt::format("\"verdict\" must be \"holds\", \"violated\" or \"unknown\"{}", see_format));
    }
    return word;
  }

  JsonView root_;
  std::size_t lane_count_ = 0;
};

}  // namespace

Trace trace_from_json(std::string_view text, std::string_view file_name) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  const JsonDocument document(text, std::string(file_name),
                              "the file may be cut off or edited by hand: let heddle write the trace again");
  return Reader(document.root()).read();
}

}  // namespace heddle::report
