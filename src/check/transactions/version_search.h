// The search for an order of open versions (open_versions.h), one class in four files: the loop, its graphs and answers
// in open_versions.cpp, what edges rest on in version_assumptions.cpp, what is learned from cycles in learned_orders.cpp,
// and time that need not be respected in borrowed_time.cpp.
//
// Invariants
//   1. What is known (`pairs_` before `known_`) was seen, or is inferred: `inferred_` has its reason.
//   2. An inferred order, or a clause, that rests on time the level does not ask for names the transactions whose time it
//      is; it is forgotten when one of these is freed of time.
// Not thread-safe.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "check/transactions/choices.h"
#include "check/transactions/dependencies.h"
#include "check/transactions/open_versions.h"

namespace heddle::transactions {

class VersionSearch {
 public:
  VersionSearch(const TransactionHistory& history, Dependencies& dependencies, const OpenSearchOptions& options);
  OpenSearchResult run();

 private:
  using Steps = std::vector<CycleStep>;
  using Ends = std::vector<std::uint32_t>;  // transactions
  struct Clause {
    std::vector<Choices::Literal> literals;
    Ends ends;  // as in ends_of_time
  };
  using PairKey = std::pair<std::uint64_t, std::uint32_t>;
  static PairKey key_of(const OpenPair& pair) { return {std::uint64_t{pair.open} << 32 | pair.first, pair.second}; }
  static OpenPair reversed(const OpenPair& pair) { return {pair.open, pair.second, pair.first}; }
  OpenPair pair_of(const InferredOrder& one) const { return {open_of_key_[one.key], one.first, one.second}; }
  // A cycle with the pair that each of its steps assumes.
  struct Assuming {
    Steps steps;
    std::vector<std::optional<OpenPair>> pairs;
  };

  Dependencies::Wanted wanted() const;
  void find_updates();
  void see(const OpenPair& pair);

  // Graphs.
  std::vector<Steps> look_at_known();
  std::vector<Steps> explained(const std::vector<Cycle>& cycles) const;
  std::vector<Steps> evaluate();
  std::vector<Cycle> evaluate_one_anti();
  std::vector<std::uint32_t> keep_order(const Digraph& graph);
  void choose_rest();
  void restore();

  // What edges rest on.
  std::optional<OpenPair> derive(CycleStep& step) const;
  bool is_decided(const OpenPair& pair) const;
  bool are_neighbours(const OpenPair& pair) const;
  bool is_open(std::uint32_t index, std::uint32_t transaction) const;
  bool is_seen(const CycleStep& step, const TransactionOperation& op) const;
  bool overwrites(const CycleStep& step, const TransactionOperation& read) const;

  // Learning.
  void learn(std::vector<Steps>& cycles);
  void learn(Assuming& cycle);
  static std::vector<OpenPair> distinct(const Assuming& cycle);
  std::optional<Assuming> without_detours(const Assuming& cycle) const;
  void settle(Assuming& cycle) const;
  void infer(const OpenPair& pair);
  bool prove(const OpenPair& pair);
  bool lead(const OpenPair& pair, std::uint32_t source);
  void keep_proof(const OpenPair& pair, std::uint32_t source, std::uint32_t target, Dependency closing);
  static Choices::Literal literal_of(std::uint32_t variable, const OpenPair& pair);
  Choices::Literal literal(const OpenPair& pair);
  OpenPair pair_of(Choices::Literal literal) const;

  // Time that need not be respected.
  Ends ends_of_time(const Steps& cycle) const;
  bool let_go_of_time(const std::vector<Steps>& cycles);
  void forget_time();
  bool let_go_of_time_in_clauses();
  void free_of_time(const Ends& ends);

  // Answers.
  OpenSearchResult end() { return std::move(result_); }
  OpenSearchResult holds();
  OpenSearchResult violated(Steps cycle);
  OpenSearchResult no_order();
  void keep_inferred(Steps& cycle);
  void renumber(Steps& cycle);

  const TransactionHistory& history_;
  Dependencies& dependencies_;
  const OpenSearchOptions& options_;
  const bool events_, lists_;
  bool leans_on_time_;
  std::vector<std::uint32_t> start_rank_, end_rank_, open_of_key_;
  std::vector<std::vector<std::uint32_t>> original_;
  std::vector<OpenPair> pairs_;   // that are known, and behind them those that are chosen
  std::size_t known_ = 0;         // pairs
  std::size_t seen_count_ = 0;    // of these; the others are inferred
  std::vector<OpenPair> rivals_;  // both have overwritten what both have read
  boost::unordered_flat_set<PairKey> seen_;

  // The graph of what is known, if it has no cycle, and searches in it.
  std::optional<Digraph> known_graph_;
  std::vector<std::uint32_t> known_order_, known_place_;
  std::vector<std::uint32_t> visited_, parent_, queue_;
  std::vector<Dependency> kind_;
  std::uint32_t visit_ = 0;
  boost::unordered_flat_map<std::uint32_t, Dependency> targets_;
  boost::unordered_flat_set<PairKey> tried_;
  std::size_t visits_left_ = 0;
  Steps proof_;

  std::vector<InferredOrder> inferred_;
  boost::unordered_flat_map<PairKey, std::uint32_t> inferred_at_;
  Choices choices_;
  boost::unordered_flat_map<PairKey, std::uint32_t> variables_;  // by ascending pair
  std::vector<OpenPair> pairs_of_;                               // by variable
  std::vector<Clause> new_clauses_, clauses_;

  // Freed of time; and for every inferred order the transactions whose time it rests on.
  std::vector<std::uint8_t> timeless_;
  std::vector<Ends> ends_of_inferred_;

  std::vector<std::uint32_t> order_, place_;
  OpenSearchResult result_;
  std::size_t kept_ = 0;
  boost::unordered_flat_map<std::uint32_t, std::uint32_t> number_;
  bool gave_up_ = false;
};

}  // namespace heddle::transactions
