// Monitors: time per size, how it grows, and what search takes for the same history where it can do it.
//
//   bench_monitors [LARGEST] [SEARCH_SECONDS]      1000000 and 20 by default
//
// Histories of correct objects used by 8 processes under random schedules. Each size is ten times the one before; the exponent is that
// of the growth from the smallest size to the largest. The least of three runs, in processor time: these machines are noisy.
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "check/check_history.h"
#include "check/monitors/monitor.h"

namespace {

using namespace heddle;

double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

using Random = std::mt19937_64;

// What a process asks for next, and the answer when it takes effect.
struct Request {
  std::string_view function;
  Value argument = nil;
};
struct Workload {
  std::string_view specification;
  std::function<Request(RecordedHistory&, Random&)> next;
  std::function<Value(RecordedHistory&, const Request&)> apply;
};

// Insertions of ever new values and removals, about as many; `insert` and `remove` are the object.
Workload collection(std::string_view specification, std::string_view insert_name, std::string_view remove_name,
                    std::function<void(std::int64_t)> insert, std::function<std::optional<std::int64_t>()> remove) {
  auto fresh = std::make_shared<std::int64_t>(0);
  return {specification,
          [=](RecordedHistory& history, Random& random) -> Request {
            if (random() % 2 == 0) return {remove_name, nil};
            // Priorities in random order, but all different.
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

Workload workload(std::string_view name) {
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

void generate(RecordedHistory& history, Workload work, std::size_t operations) {
  Random random(operations);
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

double monitor_seconds(const Specification& specification, const RecordedHistory& history) {
  std::vector<std::uint32_t> all(history.operations.size());
  std::iota(all.begin(), all.end(), 0U);
  double best = 1e300;
  for (int run = 0; run < 3; ++run) {
    Budget budget;
    const double begin = processor_seconds();
    const auto result = monitor(specification, history, all, budget);
    best = std::min(best, processor_seconds() - begin);
    if (!result || result->verdict != Verdict::Holds) {
      fmt::print(stderr, "{}: {}\n", specification.name(), result ? result->reason : "no answer");
      std::exit(1);
    }
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t largest = argc > 1 ? std::stoul(argv[1]) : 1000000;
  const double search_seconds = argc > 2 ? std::stod(argv[2]) : 20;
  constexpr std::size_t smallest = 10000;
  for (const char* name : {"register", "set", "queue", "stack", "priority_queue"}) {
    const Specification& specification = *find_specification(name);
    double first = 0, last = 0;
    std::size_t last_size = 0;
    for (std::size_t size = smallest; size <= largest; size *= 10) {
      RecordedHistory history;
      generate(history, workload(name), size);
      last = monitor_seconds(specification, history);
      last_size = size;
      if (size == smallest) first = last;
      fmt::print("{:<15} {:>9} operations {:>9.4f} s {:>7.0f} ns/operation", name, size, last,
                 last * 1e9 / static_cast<double>(size));
      if (size == smallest) {
        HistoryCheckOptions options;
        options.method = HistoryCheckOptions::Method::Wgl;
        options.partition = false;
        options.limits.seconds = search_seconds;
        options.limits.bytes = std::size_t{2} << 30;
        const double begin = processor_seconds();
        const HistoryResult searched = check_history(history, specification, options);
        const double seconds = processor_seconds() - begin;
        const bool stopped = searched.verdict != Verdict::Holds;
        fmt::print("   search: {}{:.3f} s, {:.0f}x{}", stopped ? "more than " : "", seconds, seconds / last,
                   stopped ? " (" + searched.stopped_by + ")" : "");
      }
      fmt::print("\n");
    }
    if (last_size > smallest) {
      fmt::print("{:<15} exponent {:.2f}\n", name,
                 std::log(last / first) / std::log(static_cast<double>(last_size) / static_cast<double>(smallest)));
    }
  }
  return 0;
}
