// Tests the audit of auxiliary data on random graphs, and on data that is not auxiliary.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "actor/actor_system.h"
#include "core/facets/forgetting.h"
#include "explore/search.h"
#include "heddle/heddle.h"
#include "reduce/audit_auxiliary.h"
#include "reduce/auxiliary.h"
#include "reduce/graph_system.h"
#include "reduce/reference_models.h"

namespace heddle::audit_auxiliary_test {
namespace {

using Kind = AuxiliaryAudit::Kind;

std::vector<GraphEdge> random_graph(std::mt19937_64& random) {
  const auto nodes = static_cast<std::uint32_t>(2 + random() % 9);
  std::vector<GraphEdge> edges;
  for (std::uint32_t n = 0; n < nodes; ++n) {
    for (std::uint64_t k = random() % 4; k > 0; --k) {
      edges.push_back({.from = n,
                       .to = static_cast<std::uint32_t>(random() % nodes),
                       .auxiliary = static_cast<std::uint32_t>(random() % 4),
                       .adds = random() % 2 == 0});
    }
  }
  return edges;
}

std::set<std::uint32_t> reachable(const std::vector<GraphEdge>& edges) {
  std::set<std::uint32_t> seen{0};
  for (bool grew = true; grew;) {
    grew = false;
    for (const GraphEdge& e : edges) grew |= seen.contains(e.from) && seen.insert(e.to).second;
  }
  return seen;
}

std::set<std::uint32_t> explored(const TransitionSystem& system, SearchOptions options,
                                 SearchResult* result = nullptr) {
  std::set<std::uint32_t> nodes;
  options.order = SearchOptions::Order::DepthFirst;
  options.on_state = [&](std::span<const Slot> state) { nodes.insert(state[0] - 1); };
  const SearchResult r = search(system, options);
  if (result != nullptr) *result = r;
  return nodes;
}

// The algorithm as printed in Saissi's thesis (2019), or with its main repair. In print, a branching state is popped
// when the search comes back to it for the first time; repaired, when all its edges have been taken.
std::set<std::uint32_t> by_the_book(const std::vector<GraphEdge>& edges, bool pop_at_first_backtrack) {
  struct Frame {
    std::uint32_t node;
    std::size_t next;
  };
  const auto out = [&](std::uint32_t node) {
    std::vector<std::uint32_t> to;
    for (const GraphEdge& e : edges) {
      if (e.from == node) to.push_back(e.to);
    }
    return to;
  };
  std::set<std::uint32_t> reached{0};
  std::vector<Frame> stack{{0, 0}};
  while (!stack.empty()) {
    Frame& top = stack.back();
    const auto to = out(top.node);
    if (top.next == to.size()) {
      stack.pop_back();
      continue;
    }
    const bool first_visit = top.next == 0;
    const std::uint32_t node = to[top.next++];
    if (!reached.insert(node).second) continue;
    if (pop_at_first_backtrack && !first_visit) stack.pop_back();
    stack.push_back({node, 0});
  }
  return reached;
}

TEST(AuditAuxiliary, SlowRandomGraphsAreExploredInFull) {
  std::mt19937_64 random(20190131);
  unsigned book_misses = 0;
  for (int i = 0; i < 3200; ++i) {
    const std::vector<GraphEdge> edges = random_graph(random);
    const GraphSystem system(edges);
    const auto all = reachable(edges);
    EXPECT_EQ(by_the_book(edges, false), all);
    book_misses += by_the_book(edges, true) != all;
    for (const bool hashing : {false, true}) {
      for (const bool push : {false, true}) {
        SearchOptions o;
        o.selective_push = push;
        o.tree_compression = i % 2 == 0;
        if (hashing) o.canonicalizer = [&] { return std::make_unique<ForgetAuxiliary>(system); };
        SearchResult r;
        ASSERT_EQ(explored(system, o, &r), all) << "graph " << i;
        if (!hashing) continue;
        ASSERT_EQ(r.counters.states, all.size());
        std::uint64_t branching = 0;
        for (const std::uint32_t n : all) {
          branching += std::count_if(edges.begin(), edges.end(), [&](const GraphEdge& e) { return e.from == n; }) > 1;
        }
        EXPECT_EQ(r.counters.pushes, push ? branching : all.size());
        // Threads share the visited set.
        if (i % 16 != 0) continue;
        o.threads = 2;
        o.order = SearchOptions::Order::DepthFirst;
        EXPECT_EQ(search(system, o).counters.states, all.size());
      }
    }
  }
  EXPECT_GT(book_misses, 100u) << "the broken variant ought to fail";
}

// A violation of a random graph is reported with a path of the system that keeps auxiliary data.
TEST(AuditAuxiliary, PathsThroughSkippedStatesAreRuns) {
  std::mt19937_64 random(7);
  unsigned violated = 0;
  for (int i = 0; i < 500; ++i) {
    const std::vector<GraphEdge> edges = random_graph(random);
    const auto bad = static_cast<std::uint32_t>(random() % 10);
    const GraphSystem system(edges, [bad](std::uint32_t node) { return node != bad; });
    for (const bool hashing : {false, true}) {
      SearchOptions o;
      o.selective_push = true;
      if (hashing) o.canonicalizer = [&] { return std::make_unique<ForgetAuxiliary>(system); };
      SearchResult r;
      explored(system, o, &r);
      ASSERT_EQ(r.violations.size(), reachable(edges).count(bad));
      for (const Finding& f : r.violations) {
        ++violated;
        const auto states = follow(system, f.path);
        ASSERT_TRUE(states.has_value());
        EXPECT_EQ(states->back()[0], bad + 1);
        EXPECT_LT(states->back()[1], 10u) << "not a state with auxiliary data";
      }
    }
  }
  EXPECT_GT(violated, 100u);
}

TEST(AuditAuxiliary, FullAuditProvesRandomGraphsSound) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 300; ++i) {
    const auto edges = random_graph(random);
    for (const Kind kind : {Kind::Full, Kind::Shallow}) {
      const AuxiliaryAudit r = audit_auxiliary(GraphSystem(edges), kind);
      EXPECT_FALSE(r.mismatch.has_value()) << r.mismatch->text;
      EXPECT_TRUE(r.complete);
      EXPECT_EQ(r.classes, reachable(edges).size());
      EXPECT_EQ(r.proves(), kind == Kind::Full);
    }
  }
}

// Random guards read auxiliary data. If the search without auxiliary data misses a state, the full audit says so.
TEST(AuditAuxiliary, FullAuditFindsWhatTheSearchMisses) {
  std::mt19937_64 random(11);
  unsigned missed = 0, caught = 0, two_runs = 0;
  for (int i = 0; i < 1000; ++i) {
    auto edges = random_graph(random);
    for (GraphEdge& e : edges) {
      if (random() % 4 == 0) e.only_if = static_cast<std::uint32_t>(random() % 4);
    }
    const GraphSystem system(edges);
    SearchOptions o;
    const auto all = explored(system, o);
    o.canonicalizer = [&] { return std::make_unique<ForgetAuxiliary>(system); };
    const AuxiliaryAudit r = audit_auxiliary(system, Kind::Full);
    caught += r.mismatch.has_value();
    const bool misses = explored(system, o) != all;
    missed += misses;
    EXPECT_TRUE(r.mismatch.has_value() || !misses) << "graph " << i;
    if (!r.mismatch) continue;
    // Both runs exist, and their ends are equal without auxiliary data.
    auto first = follow(system, r.mismatch->first), second = follow(system, r.mismatch->second);
    ASSERT_TRUE(first && second);
    two_runs += first->back() != second->back();
    system.forgetting()->forget_auxiliary(first->back());
    system.forgetting()->forget_auxiliary(second->back());
    EXPECT_EQ(first->back(), second->back());
  }
  EXPECT_GT(missed, 50u);
  EXPECT_GT(caught, missed);
  EXPECT_GT(two_runs, 50u);
}

TEST(AuditAuxiliary, ShallowAuditCanMissWhatFullFinds) {
  // There are two ways to node 1. Which one was taken matters only after the next step.
  const GraphSystem system({{.from = 0, .to = 1, .auxiliary = 1},
                            {.from = 0, .to = 1, .auxiliary = 2},
                            {.from = 1, .to = 2, .auxiliary = 0, .adds = true},
                            {.from = 2, .to = 3, .auxiliary = 0, .adds = true, .only_if = 2}});
  const AuxiliaryAudit shallow = audit_auxiliary(system, Kind::Shallow);
  EXPECT_FALSE(shallow.mismatch.has_value());
  EXPECT_FALSE(shallow.proves());
  EXPECT_NE(shallow.summary().find("shallow"), std::string::npos);
  const AuxiliaryAudit full = audit_auxiliary(system, Kind::Full);
  ASSERT_TRUE(full.mismatch.has_value());
  EXPECT_EQ(full.mismatch->difference, "2->3 is enabled after the second run only");
  EXPECT_EQ(full.mismatch->text,
            "something depends on auxiliary data: 2->3 is enabled after the second run only\n"
            "first run:\n  1. 0->1\n  2. 1->2\n"
            "second run:\n  1. 0->1\n  2. 1->2\n"
            "the states after them differ in auxiliary data only:\n  graph.auxiliary: 1 and 2\n");
}

TEST(AuditAuxiliary, BudgetsOfTheAudit) {
  const GraphSystem system({{.from = 0, .to = 1}, {.from = 1, .to = 2}});
  Limits limits;
  limits.depth = 1;
  const AuxiliaryAudit r = audit_auxiliary(system, Kind::Full, limits);
  EXPECT_FALSE(r.complete);
  EXPECT_FALSE(r.proves());
  EXPECT_NE(r.summary().find("depth"), std::string::npos);
}

// --- Actors.

// It reads its auxiliary data by the library's own back door: a model has no other way to do so.
struct Clerk {
  int state = 0;
  Auxiliary<int> last;

  void by_post() {
    require(state == 0);
    state = 1;
    last = 1;
  }
  void by_phone() {
    require(state == 0);
    state = 1;
    last = 2;
  }
  void answer() {
    require(state == 1 && detail::AuxiliaryAccess::raw(last).value_or(1) == 2);
    state = 2;
  }
  static constexpr auto transitions = heddle::transitions<&Clerk::by_post, &Clerk::by_phone, &Clerk::answer>;
};

template <class Build>
std::unique_ptr<TransitionSystem> actors(Build build, bool forget = false) {
  ActorOptions options;
  options.forget_auxiliary = forget;
  return make_actor_system(Model(Definition{.name = "test", .summary = "", .build = build}), options);
}

TEST(AuditAuxiliary, AGuardThatReadsAuxiliaryData) {
  const auto build = [](Model& m) {
    m.add<Clerk>();
    m.always("never answers", [](const View& v) { return v.all<Clerk>()[0].state < 2; });
  };
  const auto full = actors(build), forgetful = actors(build, true);
  EXPECT_EQ(search(*full).verdict, Verdict::Violated);
  EXPECT_EQ(search(*forgetful).verdict, Verdict::Holds) << "this is the harm that the audit is for";
  for (const Kind kind : {Kind::Full, Kind::Shallow}) {
    const AuxiliaryAudit r = audit_auxiliary(*full, kind);
    ASSERT_TRUE(r.mismatch.has_value());
    EXPECT_EQ(r.mismatch->difference, "clerk.answer is enabled after the second run only");
    EXPECT_NE(r.mismatch->text.find("1. clerk.by_post"), std::string::npos) << r.mismatch->text;
    EXPECT_NE(r.mismatch->text.find("1. clerk.by_phone"), std::string::npos) << r.mismatch->text;
    EXPECT_NE(r.mismatch->text.find("clerk.last: 1 and 2"), std::string::npos) << r.mismatch->text;
  }
}

struct Caller {
  int state = 0;
  Auxiliary<int> last;
  void call(Choice choose) {
    require(state == 0);
    state = 1;
    last = static_cast<int>(choose(2)) + 1;
  }
  static constexpr auto transitions = heddle::transitions<&Caller::call>;
};

TEST(AuditAuxiliary, APropertyThatReadsAuxiliaryData) {
  const auto build = [](Model& m) {
    m.add<Caller>();
    m.always("no phone",
             [](const View& v) { return detail::AuxiliaryAccess::raw(v.all<Caller>()[0].last).value_or(1) != 2; });
  };
  const AuxiliaryAudit r = audit_auxiliary(*actors(build), Kind::Full);
  ASSERT_TRUE(r.mismatch.has_value());
  EXPECT_EQ(r.mismatch->difference, "property 'no phone' is true after the first run and false after the second");
}

TEST(AuditAuxiliary, ReferenceModelsAreSound) {
  using namespace reference;
  const std::pair<Model, std::uint64_t> models[] = {
      {storage::model(3), 808}, {storage::model(4), 2362}, {paxos::model(1, 3), 120}, {paxos::model(2, 2), 168}};
  for (const auto& [model, classes] : models) {
    const auto system = make_actor_system(model);
    const AuxiliaryAudit full = audit_auxiliary(*system, Kind::Full);
    EXPECT_TRUE(full.proves()) << full.summary();
    EXPECT_EQ(full.classes, classes);
    const AuxiliaryAudit shallow = audit_auxiliary(*system, Kind::Shallow);
    EXPECT_FALSE(shallow.mismatch.has_value());
    EXPECT_EQ(shallow.classes, classes);
  }
}

// Fields that an author might not have marked: a sum of values, a remark in a message. The ballot is not a candidate,
// although it is constant, and neither is what the guard reads.
struct Listener;
struct Report {
  int value = 0;
  int remark = 0;
};
struct Reporter {
  int ballot = 7;
  int left = 2;
  void report(Choice choose, To<Listener, Report> out) {
    require(left > 0 && ballot == 7);
    --left;
    out.send({left, static_cast<int>(choose(2))});
  }
  static constexpr auto transitions = heddle::transitions<&Reporter::report>;
};
struct Listener {
  int sum = 0;
  int heard_last = 0;
  void hear(const Report& r) {
    sum += r.value;
    heard_last = r.remark;
  }
  static constexpr auto transitions = heddle::transitions<&Listener::hear>;
};

TEST(AuditAuxiliary, FieldsThatCouldBeAuxiliaryAreFound) {
  const auto build = [](Model& m) {
    m.add<Reporter>();
    m.add<Listener>();
    m.always("sum", [](const View& v) { return v.all<Listener>()[0].sum < 9; });
  };
  const auto system = actors(build);
  EXPECT_EQ(system->forgetting()->parts(),
            (std::vector<std::string>{"Reporter.ballot", "Reporter.left", "Listener.sum", "Listener.heard_last",
                                      "Report.value", "Report.remark"}));
  const AuxiliaryInference r = infer_auxiliary(*system);
  EXPECT_TRUE(r.complete);
  std::set<std::string> found;
  for (const AuxiliaryCandidate& c : r.candidates) {
    found.insert(c.part);
    EXPECT_LE(c.classes_after, c.classes_before);
  }
  // The sum stays below 9 whatever is heard, so nothing depends on it. It follows from the values heard, so the two can
  // only be left out together.
  EXPECT_EQ(found, (std::set<std::string>{"Listener.sum", "Listener.heard_last", "Report.value", "Report.remark"}));
  // A property that reads the sum and can be false changes that.
  const auto watched = [&](Model& m) {
    build(m);
    m.sometimes("zero", [](const View& v) { return v.all<Listener>()[0].sum == 1; });
  };
  found.clear();
  for (const AuxiliaryCandidate& c : infer_auxiliary(*actors(watched)).candidates) found.insert(c.part);
  EXPECT_EQ(found, (std::set<std::string>{"Listener.heard_last", "Report.remark"}));
  Limits none;
  none.seconds = 0;
  EXPECT_FALSE(infer_auxiliary(*system, none).complete);
}

}  // namespace
}  // namespace heddle::audit_auxiliary_test
