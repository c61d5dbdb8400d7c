// Searches for an order of versions that nobody has seen, such that a level holds.
//
// The versions of a key are put into the order in which a topological order of what is known has their writers. If that
// leads to no cycle, the level holds. Otherwise the cycle uses a pair of versions whose order was only chosen: the
// search tries the other order of that pair, and, if that fails, this one for good. What is decided is an edge, so the
// next topological order respects it. If a cycle uses nothing that was chosen or decided, the level is violated; if all
// branches end in cycles, no order works.
//
// Levels up to monotonic atomic view never need the search: a topological order of what they forbid cycles of is an
// order of the versions as well.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "check/transactions/dependencies.h"
#include "check/transactions/finding.h"
#include "core/budget.h"

namespace heddle::transactions {

struct OpenSearchResult {
  enum class Answer : std::uint8_t { Holds, Violated, Unknown };
  Answer answer = Answer::Unknown;
  std::vector<std::uint32_t> order;           // of Holds: as in replay()
  std::vector<CycleStep> cycle;               // of Violated, if it uses nothing open
  std::vector<std::vector<CycleStep>> cases;  // of Violated otherwise: the cycles of the branches, some of them
  std::uint64_t steps = 0;
};

struct OpenSearchOptions {
  Level level;  // repeatable read or stronger
  std::uint64_t most_steps = 0;
  Budget* budget = nullptr;
  std::size_t most_visits = 50'000'000;  // edges, to find a shortest cycle
};

// Decides a level from repeatable read on. `dependencies` is left with the open keys that it had.
OpenSearchResult search_versions(const TransactionHistory& history, Dependencies& dependencies,
                                 const OpenSearchOptions& options);

// Returns the steps of a cycle in a graph of transactions, or in one of events.
std::vector<CycleStep> steps_of(const Cycle& cycle, const Dependencies& dependencies, bool events);

}  // namespace heddle::transactions
