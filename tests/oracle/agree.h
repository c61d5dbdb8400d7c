// Runs random models through both the program and the oracle.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <string>

#include "oracle/compare.h"
#include "oracle/random_case.h"
#include "support/long_run.h"

namespace heddle::oracle {

// How many random models a test compares: a fixed number, or under HEDDLE_LONG as many as fit into some seconds
// (HEDDLE_ORACLE_SECONDS, if set).
class Amount {
 public:
  Amount(std::size_t usual, double seconds) : most_(testing::count_of(usual, usual * 100'000)), seconds_(seconds) {
    const char* told = std::getenv("HEDDLE_ORACLE_SECONDS");
    if (told != nullptr) seconds_ = std::atof(told);
  }
  std::size_t most() const { return most_; }
  // Returns whether to go on after `done` models have been compared.
  bool more(std::size_t done) const {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
    return done < most_ && (!testing::long_run() || passed.count() < seconds_);
  }

 private:
  std::size_t most_;
  double seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

inline constexpr std::size_t most_states = 1500;

// Compares everything on one case. Returns false if its state space is too large to be worth it.
inline bool agree(const Case& c, std::uint64_t turn) {
  const Model model = c.model();
  const Oracle oracle(model);
  if (!oracle.refused().empty()) {
    EXPECT_THROW(make_actor_system(model), ModelError) << c.text() << "\nrefused: " << oracle.refused();
    return true;
  }
  const Found found = explore(oracle, most_states);
  if (found.too_large) return false;
  const std::string program = by_program(model, found.depth + 5);
  if (!found.mistake.empty()) {
    EXPECT_EQ(program.substr(0, 5), "error") << c.text() << "\n" << found.mistake;
    return true;
  }
  EXPECT_EQ(program, text(found)) << c.text();
  if (program != text(found)) return true;
  using Search = SearchOptions::Order;
  const auto also = [&](Search order, unsigned threads) {
    EXPECT_EQ(by_program(model, order, threads), without_depths(found))
        << c.text() << (order == Search::DepthFirst ? " --search dfs" : "") << " --threads " << threads;
  };
  if (turn % 4 == 0) also(Search::DepthFirst, 1);
  if (turn % 4 == 1) also(Search::BreadthFirst, 2);
  if (turn % 8 == 2) also(Search::DepthFirst, 2);
  return true;
}

// Compares the verdicts with default reductions.
inline bool agree_reduced(const Case& c, std::uint64_t turn) {
  const Model model = c.model();
  const Oracle oracle(model);
  if (!oracle.refused().empty()) return true;
  const Found found = explore(oracle, most_states);
  if (found.too_large || !found.mistake.empty()) return false;
  using Search = SearchOptions::Order;
  const unsigned threads = turn % 3 == 2 ? 2 : 1;
  const Search order = turn % 2 == 1 ? Search::DepthFirst : Search::BreadthFirst;
  std::string program;
  try {
    program = reduced(model, everything(order, threads));
  } catch (const ModelError& error) {
    program = std::string("error: ") + error.what();
  }
  EXPECT_EQ(program, verdicts(found)) << c.text() << (order == Search::DepthFirst ? " --search dfs" : "")
                                      << " --threads " << threads;
  return true;
}

// Goes through seeds until `usual` of their cases were small enough.
inline void compare_many(std::size_t usual, std::uint64_t first_seed,
                         const std::function<Case(std::uint64_t seed, unkind::Draw&)>& make,
                         bool (*compare)(const Case&, std::uint64_t) = &agree, double seconds = 45) {
  const Amount amount(usual, seconds);
  std::size_t done = 0, tried = 0;
  for (std::uint64_t seed = first_seed; amount.more(done) && tried < 20 * amount.most(); ++seed, ++tried) {
    unkind::Draw d(seed, 300, 0);
    done += compare(make(seed, d), seed);
    if (::testing::Test::HasFailure() && !testing::long_run()) return;
  }
  ::testing::Test::RecordProperty("models", static_cast<int>(done));
  ::testing::Test::RecordProperty("tried", static_cast<int>(tried));
}

}  // namespace heddle::oracle
