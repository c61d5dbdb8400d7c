// Searches for an order of versions that nobody has seen, such that a level holds.
//
// Known is what was seen, and what follows: if one order of two versions closes a cycle, the other one is known
// (Biswas and Enea 2019 saturate in this way; here only pairs are looked at that matter for some cycle). If what is
// known has a cycle, the level is violated, and every edge of the cycle has a reason.
//
// Otherwise the versions of a key are put into the order in which a topological order of what is known has their
// writers. If that leads to no cycle, the level holds. If it does, each cycle says that not all pairs of versions that
// it rests on can be as they are: a clause (choices.h). The pairs that are chosen to satisfy the clauses are edges, so
// the next topological order respects them. If the clauses have no solution, no order works. As there are finitely many
// orders, and each that was tried breaks a new clause, the search ends.
//
// Real time orders most of what is open. So a search that need not respect it begins as if it had to, as far as that
// goes: if a cycle uses time, the transactions whose time it uses are freed of it. An answer rests on no time that the
// level does not respect.
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
  std::vector<InferredOrder> inferred;        // as in IsolationFinding
  std::uint64_t steps = 0;
  bool in_time = false;  // of Holds: the order respects real time as well
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
