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

// Returns a transaction that sees another one's write, and later, in the same transaction or in one that has to follow,
// misses a write of that one. For registers, misses nothing but needs an order: those orders are appended to `before`.
// REQUIRES: there is no direct anomaly.
std::optional<IsolationFinding> find_fractured_read(const TransactionHistory& history, const Dependencies& dependencies,
                                           Respects respects, std::vector<OpenPair>& before);

}  // namespace heddle::transactions
