// A history without some of its transactions, as if they had never been: what they appended is not in any list, and
// reads of registers that saw their values are left out.
//
// If the history has a level, so has what is left: the order that shows it still does, without them. So a violation of
// the smaller history is one of the larger. Pure function, thread-safe.
#pragma once

#include <cstdint>
#include <span>

#include "check/transactions/transaction_history.h"

namespace heddle::transactions {

// Keeps the lines and the order of events. REQUIRES: `kept` ascends.
TransactionHistory restricted(const TransactionHistory& history, std::span<const std::uint32_t> kept);

}  // namespace heddle::transactions
