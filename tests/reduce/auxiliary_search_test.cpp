// Searches that leave auxiliary data out (decomposition-based stateful search; Saissi's thesis, 2019, chapter 3). The
// counts are own counts by a prototype in another language. These are tests of searches alone, with and without
// selective push-on-stack.
#include <gtest/gtest.h>

#include <functional>

#include <map>
#include <random>
#include <set>

#include "actor/actor_system.h"
#include "core/facets/describer.h"
#include "core/facets/forgetting.h"
#include "explore/search.h"
#include "reduce/audit_auxiliary.h"
#include "reduce/auxiliary.h"
#include "reduce/graph_system.h"
#include "reduce/reference_models.h"
#include "support/checked.h"

namespace heddle::auxiliary_search_test {
namespace {

using System = std::unique_ptr<TransitionSystem>;

System actors(Model model, bool forget) {
  ActorOptions options;
  options.forget_auxiliary = forget;
  return make_actor_system(std::move(model), options);
}

SearchOptions depth_first(bool selective_push = false) {
  SearchOptions o;
  o.order = SearchOptions::Order::DepthFirst;
  o.selective_push = selective_push;
  o.stop_at_violation = false;
  return o;
}

SearchOptions forgetting(const TransitionSystem& system, SearchOptions options) {
  options.canonicalizer = [&system] { return std::make_unique<ForgetAuxiliary>(system); };
  return options;
}

// The counts of each model.
struct Counts {
  std::uint64_t states = 0, edges = 0, terminal = 0, single = 0, violating = 0, pushes = 0, stack = 0;
};

Counts count(const TransitionSystem& system, SearchOptions options) {
  Counts c;
  StepBuffer steps;
  options.on_state = [&](std::span<const Slot> state) {
    steps.clear();
    system.expand(state, steps);
    c.single += steps.size() == 1;
    const std::uint64_t all = (std::uint64_t{1} << system.properties().size()) - 1;
    bool violates = false;
    for (std::size_t i = 0; i < system.properties().size(); ++i) {
      if (system.properties()[i].kind == Property::Kind::Always)
        violates |= (system.evaluate(state, all) >> i & 1) == 0;
    }
    c.violating += violates;
  };
  const SearchResult r = search(system, options);
  EXPECT_TRUE(r.complete) << r.stopped_by;
  c.states = r.counters.states;
  c.edges = r.counters.transitions;
  c.terminal = r.counters.deadlocks;
  c.pushes = r.counters.pushes;
  c.stack = r.counters.stack;
  return c;
}

// The states s1 .. s5, s6, s of the motivating example are the nodes 0 .. 4, 4, 5. Processing m1 and m2 together leads
// to s6, which differs from s5 only in the messages processed last.
GraphSystem motivating_example() {
  return GraphSystem({{.from = 0, .to = 1},
                      {.from = 1, .to = 2},
                      {.from = 2, .to = 3, .auxiliary = 1},
                      {.from = 3, .to = 4, .auxiliary = 2},
                      {.from = 2, .to = 4, .auxiliary = 3},
                      {.from = 4, .to = 5}});
}

TEST(AuxiliarySearch, MotivatingExample) {
  const GraphSystem system = motivating_example();
  const Counts naive = count(system, depth_first(false));
  const Counts naive_spos = count(system, depth_first(true));
  const Counts sh = count(system, forgetting(system, depth_first(false)));
  const Counts both = count(system, forgetting(system, depth_first(true)));
  EXPECT_EQ(naive.states, 7u);
  EXPECT_EQ(naive_spos.states, 7u);
  EXPECT_EQ(sh.states, 6u);
  EXPECT_EQ(both.states, 6u);
  EXPECT_EQ(naive.pushes, 7u);
  EXPECT_EQ(sh.pushes, 6u);
  EXPECT_EQ(naive_spos.pushes, 1u);
  EXPECT_EQ(both.pushes, 1u);
  EXPECT_EQ(sh.edges, 6u);
  EXPECT_EQ(sh.terminal, 1u);
  EXPECT_EQ(sh.single, 4u);
}

struct Row {
  std::string name;
  std::function<Model()> model;
  std::uint64_t naive, states, edges, terminal;
  std::optional<std::uint64_t> single;
  std::uint64_t violating;
};

std::vector<Row> table() {
  using namespace reference;
  return {
      {"Register(3)", [] { return storage::model(3); }, 1848, 808, 1848, 102, 144, 0},
      {"Register(3), wrong", [] { return storage::model(3, "wrong_regularity"); }, 1848, 808, 1848, 102, 144, 51},
      {"Register(4)", [] { return storage::model(4); }, 6990, 2362, 6990, 180, 260, 0},
      {"Register(4), wrong", [] { return storage::model(4, "wrong_regularity"); }, 6990, 2362, 6990, 180, 260, 92},
      {"Register(5)", [] { return storage::model(5); }, 127066, 35350, 127066, 2190, 5780, 0},
      {"Register(5), wrong", [] { return storage::model(5, "wrong_regularity"); }, 127066, 35350, 127066, 2190, 5780,
       3130},
      {"Paxos(1,3,1)", [] { return paxos::model(1, 3); }, 221, 120, 220, 18, 25, 0},
      {"Paxos(2,2,1)", [] { return paxos::model(2, 2); }, 316, 168, 316, 7, 46, 0},
      {"Paxos(2,3,1)", [] { return paxos::model(2, 3); }, 124665, 38455, 125409, 972, 3699, 0},
      {"Faulty Paxos I (2,3,1)", [] { return paxos::model(2, 3, "accepts_all"); }, 126178, 38178, 126500, 963, {}, 584},
      {"Faulty Paxos II (2,3,1)",
       [] { return paxos::model(2, 3, "remembers_last"); },
       132985,
       41263,
       133801,
       1086,
       {},
       0},
  };
}

TEST(AuxiliarySearch, SlowReferenceCounts) {
  for (const Row& row : table()) {
    SCOPED_TRACE(row.name);
    const Counts naive = count(*actors(row.model(), false), depth_first());
    EXPECT_EQ(naive.states, row.naive);
    const Counts sh = count(*actors(row.model(), true), depth_first());
    EXPECT_EQ(sh.states, row.states);
    EXPECT_EQ(sh.edges, row.edges);
    EXPECT_EQ(sh.terminal, row.terminal);
    if (row.single) {
      EXPECT_EQ(sh.single, *row.single);
    }
    EXPECT_EQ(sh.violating, row.violating);
    // A breadth-first search finds the same states.
    SearchOptions breadth_first;
    breadth_first.stop_at_violation = false;
    EXPECT_EQ(search(*actors(row.model(), true), breadth_first).counters.states, row.states);
  }
}

// The canonicalizer of a system that keeps auxiliary data explores the same quotient as the door that never keeps it.
TEST(AuxiliarySearch, BothWaysOfForgettingAgree) {
  for (const Row& row : table()) {
    if (row.states > 5000) continue;
    SCOPED_TRACE(row.name);
    const System full = actors(row.model(), false);
    for (const bool spos : {false, true}) {
      const Counts c = count(*full, forgetting(*full, depth_first(spos)));
      EXPECT_EQ(c.states, row.states);
      EXPECT_EQ(c.edges, row.edges);
      EXPECT_EQ(c.terminal, row.terminal);
    }
  }
}

TEST(AuxiliarySearch, SlowEverySearchGivesTheSameVerdict) {
  std::vector<std::pair<std::string, std::function<Model()>>> models;
  for (const Row& row : table()) models.emplace_back(row.name, row.model);
  models.emplace_back("Zab(1,3)", [] { return reference::zab::model(1, 3); });
  models.emplace_back("Zab(3,3)", [] { return reference::zab::model(3, 3); });
  for (const auto& [name, model] : models) {
    SCOPED_TRACE(name);
    const System full = actors(model(), false), forgetful = actors(model(), true);
    const SearchResult stateful = search(*full, depth_first(false));
    const SearchResult sh = search(*forgetful, depth_first(false));
    const SearchResult sh_spos = search(*forgetful, depth_first(true));
    EXPECT_NE(stateful.verdict, Verdict::Unknown);
    EXPECT_EQ(sh.verdict, stateful.verdict);
    EXPECT_EQ(sh_spos.verdict, stateful.verdict);
    EXPECT_EQ(sh.counters.states, sh_spos.counters.states);
    EXPECT_LE(sh.counters.states, stateful.counters.states);
    for (const unsigned threads : {2u, 3u}) {
      SearchOptions o = depth_first(true);
      o.threads = threads;
      const SearchResult r = search(*forgetful, o);
      EXPECT_EQ(r.verdict, stateful.verdict);
      EXPECT_EQ(r.counters.states, sh.counters.states);
      EXPECT_EQ(r.counters.transitions, sh.counters.transitions);
      EXPECT_EQ(r.counters.deadlocks, sh.counters.deadlocks);
    }
    // A stateless search that does not end soon enough must say that it knows nothing.
    SearchOptions stateless = depth_first(true);
    stateless.store = SearchOptions::Store::None;
    stateless.limits.seconds = 0.3;
    const SearchResult r = search(*forgetful, stateless);
    EXPECT_EQ(r.counters.states, 0u);
    EXPECT_GT(r.counters.nodes, 0u);
    if (r.complete) {
      EXPECT_EQ(r.verdict, stateful.verdict);
      EXPECT_GE(r.counters.nodes, sh.counters.states);
    } else if (stateful.verdict == Verdict::Holds) {
      EXPECT_EQ(r.verdict, Verdict::Unknown);
    }
  }
}

TEST(AuxiliarySearch, StatelessSearchWalksEveryRun) {
  SearchOptions o = depth_first();
  o.store = SearchOptions::Store::None;
  // One run passes s5 and one s6: they share 1 + 1 + 1 nodes, then have 3 and 2 more.
  const GraphSystem system = motivating_example();
  const SearchResult r = search(system, o);
  EXPECT_TRUE(r.complete);
  EXPECT_EQ(r.counters.nodes, 8u);
  EXPECT_EQ(r.counters.deadlocks, 2u);
  o.selective_push = true;
  EXPECT_EQ(search(system, o).counters.nodes, 8u);
  // On a cycle it ends by its budget, with and without frames.
  const GraphSystem cycle({{0, 1}, {1, 0}});
  for (const bool spos : {false, true}) {
    o.selective_push = spos;
    o.limits.depth = 100;
    EXPECT_EQ(search(cycle, o).verdict, Verdict::Unknown);
    o.limits = {};
    o.limits.seconds = 0.05;
    o.limits.bytes = std::size_t{1} << 30;
    EXPECT_EQ(search(cycle, o).verdict, Verdict::Unknown);
  }
  o.order = SearchOptions::Order::BreadthFirst;
  EXPECT_THROW(search(cycle, o), ModelError);
}

TEST(AuxiliarySearch, HeadlineReductions) {
  const auto saved = [](const Row& row) {
    return 1 - static_cast<double>(row.states) / static_cast<double>(row.naive);
  };
  for (const Row& row : table()) {
    if (row.name == "Paxos(2,3,1)") {
      EXPECT_GE(saved(row), 0.57);
    }
    if (row.name.starts_with("Register")) {
      EXPECT_GE(saved(row), 0.33);
    }
  }
}

TEST(AuxiliarySearch, SelectivePushOnStack) {
  for (const Row& row : table()) {
    SCOPED_TRACE(row.name);
    const System forgetful = actors(row.model(), true);
    const Counts all = count(*forgetful, depth_first(false)), selective = count(*forgetful, depth_first(true));
    EXPECT_EQ(all.pushes, all.states);
    EXPECT_EQ(selective.states, all.states);
    EXPECT_EQ(selective.edges, all.edges);
    EXPECT_EQ(selective.pushes, all.states - all.single - all.terminal);
  }
  const System naive = actors(reference::paxos::model(2, 3), false), sh = actors(reference::paxos::model(2, 3), true);
  const Counts naive_all = count(*naive, depth_first(false)), naive_spos = count(*naive, depth_first(true));
  const Counts sh_all = count(*sh, depth_first(false)), sh_spos = count(*sh, depth_first(true));
  EXPECT_EQ(naive_all.pushes, 124665u);
  EXPECT_EQ(naive_spos.pushes, 105000u);
  EXPECT_EQ(sh_all.pushes, 38455u);
  EXPECT_EQ(sh_spos.pushes, 33784u);
  EXPECT_EQ(sh_all.stack, 19u);
  EXPECT_EQ(sh_spos.stack, 18u);
}

// Checks the verdict. Every counterexample of the search without auxiliary data is found again with that data and
// ends in a state that violates the property.
void expect_verdict(const std::string& name, const std::function<Model()>& model, Verdict verdict,
                    bool selective_push) {
  SCOPED_TRACE(name);
  const System full = actors(model(), false), forgetful = actors(model(), true);
  SearchOptions o = depth_first(selective_push);
  o.stop_at_violation = true;
  const SearchResult r = search(*forgetful, o);
  ASSERT_EQ(r.verdict, verdict);
  for (const Finding& f : r.violations) {
    const auto path = recall_finding(*full, *forgetful, f);
    ASSERT_TRUE(path.has_value());
    EXPECT_EQ(path->steps.size(), f.path.steps.size());
    const auto states = follow(*full, *path);
    ASSERT_TRUE(states.has_value());
    EXPECT_EQ(full->evaluate(states->back()) >> f.property & 1, 0u);
    // The auxiliary data is there: some step has consumed a message.
    bool recorded = false;
    for (const SlotVector& state : *states) {
      for (const trace::Field& field : full->describer().describe_state(state)) {
        recorded |= field.name == "ghost" && field.value.find("\"type\":") != std::string::npos;
      }
    }
    if (!path->steps.empty() && name.find("Zab") == std::string::npos) {
      EXPECT_TRUE(recorded);
    }
  }
}

TEST(AuxiliarySearch, VerdictsAndCounterexamples) {
  using namespace reference;
  for (const bool spos : {false, true}) {
    expect_verdict("Paxos", [] { return paxos::model(2, 3); }, Verdict::Holds, spos);
    expect_verdict("Faulty Paxos I", [] { return paxos::model(2, 3, "accepts_all"); }, Verdict::Violated, spos);
    expect_verdict("Faulty Paxos II", [] { return paxos::model(2, 3, "remembers_last"); }, Verdict::Holds, spos);
    for (const int n : {3, 4, 5}) {
      expect_verdict("Register", [=] { return storage::model(n); }, Verdict::Holds, spos);
      expect_verdict("wrong Register", [=] { return storage::model(n, "wrong_regularity"); }, Verdict::Violated, spos);
    }
    expect_verdict("Zab", [] { return zab::model(3, 3); }, Verdict::Violated, spos);
    expect_verdict("Zab", [] { return zab::model(4, 3); }, Verdict::Violated, spos);
    // With one leader everybody picks it, and the transaction gets through.
    expect_verdict("Zab", [] { return zab::model(1, 3); }, Verdict::Holds, spos);
  }
}

// Faulty Paxos II needs three proposers. The search for its violation takes long, so the run is written down here.
TEST(AuxiliarySearch, FaultyPaxosTwoWithThreeProposers) {
  const System full = actors(reference::paxos::model(3, 3, "remembers_last"), false);
  const System forgetful = actors(reference::paxos::model(3, 3, "remembers_last"), true);
  struct Wanted {
    std::string name;         // of the transition
    std::string consumes;     // the type recorded in `last`
    std::set<int> acceptors;  // as recorded, from 1
    std::optional<int> number;
  };
  const std::vector<Wanted> script{
      {"proposer 1.start", "", {}, {}},        {"proposer 2.start", "", {}, {}},
      {"proposer 3.start", "", {}, {}},        {"acceptor 1.promise", "1a", {1}, 1},
      {"acceptor 2.promise", "1a", {2}, 1},    {"proposer 1.propose", "1b", {1, 2}, 1},
      {"acceptor 2.promise", "1a", {2}, 2},    {"acceptor 3.promise", "1a", {3}, 2},
      {"proposer 2.propose", "1b", {2, 3}, 2}, {"acceptor 1.accept", "2a", {1}, 2},
      {"acceptor 3.accept", "2a", {3}, 2},     {"learner.learn", "L", {1, 3}, 2},
      {"acceptor 1.accept", "2a", {1}, 1},     {"acceptor 1.promise", "1a", {1}, 3},
      {"acceptor 2.promise", "1a", {2}, 3},    {"proposer 3.propose", "1b", {1, 2}, 3},
      {"acceptor 1.accept", "2a", {1}, 3},     {"acceptor 2.accept", "2a", {2}, 3},
      {"learner.learn", "L", {1, 2}, 3},
  };
  Path path;
  SlotVector state = full->initial_states()[0];
  StepBuffer steps;
  for (const Wanted& wanted : script) {
    steps.clear();
    full->expand(state, steps);
    bool found = false;
    for (std::size_t i = 0; i < steps.size() && !found; ++i) {
      if (full->transition_name(steps.step(i).transition) != wanted.name) continue;
      SlotVector next = apply_changes(state, steps.changes(i));
      std::string last;
      for (const trace::Field& f : full->describer().describe_state(next)) {
        if (f.name == "ghost") last = f.value;
      }
      bool matches = true;
      for (int a = 1; a <= 3; ++a) {
        const bool there = last.find("\"acceptor " + std::to_string(a) + "\"") != std::string::npos;
        matches &= there == wanted.acceptors.contains(a);
      }
      if (wanted.number) matches &= last.find("\"number\":" + std::to_string(*wanted.number)) != std::string::npos;
      if (!wanted.consumes.empty()) {
        matches &= last.find("\"type\":\"" + wanted.consumes + "\"") != std::string::npos;
      }
      if (!matches) continue;
      found = true;
      path.steps.push_back(steps.step(i));
      state = next;
    }
    ASSERT_TRUE(found) << wanted.name << " after " << path.steps.size() << " steps";
  }
  EXPECT_EQ(full->evaluate(state) & 1, 0u);
  EXPECT_TRUE(follow(*full, path).has_value());
  // The system without auxiliary data has this run, and its run is recalled with the same states.
  const SlotVector initial = forgetful->initial_states()[0];
  Path forgotten;
  state = initial;
  const auto target = [&](SlotVector s) {
    full->forgetting()->forget_auxiliary(s);
    std::string text;
    for (const trace::Field& f : full->describer().describe_state(s)) text += f.name + f.value;
    return text;
  };
  const auto text = [&](const SlotVector& s) {
    std::string out;
    for (const trace::Field& f : forgetful->describer().describe_state(s)) out += f.name + f.value;
    return out;
  };
  const auto states = follow(*full, path);
  for (std::size_t n = 0; n < path.steps.size(); ++n) {
    steps.clear();
    forgetful->expand(state, steps);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const SlotVector next = apply_changes(state, steps.changes(i));
      if (text(next) != target((*states)[n + 1])) continue;
      forgotten.steps.push_back(steps.step(i));
      state = next;
      break;
    }
    ASSERT_EQ(forgotten.steps.size(), n + 1);
  }
  EXPECT_EQ(forgetful->evaluate(state) & 1, 0u);
  const auto recalled = recall_auxiliary(*full, *forgetful, forgotten);
  ASSERT_TRUE(recalled.has_value());
  EXPECT_EQ(full->evaluate(follow(*full, *recalled)->back()) & 1, 0u);
}

// With partial order reduction the verdicts agree, and leaving out auxiliary data never adds states.
TEST(AuxiliarySearch, WithPartialOrderReduction) {
  const std::vector<std::function<Model()>> models{
      [] { return reference::paxos::model(1, 3); }, [] { return reference::paxos::model(2, 2); },
      [] { return reference::paxos::model(2, 3); }, [] { return reference::storage::model(3); },
      [] { return reference::storage::model(4); }};
  for (const auto& model : models) {
    const auto run = [&](bool forget, bool reduce) {
      return checked(model(), with_plan({.partial_order = reduce, .auxiliary = forget}));
    };
    const run::CheckResult plain = run(false, false), por = run(false, true), both = run(true, true);
    EXPECT_EQ(por.verdict, plain.verdict);
    EXPECT_EQ(both.verdict, plain.verdict);
    EXPECT_LE(por.counters.states, plain.counters.states);
    EXPECT_LE(both.counters.states, por.counters.states);
  }
}

}  // namespace
}  // namespace heddle::auxiliary_search_test
