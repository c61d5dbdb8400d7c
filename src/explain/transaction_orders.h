// Says in words which order shows that a level holds: the one that was replayed (check/transactions/certificates.h).
//
//   history.edn: strict-snapshot-isolation. Executed in this order, starts and commits give every answer:
//
//     T1  line 3, process 0   starts
//     T2  line 4, process 1   starts
//     T1  line 3, process 0   commits   r :x [], append :y 1
//
// Pure functions, thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "check/transactions/check_transactions.h"
#include "explain/transaction_explanation.h"

namespace heddle::explain {

// An event of an order: a transaction as a whole, or its start or its commit.
struct OrderEvent {
  enum class Kind : std::uint8_t { Whole, Start, Commit } kind = Kind::Whole;
  std::uint32_t transaction = 0;
};
std::vector<OrderEvent> events_of(const TransactionCertificate& certificate);

// At most `most` events are listed; the text says how many there are besides.
std::string explain_order(const TransactionHistory& history, const Level& level,
                          const TransactionCertificate& certificate, const TransactionTextOptions& options,
                          std::size_t most = 30);

// The keys with versions whose order nobody has seen, and where these were written. Empty if there are none.
std::string explain_open(const TransactionHistory& history, const TransactionTextOptions& options);

}  // namespace heddle::explain
