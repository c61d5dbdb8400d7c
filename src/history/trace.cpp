// Reads the client events of a trace's steps through Boost.JSON's values.
#include "history/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <limits>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "history/edn_scanner.h"
#include "history/json_values.h"
#include "report/trace_json.h"

namespace heddle::history {
namespace {

namespace json = boost::json;

json::value parse(std::string_view text) {
  json::parse_options options;
  options.max_depth = report::JsonDocument::depth_limit;
  return json::parse({text.data(), text.size()}, {}, options);
}

Value to_value(const json::value& from, ValueTable& values, std::size_t depth = 0) {
  if (depth > value_depth_limit) throw std::length_error("values");
  std::vector<Value> members;
  switch (from.kind()) {
    case json::kind::null:
      return nil;
    case json::kind::bool_:
      return values.boolean(from.as_bool());
    case json::kind::int64:
      return values.integer(from.as_int64());
    case json::kind::uint64:
      return values.text(fmt::format("{}", from.as_uint64()));
    case json::kind::double_:
      return real_number(from.as_double(), values);
    case json::kind::string:
      return from.as_string() == "nobody" ? nil : json_text({from.as_string().data(), from.as_string().size()}, values);
    case json::kind::array:
      for (const json::value& member : from.as_array()) members.push_back(to_value(member, values, depth + 1));
      return values.list(members);
    case json::kind::object:
      for (const auto& [key, member] : from.as_object()) {
        members.push_back(json_text({key.data(), key.size()}, values));
        members.push_back(to_value(member, values, depth + 2));
      }
      return map_value(members, values);
  }
  return nil;
}

const json::value* first_of(const json::object& object, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    if (const json::value* found = object.if_contains({name.data(), name.size()})) return found;
  }
  return nullptr;
}

Value argument_of(const json::object& call, const json::value* name, const json::value* key, ValueTable& values) {
  if (const json::value* found = first_of(call, {"value", "argument"})) return to_value(*found, values);
  json::object rest;
  for (const auto& member : call) {
    if (&member.value() != name && &member.value() != key) rest.insert(member);
  }
  if (rest.empty()) return nil;
  return to_value(rest.size() == 1 ? rest.begin()->value() : json::value(rest), values);
}

std::optional<NamedCall> named_call_of(const json::value& call, ValueTable& values) {
  if (call.is_string()) return NamedCall{std::string(call.as_string()), no_key, nil};
  if (!call.is_object()) return std::nullopt;
  const json::object& object = call.as_object();
  const json::value* name = first_of(object, {"op", "kind", "f"});
  if (name == nullptr || !name->is_string()) return std::nullopt;
  const json::value* key = object.if_contains("key");
  return NamedCall{std::string(name->as_string()), key != nullptr ? to_value(*key, values) : no_key,
                   argument_of(object, name, key, values)};
}

class TraceReader {
 public:
  TraceReader(const SourceText& source, HistoryBuilder& builder)
      : source_(source), builder_(builder), trace_(load(source)) {}

  void read() {
    try {
      read_operations();
    } catch (const std::length_error&) {
      fail(fmt::format("an operation's value is nested deeper than {} levels", value_depth_limit));
    }
  }

 private:
  void read_operations() {
    open_operations();
    for (const trace::Step& step : trace_.steps) {
      for (const trace::Operation& operation : step.operations) {
        const json::value value = parse(operation.value);
        if (operation.kind == trace::Operation::Kind::Invoke) {
          invoke(operation.lane, value);
        } else {
          complete(operation.lane, value);
        }
      }
      if (step.kind == "crash") give_up(step.lane);
    }
  }

  static trace::Trace load(const SourceText& source) {
    try {
      return report::trace_from_json(source.text(), source.file_name());
    } catch (const report::ReportError& error) {
      throw HistoryError(error.what());
    }
  }

  // The lanes that the lists of a history stand for: all lanes of the roles that invoke or return anything in this
  // trace.
  std::vector<std::uint32_t> clients() const {
    std::set<std::string> roles;
    for (const trace::Step& step : trace_.steps) {
      for (const trace::Operation& operation : step.operations) roles.insert(trace_.lanes[operation.lane].role);
    }
    std::vector<std::uint32_t> out;
    for (std::uint32_t lane = 0; lane < trace_.lanes.size(); ++lane) {
      if (roles.contains(trace_.lanes[lane].role)) out.push_back(lane);
    }
    return out;
  }

  void open_operations() {
    const auto history = std::ranges::find(trace_.initial, "history", &trace::Field::name);
    if (history == trace_.initial.end()) return;
    const json::value lists = parse(history->value);
    if (!lists.is_array()) return;
    const auto is_empty = [](const json::value& list) { return list.is_array() && list.as_array().empty(); };
    if (std::ranges::all_of(lists.as_array(), is_empty)) return;
    const std::vector<std::uint32_t> lanes = clients();
    if (lanes.size() != lists.as_array().size()) {
      fail(fmt::format(
          "the first state has operations of {} clients, but the lanes that invoke or return are of roles with {} "
          "lanes; it cannot be said whose they are",
          lists.as_array().size(), lanes.size()));
    }
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      if (!lists.as_array()[i].is_array()) continue;
      for (const json::value& pair : lists.as_array()[i].as_array()) {
        if (!pair.is_array() || pair.as_array().size() != 2 || !pair.as_array()[1].is_null()) {
          fail("operations have completed before the first state, in an order that the trace does not say");
        }
        invoke(lanes[i], pair.as_array()[0]);
      }
    }
  }

  void invoke(std::uint32_t lane, const json::value& call) {
    Event event = event_of(lane, Event::Type::Invoke);
    const std::optional<NamedCall> named = named_call_of(call, builder_.values());
    if (!named) {
      fail(fmt::format(
          "the operation {} of {} does not say what it is called; give the model's operation an enum field `op` or "
          "`kind` (enum class Kind {{ read, write }}), or have `heddle check` judge it by the model's own "
          "specification",
          json::serialize(call).substr(0, 100), event.process));
    }
    event.key = named->key;
    event.value = named->argument;
    event.function = bare_name(named->function);  // the builder refuses an empty one
    builder_.add(event);
    open_.insert(lane);
  }

  void complete(std::uint32_t lane, const json::value& answer) {
    Event event = event_of(lane, Event::Type::Ok);
    const json::value* field = answer.is_object() ? first_of(answer.as_object(), {"value", "result"}) : nullptr;
    event.value = to_value(field != nullptr ? *field : answer, builder_.values());
    builder_.add(event);
    open_.erase(lane);
  }

  // A client that crashes never learns the outcome of its operation, whether it recovers or not.
  void give_up(std::uint32_t crashed) {
    const auto machine = [&](std::uint32_t lane) {
      const trace::Lane& l = trace_.lanes[lane];
      return l.process.empty() ? l.name : l.process;
    };
    for (std::uint32_t lane = 0; lane < trace_.lanes.size(); ++lane) {
      if (open_.contains(lane) && machine(lane) == machine(crashed)) {
        builder_.add(event_of(lane, Event::Type::Info));
        open_.erase(lane);
      }
    }
  }

  Event event_of(std::uint32_t lane, Event::Type type) const {
    Event event;
    event.at = source_.text().data();
    event.type = type;
    event.process = bare_name(trace_.lanes[lane].name);
    if (event.process.empty()) fail(fmt::format("lane {} invokes an operation and has no name", lane));
    return event;
  }

  [[noreturn]] void fail(std::string_view message) const { source_.fail(source_.text().data(), message); }

  const SourceText& source_;
  HistoryBuilder& builder_;
  trace::Trace trace_;
  std::set<std::uint32_t> open_;  // lanes with an open operation
};

}  // namespace

std::optional<NamedCall> named_call(std::string_view text, ValueTable& values) {
  return named_call_of(parse(text), values);
}

void read_trace(const SourceText& source, HistoryBuilder& builder) { TraceReader(source, builder).read(); }

}  // namespace heddle::history
