// Long random histories of correct objects, for tests and measurements of history checkers.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "check/recorded_history.h"

namespace heddle::long_histories {

using Random = std::mt19937_64;

// The next request of a process, and the answer when it takes effect.
struct Request {
  std::string_view function;
  Value argument = nil;
};
struct Workload {
  std::string_view specification;
  std::function<Request(RecordedHistory&, Random&)> next;
  std::function<Value(RecordedHistory&, const Request&)> apply;
};

// About as many insertions, each of a new value, as removals; `insert` and `remove` are the object.
inline Workload collection(std::string_view specification, std::string_view insert_name, std::string_view remove_name,
                           const std::function<void(std::int64_t)>& insert,
                           const std::function<std::optional<std::int64_t>()>& remove) {
  auto fresh = std::make_shared<std::int64_t>(0);
  return {specification,
          [=](RecordedHistory& history, Random& random) -> Request {
            if (random() % 2 == 0) return {remove_name, nil};
            // Priorities come in random order, but all are different.
            const auto number =
                static_cast<std::int64_t>((static_cast<std::uint64_t>(++*fresh) * 2654435761U) & 0xffffffffU);
            return {insert_name, history.values.integer(number)};
          },
          [=](RecordedHistory& history, const Request& request) -> Value {
            if (request.function == insert_name) {
              insert(history.values.as_integer(request.argument));
              return nil;
            }
            const auto value = remove();
            return value ? history.values.integer(*value) : nil;
          }};
}

inline Workload workload(std::string_view name) {
  if (name == "register") {
    auto value = std::make_shared<Value>(nil);
    auto fresh = std::make_shared<std::int64_t>(0);
    return {name,
            [=](RecordedHistory& history, Random& random) -> Request {
              if (random() % 3 != 0) return {"read", nil};
              return {"write", history.values.integer(++*fresh)};
            },
            [=](RecordedHistory&, const Request& request) {
              return request.function == "read" ? *value : (*value = request.argument, nil);
            }};
  }
  if (name == "set") {
    auto elements = std::make_shared<std::set<Value>>();
    auto fresh = std::make_shared<std::int64_t>(0);
    return {name,
            [=](RecordedHistory& history, Random& random) -> Request {
              constexpr std::string_view functions[] = {"add", "remove", "contains"};
              if (random() % 8 == 0) ++*fresh;
              return {functions[random() % 3],
                      history.values.integer(*fresh - static_cast<std::int64_t>(random() % 50))};
            },
            [=](RecordedHistory& history, const Request& request) {
              if (request.function == "contains") return history.values.boolean(elements->contains(request.argument));
              if (request.function == "add") return history.values.boolean(elements->insert(request.argument).second);
              return history.values.boolean(elements->erase(request.argument) > 0);
            }};
  }
  if (name == "priority_queue") {
    auto values = std::make_shared<std::set<std::int64_t>>();
    return collection(
        name, "insert", "extract_min", [=](std::int64_t value) { values->insert(value); },
        [=]() -> std::optional<std::int64_t> {
          if (values->empty()) return {};
          return values->extract(values->begin()).value();
        });
  }
  auto values = std::make_shared<std::deque<std::int64_t>>();
  const bool queue = name == "queue";
  return collection(
      name, queue ? "enqueue" : "push", queue ? "dequeue" : "pop",
      [=](std::int64_t value) { queue ? values->push_back(value) : values->push_front(value); },
      [=]() -> std::optional<std::int64_t> {
        if (values->empty()) return {};
        const std::int64_t front = values->front();
        values->pop_front();
        return front;
      });
}

// Generates a history of a correct object that 8 processes use under a random schedule.
inline void generate(RecordedHistory& history, const Workload& work, std::size_t operations, std::uint64_t seed) {
  Random random(seed);
  struct Process {
    std::size_t operation = 0;
    int phase = 0;  // idle, invoked, took effect
    Request request;
    Value answer = nil;
  };
  std::vector<Process> processes(8);
  std::size_t invoked = 0, returned = 0;
  while (returned < operations) {
    const std::size_t number = random() % processes.size();
    Process& p = processes[number];
    if (p.phase == 0) {
      if (invoked == operations) continue;
      p.request = work.next(history, random);
      p.operation = history.invoke(history.process(std::to_string(number)), history.name(p.request.function), no_key,
                                   p.request.argument);
      ++invoked;
      p.phase = 1;
    } else if (p.phase == 1) {
      p.answer = work.apply(history, p.request);
      p.phase = 2;
    } else {
      history.complete(p.operation, Outcome::Ok, p.answer);
      ++returned;
      p.phase = 0;
    }
  }
}

}  // namespace heddle::long_histories
