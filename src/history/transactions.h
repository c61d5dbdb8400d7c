// Reads a recorded history of transactions, as Jepsen and Elle write them, in EDN or JSON.
//
//   {:process 0, :type :invoke, :f :txn, :value [[:append :x 1] [:r :y nil]]}
//   {:process 0, :type :ok, :f :txn, :value [[:append :x 1] [:r :y [2 3]]]}
//
// A value is a list of operations: [:append key element] and [:r key list], or [:w key value] and [:r key value]. The
// other fields of an event, its types and the nemesis are as for other histories (edn.h, json.h). :f and :process may
// be missing; without :process a transaction belongs to no session. A file may have completions only: then nothing is
// known about real time.
//
// Workloads of Jepsen with other operations are read as well, one a file:
//
//   long fork   {:f :write, :value [[:w 3 1]]} {:f :read, :value [[:r 3 1] [:r 4 nil]]}
//   set         {:f :add, :value 3} {:f :read, :value #{1 3}}                            a register for each element
//   counter     {:f :add, :value 3} {:f :read, :value 7}
//   bank        {:f :transfer, :value {:from 0, :to 1, :amount 5}} {:f :read, :value {0 5, 1 15}}
//
// A history of transactions is mostly lists that were read, and lists that were read are mostly prefixes of each other.
// So nothing is interned before it is compared with what is known of the key, and what an invocation says is only read
// if the transaction has no result.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "check/transactions/transaction_history.h"
#include "core/budget.h"
#include "history/read_history.h"

namespace heddle::history {

struct TransactionReadOptions {
  std::optional<Format> format = {};       // Edn or Json; detected if not given
  std::string initial = {};                // what every register holds at first, as EDN; empty: nil
  std::optional<std::int64_t> total = {};  // of a bank: what all accounts have together
  Budget* budget = nullptr;
};

struct TransactionReadSummary {
  Format format = Format::Edn;
  std::uint64_t ok = 0, failed = 0, unknown = 0;
  std::uint64_t nemesis_events = 0;
  std::uint64_t backwards = 0;  // as in ReadSummary
  std::string first_backwards;
};

// Throws HistoryError or ReadingStopped. REQUIRES: `history` is empty.
TransactionReadSummary read_transactions(std::string_view text, const std::string& file_name,
                                         const TransactionReadOptions& options, TransactionHistory& history);

// Returns the history as EDN, a line an event, without times.
std::string write_transactions(const TransactionHistory& history);

}  // namespace heddle::history
