// Executions in which every action has a statement of its own, in one flat body for each invocation; random ones of any
// length, by two to four threads, whose calls are mostly short.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "explain/recorded_execution.h"

namespace heddle::testing {

using explain::DataAccess;
using explain::nothing;
using explain::RecordedExecution;
using explain::StatementTree;

struct FlatExecution {
  StatementTree tree;
  RecordedExecution execution;
  std::map<std::uint32_t, std::uint32_t> bodies;  // instance by invocation
  std::map<std::uint32_t, std::uint32_t> lengths;

  // Returns the statement.
  std::uint32_t add(std::uint32_t thread, std::uint32_t invocation, std::vector<DataAccess> accesses) {
    execution.threads = std::max(execution.threads, thread + 1);
    if (!bodies.contains(invocation)) {
      tree.push_back({});
      execution.instances.push_back({static_cast<std::uint32_t>(tree.size() - 1), nothing, 0});
      bodies[invocation] = static_cast<std::uint32_t>(execution.instances.size() - 1);
    }
    const std::uint32_t body = bodies[invocation];
    tree.push_back({.parent = execution.instances[body].statement, .order = lengths[invocation]++});
    const auto statement = static_cast<std::uint32_t>(tree.size() - 1);
    execution.instances.push_back({statement, body, 0});
    execution.actions.push_back({.thread = thread,
                                 .invocation = invocation,
                                 .instance = static_cast<std::uint32_t>(execution.instances.size() - 1),
                                 .accesses = std::move(accesses)});
    return statement;
  }
  std::uint32_t read(std::uint32_t thread, std::uint32_t object) {
    return add(thread, thread, {{object, 0, 8, false}});
  }
  std::uint32_t write(std::uint32_t thread, std::uint32_t object) {
    return add(thread, thread, {{object, 0, 8, true}});
  }
};

inline FlatExecution random_execution(std::mt19937_64& random, std::size_t length) {
  const auto below = [&](std::uint64_t n) { return static_cast<std::uint32_t>(random() % n); };
  FlatExecution f;
  const std::uint32_t threads = 2 + below(3), objects = 1 + below(3);
  std::vector<std::uint32_t> invocation(threads);
  for (std::uint32_t t = 0; t < threads; ++t) invocation[t] = t;
  std::uint32_t thread = 0;
  for (std::size_t i = 0; i < length; ++i) {
    if (below(3) != 0) thread = below(threads);
    if (below(6) == 0) invocation[thread] += threads;
    std::vector<DataAccess> accesses;
    for (std::uint32_t k = 0, n = 1 + (below(4) == 0 ? 1 : 0); k < n; ++k) {
      const std::uint32_t begin = below(5) == 0 ? 4 : 0, end = begin == 0 && below(5) == 0 ? 4 : 8;
      accesses.push_back({below(objects), begin, end, below(2) == 0});
    }
    f.add(thread, invocation[thread], std::move(accesses));
  }
  return f;
}

}  // namespace heddle::testing
