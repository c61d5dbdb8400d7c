// The executions of one client: one for each Mazurkiewicz trace, up to the order of independent accesses to data.
//
//   const ClientExecutions found = client_executions(system, 0, {}, budget);
//   found.bad.list, found.good.list
//
// Bad ones end with results that the calls cannot have one at a time. Good ones end well. Runs that end in another
// error are neither, and so are those that come back to a state.
//
// All traces are met if there are not too many, and where more are met than wanted, each is kept with the same
// probability. Otherwise random runs are made. Equal seeds give equal executions.
// Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/budget.h"
#include "explain/conflict_graph.h"
#include "explain/recorded_execution.h"
#include "native/system.h"

namespace heddle::run {

struct ExecutionLimits {
  std::size_t bad = 5'000, good = 5'000;  // executions to keep
  std::size_t met = 200'000;              // runs to look at, of either kind
  std::uint64_t seed = 1;
};

struct ExecutionCount {
  std::uint64_t kept = 0;
  std::uint64_t met = 0;  // distinct ones
  bool all_met = true;    // there are no others

  ExecutionCount& operator+=(const ExecutionCount& other);
  // "62", "5000 of 7312", "5000 of more than 200000"
  std::string text() const;
};

struct Executions {
  std::vector<explain::RecordedExecution> list;
  ExecutionCount count;
};

struct ClientExecutions {
  Executions bad, good;
  bool cycles = false;    // runs that come back to a state were left out
  bool complete = false;  // false: the budget ended first
};

explain::RealTime real_time_of(const native::System& system);

// Whether what a statement does is one action where that is possible (explain/whole_statements.h).
enum class Statements : std::uint8_t { Whole, Apart };

// Where the system finds that it assumed too much (core/facets/assumptions.h), it reconsiders, and all begins again.
ClientExecutions client_executions(native::System& system, std::size_t client, const ExecutionLimits& limits,
                                   Budget& budget, Statements statements = Statements::Whole);

}  // namespace heddle::run
