// Compares the three stateless searches with the full search, with each other, and with a count of traces by brute
// force.
#include "stateless/dpor.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "actor/actor_system.h"
#include "actor/random_run.h"
#include "brute_force.h"
#include "heddle/heddle.h"
#include "net/load_net.h"
#include "stateless/optimal_dpor.h"
#include "stateless/source_dpor.h"

namespace heddle::dpor_test {
namespace {

using Parameters = std::map<std::string, std::string>;
using Search = StatelessResult (*)(const TransitionSystem&, const StatelessOptions&);
constexpr struct {
  const char* name;
  Search run;
} searches[] = {{"dpor", dpor}, {"source", source_dpor}, {"optimal", optimal_dpor}};

std::unique_ptr<TransitionSystem> library_system(const std::string& name, const Parameters& parameters,
                                                 const std::string& bug = "") {
  return make_actor_system(Model(*find_model(name), parameters, bug));
}

struct Answer {
  Verdict verdict = Verdict::Unknown;
  std::set<SlotVector> deadlocks;
  std::set<std::size_t> violated, reached;
  bool operator==(const Answer&) const = default;
};

template <class Result>
void note(const TransitionSystem& system, const Result& result, Answer& answer) {
  answer.verdict = result.verdict;
  const auto look = [&](const std::vector<Finding>& findings, bool truth, std::set<std::size_t>& out) {
    for (const Finding& f : findings) {
      out.insert(f.property);
      const auto states = follow(system, f.path);
      ASSERT_TRUE(states.has_value()) << "the path of a finding does not replay";
      EXPECT_EQ((system.evaluate(states->back()) >> f.property & 1) != 0, truth);
    }
  };
  look(result.violations, false, answer.violated);
  look(result.witnesses, true, answer.reached);
}

Answer ask_full(const TransitionSystem& system) {
  Answer answer;
  SearchOptions o;
  o.stop_at_violation = false;
  o.on_deadlock = [&](std::span<const Slot> s) { answer.deadlocks.emplace(s.begin(), s.end()); };
  note(system, search(system, o), answer);
  return answer;
}

Answer ask(const TransitionSystem& system, Search run, StatelessOptions o, StatelessResult* counts = nullptr) {
  Answer answer;
  o.stop_at_violation = false;
  o.on_deadlock = [&](std::span<const Slot> s) { answer.deadlocks.emplace(s.begin(), s.end()); };
  const StatelessResult r = run(system, o);
  note(system, r, answer);
  if (counts != nullptr) *counts = r;
  return answer;
}

// Priorities: completing steps come last; all others come in the order of processes.
int completing_last(const TransitionSystem& system, std::uint32_t transition) {
  const std::string name = system.transition_name(transition);
  return name.ends_with(".end") || name.ends_with(".learn") ? 0 : 1;
}

// --- Counts.

struct Count {
  const char* model;
  Parameters parameters;
  bool visible_completions;
  std::uint64_t dpor, source, optimal;  // nodes
  std::uint64_t traces;
};

// All are own counts; an independent prototype confirms the nodes of dpor.
TEST(StatelessSearches, VisitAsManyNodesAsExpected) {
  const Count counts[] = {{"paxos", {{"proposers", "1"}}, false, 151, 51, 53, 18},
                          {"paxos", {{"acceptors", "2"}}, false, 71, 54, 56, 8},
                          {"paxos", {}, false, 307420, 7406, 9359, 3555},
                          {"storage", {{"monitor", "no"}}, false, 127, 195, 173, 72},
                          {"storage", {{"monitor", "no"}}, true, 223, 315, 252, 144}};
  for (const Count& c : counts) {
    const auto system = library_system(c.model, c.parameters);
    StatelessOptions o;
    o.properties = false;
    o.priority = [&](std::uint32_t t) { return completing_last(*system, t); };
    if (c.visible_completions) o.visible = [&](std::uint32_t t) { return completing_last(*system, t) == 0; };
    const std::set<SlotVector> deadlocks = ask_full(*system).deadlocks;
    for (const auto& [name, run] : searches) {
      StatelessResult r;
      EXPECT_EQ(ask(*system, run, o, &r).deadlocks, deadlocks) << name;
      EXPECT_EQ(r.nodes, run == dpor ? c.dpor : run == source_dpor ? c.source : c.optimal) << name;
      if (run != dpor) {
        EXPECT_EQ(r.executions, c.traces) << name;
      }
      if (run == optimal_dpor) {
        EXPECT_EQ(r.blocked, 0u);
      }
    }
  }
}

TEST(StatelessSearches, FindTheBugsOfPaxosAndStorage) {
  const struct {
    const char *model, *bug;
    Parameters parameters;
  } bugs[] = {{"paxos", "accept_always", {{"acceptors", "1"}}},
              {"paxos", "wrong_safety", {{"learners", "0"}}},
              {"paxos", "learner_ignores_agreement", {}},
              {"storage", "wrong_regularity", {{"objects", "1"}}},
              {"storage", "one_answer", {}}};
  for (const auto& b : bugs) {
    const auto system = library_system(b.model, b.parameters, b.bug);
    for (const auto& [name, run] : searches) {
      const StatelessResult r = run(*system, {});
      EXPECT_EQ(r.verdict, Verdict::Violated) << b.bug << " " << name;
      ASSERT_EQ(r.violations.size(), 1u);
      const auto states = follow(*system, r.violations[0].path);
      ASSERT_TRUE(states.has_value());
      EXPECT_EQ(system->evaluate(states->back()) >> r.violations[0].property & 1, 0u);
    }
  }
}

// --- Models made for one case each.

// Independent processes that a property looks at together: it is false only in the middle.
struct Walker {
  int at = 0;
  void walk() {
    require(at < 2);
    ++at;
  }
  static constexpr auto transitions = heddle::transitions<&Walker::walk>;
};

// A sender of equal messages, and a receiver that counts them up to a limit.
struct Counter;
struct Tick {};
struct Ticker {
  int left = 2;
  void tick(To<Counter, Tick> out) {
    require(left > 0);
    --left;
    out.send({});
  }
  static constexpr auto transitions = heddle::transitions<&Ticker::tick>;
};
struct Counter {
  int count = 0;
  bool closed = false;
  void take(const Tick&) {
    require(!closed);
    ++count;
  }
  void close() {
    require(!closed);
    closed = true;
  }
  static constexpr auto transitions = heddle::transitions<&Counter::take, &Counter::close>;
};

// A process that never stops.
struct Spinner {
  bool on = false;
  void flip() { on = !on; }
  static constexpr auto transitions = heddle::transitions<&Spinner::flip>;
};

// Callers that never stop, and who answers them. Every event has long pasts of other processes.
struct Answerer;
struct Call {};
struct Answered {};
struct Caller {
  bool waits = false;
  void call(To<Answerer, Call> out) {
    require(!waits);
    waits = true;
    out.send({});
  }
  void hear(const Answered&) { waits = false; }
  static constexpr auto transitions = heddle::transitions<&Caller::call, &Caller::hear>;
};
struct Answerer {
  Id<Caller> latest;
  void answer(const From<Call, Caller>& call, Reply<Answered> out) {
    latest = call.sender;
    out.send({});
  }
  static constexpr auto transitions = heddle::transitions<&Answerer::answer>;
};

std::unique_ptr<TransitionSystem> make(void (*build)(Model&)) {
  return make_actor_system(Model(Definition{.name = "test", .summary = "", .build = build}));
}

TEST(StatelessSearches, SeeWhatIsTrueForAMomentOnly) {
  const auto system = make([](Model& m) {
    m.add<Walker>(2);
    m.always("never both in the middle", [](const View& v) {
      int middle = 0;
      for (const Walker& w : v.all<Walker>()) middle += w.at == 1 ? 1 : 0;
      return middle < 2;
    });
  });
  for (const auto& [name, run] : searches) EXPECT_EQ(run(*system, {}).verdict, Verdict::Violated) << name;
}

TEST(StatelessSearches, CountEqualMessages) {
  const auto system = make([](Model& m) {
    m.add<Ticker>();
    m.add<Counter>();
  });
  const Answer full = ask_full(*system);
  EXPECT_EQ(full.deadlocks.size(), 3u);
  for (const auto& [name, run] : searches) EXPECT_EQ(ask(*system, run, {}), full) << name;
}

TEST(StatelessSearches, GiveUpOnCycles) {
  const auto system = make([](Model& m) { m.add<Spinner>(2); });
  for (const auto& [name, run] : searches) {
    StatelessOptions o;
    o.limits.depth = 50;
    const StatelessResult r = run(*system, o);
    EXPECT_EQ(r.verdict, Verdict::Unknown) << name;
    EXPECT_NE(r.stopped_by.find("cycles"), std::string::npos) << r.stopped_by;
    EXPECT_LE(r.nodes, 60u) << name;
  }
}

// The time limit of this test fails if an event costs time for each pair of earlier events.
TEST(StatelessSearches, WalkLongRunsInTimeThatGrowsWithTheirLength) {
  const auto system = make([](Model& m) {
    m.add<Caller>(3);
    m.add<Answerer>();
    m.always("somebody waits or nobody", [](const View& v) {
      int waiting = 0;
      for (const Caller& c : v.all<Caller>()) waiting += c.waits ? 1 : 0;
      return waiting <= 3;
    });
  });
  for (const auto& [name, run] : searches) {
    StatelessOptions o;
    o.limits.depth = 10'000;
    o.limits.seconds = 100;
    EXPECT_NE(run(*system, o).stopped_by.find("a run of 10000 steps"), std::string::npos) << name;
  }
}

TEST(StatelessSearches, LookAtTheTimeEveryFewNodes) {
  const auto system = make([](Model& m) { m.add<Spinner>(2); });
  for (const auto& [name, run] : searches) {
    StatelessOptions o;
    o.limits.seconds = 0;
    const StatelessResult r = run(*system, o);
    EXPECT_NE(r.stopped_by.find("time limit"), std::string::npos) << name << ": " << r.stopped_by;
    EXPECT_LE(r.nodes, 64u) << name;
  }
}

TEST(StatelessSearches, StopWhenTimeIsUp) {
  const auto system = library_system("paxos", {{"proposers", "3"}});
  for (const auto& [name, run] : searches) {
    StatelessOptions o;
    o.limits.seconds = 0.05;
    const StatelessResult r = run(*system, o);
    EXPECT_EQ(r.verdict, Verdict::Unknown) << name;
    EXPECT_FALSE(r.complete);
    EXPECT_NE(r.stopped_by.find("time limit"), std::string::npos) << name << ": " << r.stopped_by;
  }
}

// A net has no processes: its transitions are events by footprints alone.
TEST(StatelessSearches, KeepTheDeadlocksOfANet) {
  const auto system = net::load_net(std::filesystem::path(HEDDLE_SOURCE_DIR) / "examples/nets/seed.net");
  const Answer full = ask_full(*system);
  EXPECT_EQ(full.deadlocks.size(), 2u);
  for (const auto& [name, run] : searches) EXPECT_EQ(ask(*system, run, {}), full) << name;
}

// --- Random models.

using random_model::Configuration;
using random_model::make;

// Every message is consumed once and the number of sends is bounded, so there are no cycles.
Configuration random_configuration() {
  Configuration c{
      .seed = *rc::gen::inRange(0l, 1'000'000l), .nodes = *rc::gen::inRange(1, 4), .hubs = *rc::gen::inRange(1, 3)};
  c.network.order = *rc::gen::element(Network::Order::Multiset, Network::Order::Multiset, Network::Order::Fifo);
  if (c.network.order == Network::Order::Multiset) {
    c.network.traffic =
        *rc::gen::element(Network::Traffic::M, Network::Traffic::M, Network::Traffic::M, Network::Traffic::GRM);
  }
  c.own = *rc::gen::inRange(0, 2);
  switch (*rc::gen::inRange(0, 10)) {
    case 0:
      c.network.losses = 1;
      break;
    case 1:
      c.network.duplications = 1;
      break;
    case 2:
      c.network.capacity = 1;
      if (c.network.order == Network::Order::Fifo) {
        c.network.when_full = *rc::gen::element(Network::WhenFull::Block, Network::WhenFull::Overwrite);
      }
      break;
    case 3:
      c.faults.crashes = 1;
      c.together = *rc::gen::inRange(0, 2);
      break;
    case 4:
      c.network.partitions = c.nodes + c.hubs <= 3 ? 1 : 0;
      break;
    default:
      break;
  }
  return c;
}

// Returns how many nodes the tree of all runs has; discards the case unless they are fewer than `most`.
double small_tree(const TransitionSystem& system, double most) {
  SearchOptions small;
  small.limits.seconds = 1;
  small.stop_at_violation = false;
  const SearchResult size = search(system, small);
  RC_PRE(size.complete && size.counters.states < 1000);
  const double tree = BruteForce(system).tree();
  RC_PRE(tree < most);
  return tree;
}

// A protocol in which an event sleeps, is woken by a visible one, and only then has to be tried in place of another.
TEST(StatelessSearches, TryWhatHasWokenUp) {
  const auto system = make({.seed = 101'381, .nodes = 2, .hubs = 1});
  StatelessOptions o;
  o.stop_at_violation = false;
  EXPECT_EQ(source_dpor(*system, o).executions, 220u);
  EXPECT_EQ(optimal_dpor(*system, o).executions, 220u);
}

RC_GTEST_PROP(StatelessSearches, SlowKeepDeadlocksAndVerdicts, ()) {
  const Configuration c = random_configuration();
  const auto system = make(c);
  const double tree = small_tree(*system, 30'000);
  const Answer full = ask_full(*system);
  for (const auto& [name, run] : searches) {
    StatelessResult r;
    RC_ASSERT(ask(*system, run, {}, &r) == full);
    RC_ASSERT(r.complete);
    RC_ASSERT(static_cast<double>(r.nodes) <= tree);
    StatelessOptions blind;
    blind.properties = false;
    RC_ASSERT(ask(*system, run, blind, &r).deadlocks == full.deadlocks);
  }
}

// If no step may disable steps of other processes, every trace is explored exactly once.
RC_GTEST_PROP(StatelessSearches, SlowOptimalExploresEveryTraceOnce, ()) {
  Configuration c = random_configuration();
  c.network.losses = c.network.duplications = c.network.partitions = 0;
  c.network.capacity = 0;
  c.network.when_full = Network::WhenFull::Block;
  c.faults = {};
  const auto system = make(c);
  const double tree = small_tree(*system, 5'000);
  StatelessOptions o;
  o.stop_at_violation = false;
  const StatelessResult optimal = optimal_dpor(*system, o);
  const StatelessResult source = source_dpor(*system, o);
  RC_ASSERT(optimal.blocked == 0u);
  RC_ASSERT(optimal.executions == BruteForce(*system).traces());
  RC_ASSERT(source.executions == optimal.executions);
  RC_ASSERT(static_cast<double>(source.nodes) <= tree);
}

}  // namespace
}  // namespace heddle::dpor_test
