// Checks what partial order reduction has to achieve on the protocols of Bokor's thesis. Plain counts are in
// lpor_models_test.cpp.
#include <gtest/gtest.h>

#include <set>

#include "actor/actor_system.h"
#include "core/facets/dependence.h"
#include "explore/search.h"
#include "heddle/heddle.h"
#include "reduce/audit_relations.h"
#include "support/checked.h"
#include "support/explored.h"

namespace heddle::acceptance_test {
namespace {

using Start = StubbornOptions::Start;
using Parameters = std::map<std::string, std::string>;

constexpr Split all_splits[] = {Split::None, Split::Quorum, Split::Reply, Split::Combined};

std::unique_ptr<TransitionSystem> system_of(const std::string& name, const Parameters& parameters, Split split,
                                            const std::string& bug = "") {
  return make_actor_system(Model(*find_model(name), parameters, bug), {.split = split});
}

std::size_t reduced_states(const std::string& name, const Parameters& parameters, Split split, bool net) {
  const auto system = system_of(name, parameters, split);
  StubbornOptions stubborn{.start = Start::Best};
  stubborn.lpor.net = net;
  SearchOptions options;
  options.selector = stubborn_selector(*system, stubborn);
  return search(*system, options).counters.states;
}

Parameters multicast(int hr, int hi, int br, int bi) {
  return {
      {"hr", std::to_string(hr)}, {"hi", std::to_string(hi)}, {"br", std::to_string(br)}, {"bi", std::to_string(bi)}};
}

// For every verified benchmark the deadlocks are those of the full search, for all splits, NET on and off, all starts.
TEST(Acceptance, SlowDeadlocksAreKept) {
  const std::vector<std::pair<std::string, Parameters>> benchmarks = {{"paxos", {}},
                                                                      {"paxos", {{"proposers", "1"}}},
                                                                      {"paxos", {{"acceptors", "2"}}},
                                                                      {"storage", {}},
                                                                      {"storage", {{"monitor", "no"}}},
                                                                      {"echo_multicast", multicast(3, 1, 1, 0)},
                                                                      {"echo_multicast", multicast(4, 1, 1, 0)},
                                                                      {"echo_multicast", multicast(3, 0, 1, 1)},
                                                                      {"echo_multicast", multicast(2, 1, 0, 1)},
                                                                      {"echo_multicast", multicast(3, 1, 1, 1)}};
  for (const auto& [name, parameters] : benchmarks) {
    const Explored full = explore(*system_of(name, parameters, Split::None));
    for (const Split split : all_splits) {
      const auto system = system_of(name, parameters, split);
      for (const bool net : {false, true}) {
        for (const Start start : {Start::Best, Start::First, Start::Smallest}) {
          StubbornOptions stubborn{.start = start};
          stubborn.lpor.net = net;
          SearchOptions options;
          options.selector = stubborn_selector(*system, stubborn);
          const Explored reduced = explore(*system, options);
          EXPECT_EQ(reduced.finals, full.finals) << name;
          EXPECT_EQ(reduced.result.counters.deadlocks, full.result.counters.deadlocks) << name;
          EXPECT_EQ(reduced.result.verdict, Verdict::Holds) << name;
        }
      }
    }
  }
}

// Shows where splits and NET help, and where they do not.
TEST(Acceptance, NetNeedsInputDeterminism) {
  EXPECT_EQ(reduced_states("paxos", {}, Split::None, true), reduced_states("paxos", {}, Split::None, false));
  EXPECT_LT(reduced_states("paxos", {}, Split::Quorum, true), reduced_states("paxos", {}, Split::Quorum, false));
}
TEST(Acceptance, SplitsHelpWhereTheyShould) {
  const Parameters replies = multicast(2, 1, 0, 1), quorums = multicast(3, 0, 1, 1);
  EXPECT_EQ(reduced_states("echo_multicast", replies, Split::Quorum, true),
            reduced_states("echo_multicast", replies, Split::None, true));
  EXPECT_LT(reduced_states("echo_multicast", replies, Split::Reply, true),
            reduced_states("echo_multicast", replies, Split::None, true));
  EXPECT_EQ(reduced_states("echo_multicast", quorums, Split::Reply, true),
            reduced_states("echo_multicast", quorums, Split::None, true));
  EXPECT_LT(reduced_states("echo_multicast", quorums, Split::Quorum, true),
            reduced_states("echo_multicast", quorums, Split::None, true));
}

// With the default reductions every bug of the library is found and violates the property it names, and every model
// without a bug holds.
TEST(Acceptance, SlowBugsAreFoundWithReductions) {
  const run::CheckRequest request = with_plan({.partial_order = true, .symmetry = true});
  for (const Definition& definition : library()) {
    const run::Source source = run::open_definition(definition);
    for (const Bug& bug : definition.bugs) {
      const run::CheckResult result = checked(source.instance({.bug = bug.name}), request);
      ASSERT_EQ(result.verdict, Verdict::Violated) << definition.name << " " << bug.name;
      const TransitionSystem& system = *result.system;
      std::set<std::string> broken;
      for (const Finding& f : result.search.violations) broken.insert(system.properties()[f.property].name);
      for (const std::size_t p : result.search.unreached) broken.insert(system.properties()[p].name);
      EXPECT_TRUE(broken.contains(bug.property)) << definition.name << " " << bug.name;
      for (const Finding& f : result.search.violations) EXPECT_TRUE(follow(system, f.path).has_value());
    }
    EXPECT_EQ(checked(source.instance({}), request).verdict,
              definition.violates.empty() ? Verdict::Holds : Verdict::Violated)
        << definition.name;
  }
}

// What the library's models say of their handlers is true, with and without their bugs.
TEST(Acceptance, SlowLibraryModelsPassTheAudit) {
  // These have no annotations and are too large for a test.
  const std::set<std::string> left_out = {
      "fd_consensus", "byzantine_broadcast", "oral_messages", "raft", "multi_paxos", "zab", "viewstamped_replication"};
  for (const Definition& definition : library()) {
    if (left_out.contains(definition.name)) continue;
    std::vector<std::string> bugs{""};
    for (const Bug& bug : definition.bugs) bugs.push_back(bug.name);
    for (const std::string& bug : bugs) {
      Parameters parameters;
      if (definition.name == "paxos") parameters = {{"acceptors", "2"}};
      const auto system = system_of(definition.name, parameters, Split::Combined, bug);
      Limits limits;
      limits.seconds = 5;
      for (const RelationFault& f : audit_relations(*system, limits).faults) {
        ADD_FAILURE() << definition.name << " " << bug << ": " << f.relation << ": " << f.text;
      }
    }
  }
}

// The audit flags a pair of `dependent` that was removed on purpose.
TEST(Acceptance, AuditFlagsARemovedPair) {
  const auto system = system_of("paxos", {{"acceptors", "2"}}, Split::None);
  Relations less = system->dependence()->relations();
  std::size_t removed = 0, flagged = 0;
  for (std::size_t t = 0; t < less.transitions(); ++t) {
    for (std::size_t u = 0; u < less.transitions(); ++u) {
      if (!less.dependent(t, u)) continue;
      less.dependent.remove(t, u);
      ++removed;
      for (const RelationFault& f : audit_relations(*system, {}, &less).faults) {
        flagged += f.relation == "dependent" && f.first == system->transition_name(static_cast<std::uint32_t>(t)) &&
                   f.second == system->transition_name(static_cast<std::uint32_t>(u));
      }
      less.dependent.add(t, u);
    }
  }
  EXPECT_GT(flagged, 0U);
  EXPECT_LE(flagged, removed);  // some pairs are over-approximated: nothing goes wrong without them
}

// The same message is sent twice while the first copy is in flight. Channels that are sets, as in the thesis,
// would merge the copies, and the asymmetric dependence would lose a deadlock. With multisets there is one
// deadlock, with both copies counted.
struct Counter {
  int count = 0;
  struct Tick {};
  void take(const Tick&) { ++count; }
  static constexpr auto transitions = heddle::transitions<&Counter::take>;
};
struct Ticker {
  int left = 2;
  void tick(ToAll<Counter, Counter::Tick> out) {
    require(left > 0);
    --left;
    out.send({});
  }
  static constexpr auto transitions = heddle::transitions<&Ticker::tick>;
};

TEST(Acceptance, DuplicateMessages) {
  const Definition definition{.name = "ticks", .summary = "", .build = [](Model& m) {
                                m.add<Ticker>();
                                m.add<Counter>();
                              }};
  for (const Split split : all_splits) {
    ActorOptions options;
    options.split = split;
    const auto system = make_actor_system(Model(definition), options);
    for (const Start start : {Start::Best, Start::First, Start::Smallest}) {
      SearchOptions search_options;
      search_options.selector = stubborn_selector(*system, {.start = start});
      const Explored reduced = explore(*system, search_options);
      EXPECT_EQ(reduced.finals.size(), 1U);
      EXPECT_EQ(count_with(reduced.finals, "count=2"), 1U);
    }
  }
}

}  // namespace
}  // namespace heddle::acceptance_test
