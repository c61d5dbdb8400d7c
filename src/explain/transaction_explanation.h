// Says in words, as a picture and as a graph for Graphviz what rules a level out (check/transactions/finding.h).
//
//   T1  line 4, process 0   append(x, 1) r(y) → [2]
//   T2  line 6, process 1   append(y, 3)
//
//   T1 ──rw──▶ T2 ──real time──▶ T1
//
//   T1 comes before T2: T1 read [2] of y, and T2 appended 3 behind that.
//   ...
// Pure functions, thread-safe.
#pragma once

#include <string>
#include <vector>

#include "check/transactions/check_transactions.h"

namespace heddle::explain {

struct TransactionTextOptions {
  std::string file;  // for places
  int width = 100;
  bool ascii = false;
};

std::string explain_finding(const TransactionHistory& history, const transactions::IsolationFinding& finding,
                            const Level& level, const TransactionTextOptions& given);

// One line: "G-single: T1 (line 4) rw T2 (line 6) ww T1".
std::string finding_line(const TransactionHistory& history, const transactions::IsolationFinding& finding);

// "G-single-realtime"
std::string anomaly_name(const transactions::IsolationFinding& finding);

// The transactions of the finding and the edges between them, as a graph for dot.
std::string finding_dot(const TransactionHistory& history, const transactions::IsolationFinding& finding);

// The transactions that the finding is about, each once, in the order of its steps.
std::vector<std::uint32_t> transactions_of(const transactions::IsolationFinding& finding);

// "wr", "real time"; `for_people` says "session" and "real time".
std::string_view dependency_name(transactions::Dependency kind);
// Why the one comes before the other: a sentence without names of transactions before them, such as
// "T1 read [1] of :x, and T2 appended 2 behind that". `from` and `to` are those names.
std::string reason(const TransactionHistory& history, const transactions::CycleStep& step, const std::string& from,
                   const std::string& to);

// "of :x, the 1 of T1 was written before the 2 of T2"; `first` and `second` are names.
std::string inferred_order(const TransactionHistory& history, const transactions::InferredOrder& order,
                           const std::string& first, const std::string& second);

// "append(:x, 1) r(:y) → [2]", at most `width` cells.
std::string transaction_text(const TransactionHistory& history, std::uint32_t transaction, bool ascii,
                             std::size_t width);

}  // namespace heddle::explain
