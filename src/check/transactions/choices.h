// Makes choices between two answers each, such that clauses hold: conflict-driven clause learning (Marques-Silva and
// Sakallah 1999). Only what some clause needs is chosen; everything else is left open.
//
//   Choices choices;
//   const auto a = choices.variable(), b = choices.variable();
//   choices.add({Choices::yes(a), Choices::no(b)});
//   if (choices.solve()) { ... choices.chosen() ... }
//
// Clauses are added as they are found, between calls of solve(); what was chosen last is tried first the next time.
// Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::transactions {

class Choices {
 public:
  using Literal = std::uint32_t;  // a variable and an answer
  static Literal yes(std::uint32_t variable) { return 2 * variable; }
  static Literal no(std::uint32_t variable) { return 2 * variable + 1; }
  static Literal opposite(Literal literal) { return literal ^ 1U; }

  std::uint32_t variable();
  // One of the literals has to be chosen. Those that come first are tried first.
  void add(std::vector<Literal> clause);
  // Returns false if no choice satisfies all clauses.
  bool solve();
  // REQUIRES: solve() returned true. Every clause has one of them.
  const std::vector<Literal>& chosen() const { return trail_; }
  bool is_chosen(Literal literal) const { return value_[literal] > 0; }
  // True if there is no other choice.
  bool is_forced(Literal literal) const { return value_[literal] > 0 && level_[literal >> 1] == 0; }
  std::uint64_t conflicts() const { return conflicts_; }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  bool enqueue(Literal literal, std::uint32_t reason);
  std::uint32_t propagate();
  bool learn_from(std::uint32_t conflict);
  void back_to(std::uint32_t to);
  bool satisfied(const std::vector<Literal>& clause) const;
  bool decide();
  void watch(std::uint32_t clause);
  std::uint32_t level() const { return static_cast<std::uint32_t>(begins_.size()); }

  std::vector<std::vector<Literal>> clauses_;  // the first two literals are watched
  std::vector<std::uint32_t> asked_;           // clauses that were added, not learned
  std::vector<std::vector<std::uint32_t>> watches_;
  std::vector<std::int8_t> value_;  // by literal: 1 chosen, -1 its opposite is, 0 open
  std::vector<std::uint32_t> level_, reason_;
  std::vector<std::uint8_t> before_;  // by literal: chosen the last time
  std::vector<Literal> trail_;
  std::vector<std::size_t> begins_;  // of levels, in the trail
  std::size_t next_ = 0;             // of the trail, to propagate
  std::size_t looked_ = 0;           // clauses of asked_ before it are satisfied
  std::vector<std::uint8_t> marked_;
  std::uint64_t conflicts_ = 0;
  bool impossible_ = false;
};

}  // namespace heddle::transactions
