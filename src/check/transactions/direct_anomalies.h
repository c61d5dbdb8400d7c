// Anomalies that one read, or two, show without any graph: lists that cannot be, aborted and intermediate reads,
// transactions that do not see their own writes, reads that lose what was seen before.
// Pure functions, thread-safe.
#pragma once

#include <optional>
#include <vector>

#include "check/transactions/dependencies.h"
#include "check/transactions/finding.h"

namespace heddle::transactions {

// Returns one that rules out read committed, and with it everything stronger; none if there is none. Anomalies of lists
// that rule out read uncommitted as well come first.
std::optional<IsolationFinding> find_direct_anomaly(const TransactionHistory& history);

// Computes the orders of versions that are left if what is not Ok is taken out of all lists. Returns an anomaly if the
// lists then contradict each other.
std::optional<IsolationFinding> orders_without_uncommitted(const TransactionHistory& history, VersionOrders& orders);

// A register: `second` wrote what a read has seen, which has to be newer than what `first` wrote, of which the reader,
// or somebody before it, had already seen something else.
struct NeededOrder {
  std::uint32_t first = 0, second = 0, reader = 0;  // transactions
  std::uint32_t saw = 0, missed = 0;                // the reads: operations
  Respects respects = Respects::Nothing;
};

// Returns a transaction that sees another one's write, and later, in the same transaction or in one that has to follow,
// misses a write of that one. Of a register, what is missed depends on the order of its values: the orders that are
// needed are appended. REQUIRES: there is no direct anomaly.
std::optional<IsolationFinding> find_fractured_read(const TransactionHistory& history, Respects respects,
                                                    std::vector<NeededOrder>& needed);

}  // namespace heddle::transactions
