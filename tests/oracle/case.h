// A random model with random switches, printed so that it can be repeated.
#pragma once

#include <chrono>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>

#include "oracle/compare.h"
#include "oracle/unkind_model.h"
#include "support/long_run.h"

namespace heddle::oracle {

struct Case {
  Definition (*definition)();
  std::map<std::string, std::string> parameters;
  Network network = {};
  Faults faults = {};

  Model model() const {
    Model m(definition(), parameters);
    m.network = network;
    m.faults = faults;
    return m;
  }
  std::string text() const {
    std::string out = definition().name;
    for (const auto& [name, value] : parameters) out += " -p " + name + "=" + value;
    constexpr const char* orders[] = {"multiset", "soup", "fifo"};
    constexpr const char* traffic[] = {"M", "GRM", "RM"};
    out += std::string(" --network ") + orders[static_cast<int>(network.order)];
    out += std::string(" --traffic ") + traffic[static_cast<int>(network.traffic)];
    const auto add = [&](const char* name, std::size_t n) {
      if (n > 0) out += std::string(" --") + name + " " + std::to_string(n);
    };
    add("capacity", network.capacity);
    if (network.when_full == Network::WhenFull::Overwrite) out += " --when-full overwrite";
    add("loss", network.losses);
    add("duplicate", network.duplications);
    add("partitions", network.partitions);
    add("crashes", faults.crashes);
    if (faults.recovery) out += " --recovery";
    for (const auto& [role, n] : faults.byzantine) out += " --byzantine " + role + "=" + std::to_string(n);
    return out;
  }
};

// A model of Node and Hub; what the seed does not decide here, the caller may change afterwards.
inline Case unkind_case(std::uint64_t seed, bool names) {
  unkind::Draw d(seed, 200, 0);
  const int nodes = 1 + d.below(3);
  const int hubs = 1 + d.below(nodes < 3 ? 2 : 1);
  return {&unkind::definition,
          {{"seed", std::to_string(seed)},
           {"nodes", std::to_string(nodes)},
           {"hubs", std::to_string(hubs)},
           {"sends", std::to_string(1 + d.below(nodes == 1 ? 3 : 2))},
           {"quorum", std::to_string(d.below(3))},
           {"names", names ? "1" : "0"},
           {"together", std::to_string(d.one_in(3) ? 1 + d.below(2) : 0)},
           {"bound", d.one_in(8) ? "1" : "0"}}};
}

// How many random models a test compares: a number, and under HEDDLE_LONG until HEDDLE_ORACLE_SECONDS, shared among the tests, are over.
class Amount {
 public:
  explicit Amount(std::size_t usual) : most_(testing::count_of(usual, usual * 1000)) {
    const char* seconds = std::getenv("HEDDLE_ORACLE_SECONDS");
    seconds_ = seconds != nullptr ? std::atof(seconds) : 300;
  }
  std::size_t most() const { return most_; }
  // `done` models have been compared.
  bool more(std::size_t done) const {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
    return done < most_ && (!testing::long_run() || passed.count() < seconds_);
  }

 private:
  std::size_t most_;
  double seconds_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

inline constexpr std::size_t most_states = 1500;

// Compares everything on one case; false if its state space is too large to be worth it.
inline bool agree(const Case& c, std::uint64_t turn) {
  const Model model = c.model();
  const Oracle oracle(model);
  if (!oracle.refused().empty()) {
    EXPECT_THROW(make_actor_system(model), ModelError) << c.text() << "\nrefused: " << oracle.refused();
    return true;
  }
  const Found found = explore(oracle, most_states);
  if (found.too_large) return false;
  const std::string program = by_program(model);
  if (!found.mistake.empty()) {
    EXPECT_EQ(program.substr(0, 5), "error") << c.text() << "\n" << found.mistake;
    return true;
  }
  EXPECT_EQ(program, text(found)) << c.text();
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

// With default reductions: the same verdicts.
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
                         bool (*compare)(const Case&, std::uint64_t) = &agree) {
  const Amount amount(usual);
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
