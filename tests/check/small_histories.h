// Random small histories, most of them nearly linearizable, and a checker that tries everything.
//
// A history is made by running a correct object under random schedules, and then, usually, by breaking something: an
// answer, an interval, an outcome. The checker shares no code with what it is the oracle of: it places operations in
// all orders that real time allows, and the objects are a few lines each on values 1 to 15.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check/recorded_history.h"

namespace heddle::small {

enum class Type : std::uint8_t { Register, Set, Mutex, Queue, Stack, PriorityQueue };
enum class Kind : std::uint8_t { Insert, Remove, Look };

inline constexpr int nothing = 0, no = -1, yes = -2;  // results beside values

struct Operation {
  Kind kind = Kind::Insert;
  int argument = nothing, result = nothing;
  bool unknown = false;
};

// The operations and the order of their events: (operation, whether it is its return).
struct History {
  std::vector<Operation> operations;
  std::vector<std::pair<std::size_t, bool>> events;
};

// States are sequences of values, four bits each, the first lowest (queue: the front; stack: the top), or sets of
// values as bits.
using State = std::uint64_t;

// Applies an operation; its result comes first.
inline std::pair<int, State> apply(Type type, State state, const Operation& op) {
  const State value = static_cast<State>(op.argument);
  switch (type) {
    case Type::Register:
      return op.kind == Kind::Insert ? std::pair{static_cast<int>(nothing), value}
                                     : std::pair{static_cast<int>(state), state};
    case Type::Mutex:
    case Type::Set: {
      const bool in = (state >> value & 1) != 0;
      if (op.kind == Kind::Look) return {in ? yes : no, state};
      const bool changes = in != (op.kind == Kind::Insert);
      return {changes ? yes : no, changes ? state ^ State{1} << value : state};
    }
    case Type::Queue: {
      if (op.kind == Kind::Remove) return {static_cast<int>(state & 15), state >> 4};
      int end = 0;
      while ((state >> end) != 0) end += 4;
      return {nothing, state | value << end};
    }
    case Type::Stack:
      return op.kind == Kind::Remove ? std::pair{static_cast<int>(state & 15), state >> 4}
                                     : std::pair{static_cast<int>(nothing), state << 4 | value};
    case Type::PriorityQueue: {
      if (op.kind == Kind::Insert) return {nothing, state | State{1} << value};
      if (state == 0) return {nothing, state};
      int least = 1;
      while ((state >> least & 1) == 0) ++least;
      return {least, state ^ State{1} << least};
    }
  }
  return {};
}

class BruteForce {
 public:
  BruteForce(Type type, const History& history) : type_(type), history_(history) {
    const std::size_t n = history.operations.size();
    before_.assign(n, 0);
    std::uint32_t returned = 0;
    for (const auto& [op, is_return] : history.events) {
      if (is_return) {
        returned |= std::uint32_t{1} << op;
      } else {
        before_[op] = returned;
      }
    }
    required_ = returned;
  }

  bool linearizable() { return from(0, 0); }

 private:
  bool from(std::uint32_t placed, State state) {
    if ((placed & required_) == required_) return true;
    if (!seen_.emplace(placed, state).second) return false;
    for (std::size_t i = 0; i < before_.size(); ++i) {
      if ((placed >> i & 1) != 0 || (before_[i] & ~placed) != 0) continue;
      const Operation& op = history_.operations[i];
      const auto [result, next] = apply(type_, state, op);
      const bool says_nothing = op.unknown || (op.kind == Kind::Insert && type_ != Type::Set && type_ != Type::Mutex);
      if ((says_nothing || result == op.result) && from(placed | std::uint32_t{1} << i, next)) return true;
    }
    return false;
  }

  Type type_;
  const History& history_;
  std::vector<std::uint32_t> before_;
  std::uint32_t required_ = 0;
  std::set<std::pair<std::uint32_t, State>> seen_;
};

struct Names {
  std::string_view specification, insert, remove, look;
};
inline Names names(Type type) {
  switch (type) {
    case Type::Register:
      return {"register", "write", "", "read"};
    case Type::Set:
      return {"set", "add", "remove", "contains"};
    case Type::Mutex:
      return {"mutex", "acquire", "release", ""};
    case Type::Queue:
      return {"queue", "enqueue", "dequeue", ""};
    case Type::Stack:
      return {"stack", "push", "pop", ""};
    case Type::PriorityQueue:
      return {"priority_queue", "insert", "extract_min", ""};
  }
  return {};
}

// `out`: what it had before is forgotten, its names and values are kept. `indices[i]`: where operation i is in it.
inline void record(Type type, const History& history, RecordedHistory& out, std::vector<std::size_t>& indices) {
  out.operations.clear();
  out.events = 0;
  indices.assign(history.operations.size(), 0);
  const Names words = names(type);
  for (const auto& [i, is_return] : history.events) {
    const Operation& op = history.operations[i];
    const auto name = op.kind == Kind::Insert ? words.insert : op.kind == Kind::Remove ? words.remove : words.look;
    if (!is_return) {
      indices[i] = out.invoke(out.process(std::to_string(i)), out.name(name), no_key,
                              op.argument == nothing ? nil : out.values.integer(op.argument));
    } else if (op.result == yes && type == Type::Mutex && i % 2 == 0) {
      out.complete(indices[i], Outcome::Ok, nil);  // of a mutex: it worked
    } else if (op.result < 0) {
      out.complete(indices[i], Outcome::Ok, out.values.boolean(op.result == yes));
    } else {
      out.complete(indices[i], Outcome::Ok, op.result == nothing ? nil : out.values.integer(op.result));
    }
  }
}

// Only the operations of `kept`.
inline History restrict_to(const History& history, const std::vector<bool>& kept) {
  History out;
  std::vector<std::size_t> number(history.operations.size());
  for (std::size_t i = 0; i < history.operations.size(); ++i) {
    number[i] = out.operations.size();
    if (kept[i]) out.operations.push_back(history.operations[i]);
  }
  for (const auto& [op, is_return] : history.events) {
    if (kept[op]) out.events.emplace_back(number[op], is_return);
  }
  return out;
}

inline std::string show(const History& history) {
  std::string out;
  for (const auto& [i, is_return] : history.events) {
    const Operation& op = history.operations[i];
    out += (is_return ? " )" : " (") + std::to_string(i);
    if (is_return) continue;
    out += op.kind == Kind::Insert ? '+' : op.kind == Kind::Remove ? '-' : '?';
    if (op.argument != nothing) out += std::to_string(op.argument);
    out += op.unknown ? "=unknown" : "=" + std::to_string(op.result);
  }
  return out;
}

class Generator {
 public:
  struct Options {
    int least = 2, most = 9;  // operations
    bool unknown = false;     // some outcomes are
    bool repeated = false;    // of a set: values come and go
    std::size_t processes = 3;
  };
  Generator(Type type, Options options, std::uint64_t seed) : type_(type), options_(options), random_(seed) {}

  History next() {
    const bool paired = type_ >= Type::Queue && chance(40);
    History out = paired ? pairs() : correct();
    for (int change = below(paired ? 2 : 5); change > 0; --change) perturb(out);
    if (options_.unknown) {
      for (int i = 1 + below(3); i > 0; --i) forget(out, below(static_cast<int>(out.operations.size())));
    }
    return out;
  }

 private:
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  bool chance(int percent) { return below(100) < percent; }

  // Processes invoke, take effect and return in random order.
  History correct() {
    History out;
    struct Process {
      std::size_t op = 0;
      int phase = 0;  // idle, invoked, done
    };
    std::vector<Process> processes(options_.processes);
    std::vector<int> fresh;
    for (int v = 1; v <= 15; ++v) fresh.push_back(v);
    std::shuffle(fresh.begin(), fresh.end(), random_);
    State state = 0;
    const auto count =
        static_cast<std::size_t>(options_.least) + static_cast<std::size_t>(below(options_.most - options_.least + 1));
    const int inserts = 30 + below(40), eager = 20 + below(70);
    for (std::size_t returned = 0; returned < count;) {
      Process& p = processes[static_cast<std::size_t>(below(static_cast<int>(processes.size())))];
      if (p.phase == 0) {
        if (out.operations.size() == count) continue;
        p.op = out.operations.size();
        out.operations.push_back(operation(inserts, fresh));
        out.events.emplace_back(p.op, false);
        p.phase = 1;
      } else if (p.phase == 1) {
        Operation& op = out.operations[p.op];
        std::tie(op.result, state) = apply(type_, state, op);
        p.phase = 2;
      }
      if (p.phase == 2 && chance(eager)) {
        out.events.emplace_back(p.op, true);
        p.phase = 0;
        ++returned;
      }
    }
    return out;
  }

  // Each value is inserted and, mostly, removed; intervals are anywhere that is not wrong by itself.
  History pairs() {
    History out;
    const int values = 1 + below(options_.most / 2);
    std::vector<std::pair<double, std::pair<std::size_t, bool>>> times;
    const auto time = [&] { return std::uniform_real_distribution<double>(0, 1)(random_); };
    const auto add = [&](const Operation& op, double invoked, double returned) {
      times.push_back({invoked, {out.operations.size(), false}});
      times.push_back({returned, {out.operations.size(), true}});
      out.operations.push_back(op);
    };
    const double length = chance(50) ? 1 : 0.5;
    for (int v = 1; v <= values; ++v) {
      const double start = time() * (1 - length);
      std::array<double, 4> t{};
      for (double& each : t) each = start + length * time();
      std::ranges::sort(t);
      if (chance(25)) std::swap(t[1], t[2]);
      const int value = 1 + (7 * v) % 15;
      add({Kind::Insert, value, nothing, false}, t[0], t[1]);
      if (chance(85)) add({Kind::Remove, nothing, value, false}, t[2], t[3]);
    }
    if (chance(40)) {
      const auto [first, last] = std::minmax({time(), time()});  // by value
      add({Kind::Remove, nothing, nothing, false}, first, first + (last - first) * (chance(50) ? 1 : 0.3));
    }
    std::ranges::sort(times);
    for (const auto& [when, event] : times) out.events.push_back(event);
    return out;
  }

  Operation operation(int inserts, std::vector<int>& fresh) {
    Operation out;
    out.kind = chance(inserts) && !fresh.empty() ? Kind::Insert : type_ == Type::Register ? Kind::Look : Kind::Remove;
    if (type_ == Type::Mutex) {
      out.argument = nothing;
    } else if (type_ == Type::Set && options_.repeated) {
      out.argument = 1 + below(2);
      if (chance(30)) out.kind = Kind::Look;
    } else if (out.kind == Kind::Insert) {
      out.argument = fresh.back();
      fresh.pop_back();
    } else if (type_ == Type::Set) {
      // Of a value added before, mostly.
      out.kind = chance(40) ? Kind::Look : Kind::Remove;
      const int used = 15 - static_cast<int>(fresh.size());
      out.argument = used == 0 || chance(10) ? 15 : 0;
      if (out.argument == 0) out.argument = added_[static_cast<std::size_t>(below(used))];
    }
    if (type_ == Type::Set && out.kind == Kind::Insert && !options_.repeated) {
      added_.resize(15 - fresh.size());
      added_.back() = out.argument;
    }
    return out;
  }

  void perturb(History& history) {
    const auto any = [&] { return static_cast<std::size_t>(below(static_cast<int>(history.operations.size()))); };
    Operation& op = history.operations[any()];
    switch (below(4)) {
      case 0: {  // two answers change places
        Operation& other = history.operations[any()];
        if (op.kind != Kind::Insert && other.kind != Kind::Insert) std::swap(op.result, other.result);
        break;
      }
      case 1:  // an answer is another
        if (type_ == Type::Set || type_ == Type::Mutex) {
          op.result = op.result == yes ? no : yes;
        } else if (op.kind != Kind::Insert) {
          op.result = chance(70) ? nothing : history.operations[any()].argument;
        }
        break;
      default: {  // an event moves, within its operation or outwards
        const std::size_t from = static_cast<std::size_t>(below(static_cast<int>(history.events.size())));
        const auto event = history.events[from];
        history.events.erase(history.events.begin() + static_cast<std::ptrdiff_t>(from));
        std::size_t low = 0, high = history.events.size();
        for (std::size_t i = 0; i < history.events.size(); ++i) {
          if (history.events[i].first == event.first) (event.second ? low : high) = event.second ? i + 1 : i;
        }
        const std::size_t to = low + static_cast<std::size_t>(below(static_cast<int>(high - low) + 1));
        history.events.insert(history.events.begin() + static_cast<std::ptrdiff_t>(to), event);
      }
    }
  }

  static void forget(History& history, int operation) {
    const auto i = static_cast<std::size_t>(operation);
    history.operations[i].unknown = true;
    std::erase(history.events, std::pair{i, true});
  }

  Type type_;
  Options options_;
  std::mt19937_64 random_;
  std::vector<int> added_;
};

}  // namespace heddle::small
