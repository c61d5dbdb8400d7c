// Checks that a history has a level by going through an order of its transactions, or of their starts and commits, and
// comparing every answer. Shares nothing with what finds the orders: neither dependencies nor graphs.
//
//   serializable           executing the transactions in this order gives every answer
//   snapshot isolation     executing starts and commits in this order gives every answer: a transaction sees what was
//                          committed before its start and what it has done itself, and nobody else commits a write to
//                          one of its keys between its start and its commit
//   weaker levels          the order gives the versions of every key, and each read is one of them by the rules of the
//                          level (docs/serializability.md)
// Pure functions, thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "check/transactions/isolation.h"
#include "check/transactions/transaction_history.h"

namespace heddle::transactions {

// `order` has transactions; of snapshot isolation events: 2 t is the start and 2 t + 1 the commit of t. Returns why the
// order is none for this level; empty if all is well.
std::string replay(const TransactionHistory& history, const Level& level, const std::vector<std::uint32_t>& order);

}  // namespace heddle::transactions
