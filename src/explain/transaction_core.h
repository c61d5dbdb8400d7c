// Finds few transactions of a history that already break a level.
//
// It begins with those of the finding and those whose writes they have seen, and leaves out one after the other as long
// as the rest breaks the level (check/transactions/restricted.h says why that is sound). None of what is left can be
// left out, unless the budget ran out.
#pragma once

#include <cstdint>
#include <vector>

#include "check/transactions/check_transactions.h"
#include "core/budget.h"

namespace heddle::explain {

// Returns transactions, ascending; empty if none were found within the budget.
std::vector<std::uint32_t> transaction_core(const TransactionHistory& history,
                                            const transactions::IsolationFinding& finding, const Level& level,
                                            Budget& budget);

}  // namespace heddle::explain
