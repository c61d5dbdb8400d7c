// What has to be true of every read of a bank or of a counter, as Jepsen's workloads record them.
//
//   bank      transfers between accounts, and reads of all of them: the sum is always the same
//   counter   increments, and reads: at least what had been added for certain, at most what may have been
//
// A transfer, or an increment, is a transaction that reads what it changes. So a store with repeatable read (PL-2+) and
// anything stronger keeps the sum: whoever has seen a transfer on one account has seen it on the other, and no transfer
// is lost. Weaker levels may lose the sum. If all reads are right, that does not prove any level: nobody has searched
// for an order of the transfers that gives every answer.
// Pure function, thread-safe.
#pragma once

#include <optional>

#include "check/transactions/finding.h"
#include "check/transactions/transaction_history.h"

namespace heddle::transactions {

// The first read that cannot be, if there is one: for a level that respects nothing, sessions or time.
// REQUIRES: the workload is Bank or Counter.
std::optional<IsolationFinding> find_broken_invariant(const TransactionHistory& history, Respects respects);

// What a read of a counter may see.
struct Bounds {
  std::int64_t least = 0, most = 0;
};
Bounds bounds_of(const TransactionHistory& history, std::uint32_t read, Respects respects);

// What a read of a bank has seen altogether; nothing if an account has no balance.
std::optional<std::int64_t> sum_of(const TransactionHistory& history, std::uint32_t read);

}  // namespace heddle::transactions
