// Decides which isolation levels a history of transactions has, by the absence of cycles (Adya 1999; Cerone and Gotsman
// 2016 for snapshot isolation).
//
//   TransactionsResult r = check_transactions(history, {.asked = *level_named("snapshot-isolation")});
//
// A level holds only with an order that an independent replay has confirmed (certificates.h). It is violated only with
// a finding. Where the order of versions is open and decides, it is searched for (open_versions.h); if a budget runs
// out the level is unknown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "check/transactions/finding.h"
#include "check/transactions/isolation.h"
#include "check/transactions/transaction_history.h"
#include "core/budget.h"
#include "core/verdict.h"

namespace heddle {

struct TransactionsOptions {
  Level asked = {};
  bool all_levels = false;  // not only the one that was asked for
  // Of registers: what a transaction has read was written before what it then writes to the same key. From read
  // committed on this is not an assumption: it follows.
  bool writes_follow_reads = false;
  Budget* budget = nullptr;
  std::size_t most_steps = 200'000;  // of the search for open orders
};

struct LevelResult {
  Level level = {};
  Verdict verdict = Verdict::Unknown;
  bool asked = false;                 // decided, or follows from what was decided
  std::uint32_t finding = never;      // of Violated: index into `findings`
  std::uint32_t certificate = never;  // of Holds: index into `certificates`
  std::string stopped_by = {};        // of Unknown
};

struct TransactionCertificate {
  Level level;
  std::vector<std::uint32_t> order;  // as in replay()
};

struct TransactionsResult {
  Verdict verdict = Verdict::Unknown;  // of the level that was asked for
  std::vector<LevelResult> levels;     // all_levels()
  std::vector<transactions::IsolationFinding> findings;
  std::vector<TransactionCertificate> certificates;
  std::string stopped_by;
  std::size_t open_keys = 0;  // with versions whose order nobody has seen
  std::uint64_t steps = 0;    // of the search for open orders
  std::size_t peak_bytes = 0;

  const LevelResult& of(const Level& level) const;
};

TransactionsResult check_transactions(const TransactionHistory& history, const TransactionsOptions& options = {});

}  // namespace heddle
