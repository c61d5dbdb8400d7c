// Sequential objects, written a second time and as plainly as possible, and histories made from them. The checkers of
// src/check are compared with them. Nothing here uses a specification of src/check.
//
// An object is a list of values for each key, whatever its kind.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "check/recorded_history.h"

namespace heddle::reference {

using State = std::map<Value, std::deque<Value>>;

// Performs an operation and returns its result; nothing if the result does not count.
inline std::optional<Value> perform(std::string_view object, State& state, RecordedHistory& h,
                                    const RecordedOperation& op) {
  ValueTable& values = h.values;
  const std::string& f = h.functions[op.function];
  std::deque<Value>& items = state[op.key];
  const auto boolean = [&](bool b) { return values.boolean(b); };
  const auto front = [&] { return items.empty() ? nil : items.front(); };
  const auto back = [&] { return items.empty() ? nil : items.back(); };
  const auto take_front = [&] {
    const Value value = front();
    if (!items.empty()) items.pop_front();
    return value;
  };
  const auto take_back = [&] {
    const Value value = back();
    if (!items.empty()) items.pop_back();
    return value;
  };
  const auto list = [&] { return values.list(std::vector<Value>(items.begin(), items.end())); };

  if (f == "cas") {
    const auto pair = values.members(op.argument);
    if (front() != pair[0]) return boolean(false);
    items = {pair[1]};
    return boolean(true);
  }
  if (object == "register" || object == "cas_register" || object == "map") {
    if (f == "read" || f == "get") return front();
    if (f == "delete") items.clear();
    if (f == "write" || f == "put") items = {op.argument};
    if (f == "append") {
      const std::string before = items.empty() ? "" : std::string(values.as_text(items[0]));
      items = {values.text(before + std::string(values.as_text(op.argument)))};
    }
    return std::nullopt;
  }
  if (object == "set") {
    if (f == "read") return list();
    const auto at = std::ranges::find(items, op.argument);
    const bool is_in = at != items.end();
    if (f == "contains") return boolean(is_in);
    if (f == "add" && !is_in) {
      items.push_back(op.argument);
      std::ranges::sort(items);
    }
    if (f == "remove" && is_in) items.erase(at);
    return boolean(f == "add" ? !is_in : is_in);
  }
  if (object == "counter") {
    const std::int64_t before = items.empty() ? 0 : values.as_integer(items[0]);
    if (f == "read") return values.integer(before);
    const std::int64_t by = op.argument == nil ? 1 : values.as_integer(op.argument);
    const Value after = values.integer(f == "decrement" ? before - by : before + by);
    items = {after};
    if (f == "add_and_get") return after;
    if (f == "get_and_add") return values.integer(before);
    return std::nullopt;
  }
  if (object == "queue" || object == "stack" || object == "deque") {
    if (f == "push_front") items.push_front(op.argument);
    if (f == "enqueue" || f == "push" || f == "push_back") items.push_back(op.argument);
    if (f == "dequeue" || f == "pop_front") return take_front();
    if (f == "pop" || f == "pop_back") return take_back();
    if (f == "peek") return object == "queue" ? front() : back();
    return std::nullopt;
  }
  if (object == "priority_queue") {
    if (f == "insert") {
      items.push_back(op.argument);
      std::ranges::sort(items, {}, [&](Value v) { return values.as_integer(v); });
      return std::nullopt;
    }
    return f == "peek" ? front() : take_front();
  }
  if (object == "lock" || object == "mutex") {
    const Value owner = op.process + 1;
    if (f == "acquire") {
      if (!items.empty()) return boolean(false);
      items = {owner};
      return boolean(true);
    }
    if (items.empty() || (object == "lock" && items[0] != owner)) return boolean(false);
    items.clear();
    return boolean(true);
  }
  // log
  if (f == "read") return list();
  items.push_back(op.argument);
  return values.integer(static_cast<std::int64_t>(items.size()) - 1);
}

inline bool may_follow(std::string_view object, State& state, RecordedHistory& h, const RecordedOperation& op) {
  const auto result = perform(object, state, h, op);
  return op.outcome != Outcome::Ok || !result || *result == op.result;
}

// Tries all orders in which operations can have happened, one after the other, without remembering anything. Only
// operations that returned before the event `until` must have happened.
inline bool linearizable(std::string_view object, RecordedHistory& h, std::uint32_t until = never) {
  std::vector<bool> placed(h.operations.size(), false);
  const std::function<bool(const State&)> place = [&](const State& state) {
    std::uint32_t first_return = never;
    for (std::size_t i = 0; i < placed.size(); ++i) {
      if (!placed[i] && h.operations[i].outcome == Outcome::Ok && h.operations[i].returned < until) {
        first_return = std::min(first_return, h.operations[i].returned);
      }
    }
    if (first_return == never) return true;
    for (std::size_t i = 0; i < placed.size(); ++i) {
      const RecordedOperation& op = h.operations[i];
      if (placed[i] || op.outcome == Outcome::Failed || op.invoked > first_return) continue;
      State after = state;
      if (!may_follow(object, after, h, op)) continue;
      placed[i] = true;
      const bool found = place(after);
      placed[i] = false;
      if (found) return true;
    }
    return false;
  };
  return place({});
}

// Whether these operations can happen in this order, and real time allows it.
inline bool is_legal_order(std::string_view object, RecordedHistory& h, const std::vector<std::uint32_t>& order) {
  State state;
  std::uint32_t latest_invocation = 0;
  std::set<std::uint32_t> seen;
  for (const std::uint32_t i : order) {
    const RecordedOperation& op = h.operations[i];
    latest_invocation = std::max(latest_invocation, op.invoked);
    if (op.outcome == Outcome::Failed || !seen.insert(i).second || op.returned < latest_invocation) return false;
    if (!may_follow(object, state, h, op)) return false;
  }
  return true;
}

struct Shape {
  std::size_t operations = 6;
  std::size_t processes = 3;
  std::size_t keys = 1;
  std::int64_t values = 2;
  int unknown_percent = 10, failed_percent = 5;
  bool distinct = false;                         // every value that goes in is a new one
  std::vector<std::string_view> functions = {};  // all there are, if empty
};

inline std::vector<std::string_view> functions_of(std::string_view object) {
  if (object == "register") return {"read", "write"};
  if (object == "cas_register") return {"read", "write", "cas"};
  if (object == "map") return {"get", "put", "append", "delete", "cas"};
  if (object == "set") return {"add", "remove", "contains", "read"};
  if (object == "counter") return {"read", "add", "increment", "decrement", "add_and_get", "get_and_add"};
  if (object == "queue") return {"enqueue", "dequeue", "enqueue", "dequeue", "peek"};
  if (object == "stack") return {"push", "pop", "push", "pop", "peek"};
  if (object == "deque") return {"push_front", "push_back", "pop_front", "pop_back"};
  if (object == "priority_queue") return {"insert", "extract_min", "insert", "extract_min", "peek"};
  if (object == "log") return {"append", "append", "read"};
  return {"acquire", "release"};
}

// Fills a history by running the object under random clients: invoke, take effect at some instant, return. Values that
// are in its table stay there. A client whose operation ends with an unknown outcome goes on as a new client.
class Generator {
 public:
  Generator(std::string_view object, RecordedHistory& history, std::uint64_t seed)
      : object_(object), h_(history), random_(seed) {}

  void linearizable(const Shape& shape) {
    h_.operations.clear();
    h_.events = 0;
    shape_ = shape;
    functions_ = shape.functions.empty() ? functions_of(object_) : shape.functions;
    State state;
    std::vector<Client> clients(shape.processes);
    for (std::size_t i = 0; i < clients.size(); ++i) clients[i].process = h_.process(std::to_string(i));
    std::size_t invoked = 0, crashed = 0, open = 0;
    while (invoked < shape.operations || open > 0) {
      Client& c = clients[below(clients.size())];
      if (!c.operation) {
        if (invoked == shape.operations) continue;
        ++invoked;
        ++open;
        c.operation = invoke(c.process);
        c.done = false;
        continue;
      }
      const bool stop = below(4) == 0;
      if (!c.done && !stop) {
        c.result = perform(object_, state, h_, h_.operations[*c.operation]);
        c.done = true;
      } else if (stop && percent(shape.unknown_percent)) {
        h_.complete(*c.operation, Outcome::Unknown);
        c.process = h_.process("after " + std::to_string(crashed++));
        c.operation.reset();
        --open;
      } else if (!c.done && percent(shape.failed_percent)) {
        h_.complete(*c.operation, Outcome::Failed);
        c.operation.reset();
        --open;
      } else if (c.done) {
        h_.complete(*c.operation, Outcome::Ok, c.result.value_or(nil));
        c.operation.reset();
        --open;
      }
    }
  }

  // Changes a result, exchanges two, or lets an operation return before something else was invoked.
  void perturb() {
    std::vector<std::size_t> ok;
    for (std::size_t i = 0; i < h_.operations.size(); ++i) {
      if (h_.operations[i].outcome == Outcome::Ok) ok.push_back(i);
    }
    if (ok.empty()) return;
    RecordedOperation& op = h_.operations[ok[below(ok.size())]];
    RecordedOperation& other = h_.operations[ok[below(ok.size())]];
    switch (below(3)) {
      case 0:
        if (op.function == other.function) std::swap(op.result, other.result);
        break;
      case 1:
        if (op.function == other.function) op.result = other.result;
        break;
      default:
        return_at_once(op);
    }
  }

  std::uint64_t below(std::uint64_t n) { return random_() % n; }

 private:
  struct Client {
    std::uint32_t process = 0;
    std::optional<std::size_t> operation;
    bool done = false;
    std::optional<Value> result;
  };

  bool percent(int chance) { return below(100) < static_cast<std::uint64_t>(chance); }

  Value value() {
    const auto number =
        static_cast<std::int64_t>(shape_.distinct ? ++last_ : below(static_cast<std::uint64_t>(shape_.values)));
    return object_ == "map" ? h_.values.text(std::string(1, static_cast<char>('a' + number % 26)) +
                                             (shape_.distinct ? std::to_string(number) : ""))
                            // So that values are not mistaken for positions in a log.
                            : h_.values.integer(number + (object_ == "log" ? 1000 : 0));
  }

  std::size_t invoke(std::uint32_t process) {
    const std::string_view f = functions_[below(functions_.size())];
    Value argument = nil;
    if (f == "cas") {
      const Value pair[] = {object_ == "map" && below(3) == 0 ? nil : value(), value()};
      argument = h_.values.list(pair);
    } else if (f == "add" && object_ == "counter") {
      argument = h_.values.integer(static_cast<std::int64_t>(below(3)) - 1);
    } else if (f == "add_and_get" || f == "get_and_add") {
      argument = h_.values.integer(1);
    } else if (f == "write" || f == "put" || f == "append" || f == "enqueue" || f.starts_with("push") ||
               f == "insert" || (object_ == "set" && f != "read")) {
      argument = value();
    }
    const Value key = object_ == "map" || shape_.keys > 1
                          ? h_.values.integer(1000 + static_cast<std::int64_t>(below(shape_.keys)))
                          : no_key;
    return h_.invoke(process, h_.name(f), key, argument);
  }

  // Moves the return of an operation to just after its invocation.
  void return_at_once(RecordedOperation& op) {
    const std::uint32_t from = op.returned, to = op.invoked + 1;
    for (RecordedOperation& each : h_.operations) {
      for (std::uint32_t* event : {&each.invoked, &each.returned}) {
        if (*event >= to && *event < from) ++*event;
      }
    }
    op.returned = to;
  }

  std::string_view object_;
  std::vector<std::string_view> functions_;
  RecordedHistory& h_;
  std::mt19937_64 random_;
  Shape shape_;
  std::uint64_t last_ = 0;
};

}  // namespace heddle::reference
