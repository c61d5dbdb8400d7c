// Fast, Cheap and Stoppable Paxos, PBFT and HotStuff: expected counts, every seeded bug with its property and
// depth, configurations that have to stay green, linearization points as printed in Cirisci's thesis, symmetry,
// and closed rounds against any schedule. adequacy_test compares depths of rejections and disagreements.
//
// Counts and depths are own counts, confirmed by an independent prototype. It counts transitions per distinct
// successor: two quorums that lead to the same state are one. Heddle counts both, so the transitions of Fast
// Paxos are counted in that way here.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "actor/actor_system.h"
#include "check/refinement/refinements.h"
#include "explore/search.h"
#include "heddle/model.h"
#include "support/checked.h"

namespace heddle::consensus_test {
namespace {

using Parameters = std::map<std::string, std::string>;

struct Case {
  std::string model;
  Parameters parameters = {};
  std::string bug = {};
};
std::string text(const Case& c) {
  std::string out = c.model + (c.bug.empty() ? "" : " --bug " + c.bug);
  for (const auto& [name, value] : c.parameters) out += " " + name + "=" + value;
  return out;
}

Model model_of(const Case& c, const char* points) {
  Model model(*find_model(c.model), c.parameters, c.bug);
  if (points != nullptr) model.refine("qtree", "strict", points);
  return model;
}
std::unique_ptr<TransitionSystem> make(const Case& c, const char* points) {
  return make_actor_system(model_of(c, points));
}

// Both reductions keep depths.
run::CheckResult reduced(const Case& c, const char* points, bool stop) {
  SearchOptions options;
  options.stop_at_violation = stop;
  options.limits.bytes = std::size_t{2} << 30;
  return checked(model_of(c, points), with_plan({.symmetry = true, .auxiliary = true}, options));
}

struct Found {
  bool complete = false;
  std::optional<std::size_t> refinement, agreement;  // depths
  std::string property;                              // of the tree
};
Found find(const Case& c, const char* points = "corrected", bool stop = true) {
  const run::CheckResult result = reduced(c, points, stop);
  Found found;
  found.complete = result.complete;
  if (const auto path = violation_of(result, "agreement")) found.agreement = path->steps.size();
  if (const auto path = violation_of(result, "refines qtree")) {
    found.refinement = path->steps.size();
    found.property = result.refinement->property;
  }
  return found;
}
void expect_green(const Case& c) {
  const Found found = find(c);
  EXPECT_TRUE(found.complete) << text(c);
  EXPECT_FALSE(found.refinement || found.agreement) << text(c) << " " << found.property;
}

// --- Counts.

struct Figure {
  Case of;
  bool symmetry;
  std::size_t states, transitions, depth;
};
void expect_figure(const Figure& f, const char* points) {
  const run::CheckResult result = checked(model_of(f.of, points), with_plan({.symmetry = f.symmetry}));
  EXPECT_EQ(result.verdict, Verdict::Holds) << text(f.of);
  EXPECT_EQ(result.counters.states, f.states) << text(f.of);
  EXPECT_EQ(result.counters.transitions, f.transitions) << text(f.of);
  EXPECT_EQ(result.counters.depth, f.depth) << text(f.of);
}

Case kept(std::string model, Parameters parameters = {}) {
  parameters["history"] = "kept";
  return {std::move(model), std::move(parameters)};
}
constexpr const char* without_tree = nullptr;

TEST(Consensus, HotStuffHasTheExpectedStatesWithAndWithoutTheTree) {
  expect_figure({kept("hotstuff"), false, 51236, 153195, 21}, "corrected");
  expect_figure({kept("hotstuff"), true, 9125, 27245, 21}, without_tree);
  expect_figure({kept("hotstuff"), true, 9125, 27245, 21}, "corrected");
  expect_figure({kept("hotstuff", {{"f", "0"}}), true, 26266, 93387, 28}, "corrected");
  expect_figure({kept("hotstuff", {{"variant", "two_phase"}, {"values", "2"}}), true, 7378, 18755, 15}, "corrected");
}
TEST(Consensus, SlowHotStuffHasTheExpectedStatesWithTwoValues) {
  expect_figure({kept("hotstuff", {{"values", "2"}}), false, 607094, 1784190, 21}, without_tree);
  expect_figure({kept("hotstuff", {{"values", "2"}}), true, 106048, 311605, 21}, "corrected");
}
TEST(Consensus, PbftHasTheExpectedStates) {
  expect_figure({kept("pbft"), false, 186008, 589818, 21}, without_tree);
  expect_figure({kept("pbft"), true, 32674, 103293, 21}, "corrected");
}
TEST(Consensus, SlowPbftHasTheExpectedStatesWithoutByzantineProcesses) {
  expect_figure({kept("pbft", {{"f", "0"}}), true, 86461, 317963, 28}, "corrected");
}

// Looks at every state, so it calls the search itself.
TEST(Consensus, FastPaxosHasTheExpectedStates) {
  const auto system = make({"fast_paxos", {{"values", "2"}}}, "corrected");
  std::size_t states = 0, transitions = 0;
  StepBuffer steps;
  SearchOptions options;
  options.on_state = [&](std::span<const Slot> state) {
    ++states;
    steps.clear();
    system->expand(state, steps);
    std::set<SlotVector> successors;
    for (std::size_t i = 0; i < steps.size(); ++i) successors.insert(apply_changes(state, steps.changes(i)));
    transitions += successors.size() - successors.count(SlotVector(state.begin(), state.end()));
  };
  const SearchResult result = search(*system, options);
  EXPECT_EQ(result.verdict, Verdict::Holds);
  EXPECT_EQ(result.counters.depth, 20u);
  EXPECT_EQ(states, 116296u);
  EXPECT_EQ(transitions, 323337u);
}

// --- Bugs.

struct Seeded {
  Case of;
  std::set<std::string> properties;
  std::size_t depth;
};

TEST(Consensus, EverySeededBugIsFoundAtTheListedPropertyAndDepth) {
  const Parameters two = {{"values", "2"}}, two_phase = {{"variant", "two_phase"}};
  const Parameters one = {{"rounds", "2"}, {"values", "1"}, {"schedule", "any"}};
  const Parameters pair = {{"rounds", "2"}, {"values", "2"}, {"schedule", "any"}};
  const Seeded table[] = {
      {{"hotstuff", one, "lock_by_block"}, {"P4"}, 10},
      {{"hotstuff", one, "never_lock"}, {"P4"}, 10},
      {{"hotstuff", one, "lock_parent"}, {"P4"}, 10},
      {{"hotstuff", one, "lock_inverted"}, {"P4"}, 10},
      {{"hotstuff", one, "decide_by_prevotes"}, {"P4"}, 8},
      {{"hotstuff", two_phase, "two_phase_never_lock"}, {"P4"}, 8},
      {{"hotstuff", one, "late_votes"}, {"P4"}, 10},
      {{"hotstuff", one, "uncertified_parent"}, {"P3"}, 5},
      {{"hotstuff", one, "forged_parent"}, {"P3"}, 4},
      {{"hotstuff", pair, "join_twice"}, {"P1"}, 4},
      {{"hotstuff", pair, "small_quorum"}, {"P1"}, 2},
      {{"hotstuff", {{"f", "2"}, {"values", "2"}}}, {"P1"}, 2},
      {{"hotstuff", {{"n", "3"}, {"quorum", "2"}, {"values", "2"}}}, {"P1"}, 2},
      {{"pbft", {{"n", "3"}, {"quorum", "2"}, {"values", "2"}}}, {"P1"}, 2},
      {{"pbft", {{"f", "2"}, {"values", "2"}}}, {"P1"}, 2},
      {{"pbft", pair, "join_twice"}, {"P1"}, 4},
      {{"pbft", pair, "small_join_quorum"}, {"P1"}, 2},
      {{"pbft", pair, "decide_early"}, {"P4"}, 8},
      {{"pbft", pair, "empty_reports"}, {"P4"}, 9},
      {{"pbft", pair, "forget_decided"}, {"P4"}, 9},
      {{"pbft", pair, "unchecked_proof"}, {"P4"}, 9},
      {{"pbft", pair, "unchecked_certificate"}, {"P3"}, 4},
      {{"pbft", pair, "unchecked_value"}, {"P3a"}, 6},
      {{"pbft", pair, "late_votes"}, {"P4"}, 9},
      {{"pbft", {{"rounds", "3"}, {"values", "1"}, {"schedule", "any"}}, "first_vote"}, {"P4"}, 15},
      {{"fast_paxos", two, "any_of_several"}, {"P4"}, 13},
      {{"fast_paxos", two, "free_of_several"}, {"P4"}, 13},
      {{"fast_paxos", two, "high_threshold"}, {"P4"}, 13},
      {{"fast_paxos", {{"acceptors", "3"}, {"quorum", "2"}, {"values", "2"}}}, {"P4"}, 10},
      {{"cheap_paxos", {}, "shrunken_quorum"}, {"P4"}, 10},  // own unreduced search only
  };
  for (const Seeded& s : table) {
    const Found found = find(s.of);
    EXPECT_EQ(found.refinement, s.depth) << text(s.of);
    EXPECT_TRUE(s.properties.contains(found.property)) << text(s.of) << " " << found.property;
    EXPECT_FALSE(found.agreement.has_value()) << text(s.of) << ": the tree notices first";
  }
}

TEST(Consensus, SlowQuorumsThatAreTooSmallAndBrokenLocksDisagree) {
  const Parameters pair = {{"rounds", "2"}, {"values", "2"}, {"schedule", "any"}};
  for (const Case& c :
       {Case{"pbft", {{"n", "3"}, {"quorum", "2"}, {"values", "2"}}}, Case{"pbft", {{"f", "2"}, {"values", "2"}}},
        Case{"pbft", pair, "join_twice"}, Case{"pbft", pair, "small_join_quorum"},
        Case{"hotstuff", {{"n", "3"}, {"quorum", "2"}}}, Case{"hotstuff", {{"f", "2"}}},
        Case{"hotstuff", {}, "lock_by_block"}, Case{"hotstuff", {}, "lock_inverted"},
        Case{"hotstuff", {}, "never_lock"},
        Case{"hotstuff", {{"rounds", "3"}, {"schedule", "closed"}}, "forged_parent"},
        Case{"hotstuff", {{"rounds", "3"}, {"schedule", "closed"}}, "uncertified_parent"},
        Case{"pbft", {{"rounds", "3"}, {"schedule", "closed"}}, "unchecked_certificate"},
        Case{"hotstuff", {{"variant", "chained"}, {"rounds", "4"}, {"schedule", "closed"}}, "two_chain"},
        Case{"cheap_paxos", {}, "shrunken_quorum"}}) {
    EXPECT_TRUE(find(c, nullptr).agreement.has_value()) << text(c);
  }
}

// --- Configurations that have to stay green.

TEST(Consensus, SlowSafeConfigurationsAndEquivalentMutantsStayGreen) {
  const Parameters two = {{"values", "2"}};
  for (const Case& c : {Case{"pbft", two}, Case{"pbft", {{"n", "3"}, {"quorum", "3"}, {"values", "2"}}},
                        Case{"pbft", {{"values", "2"}, {"decide", "any_time"}}},
                        Case{"pbft", {{"rounds", "3"}, {"values", "2"}, {"schedule", "closed"}}}, Case{"hotstuff"},
                        Case{"hotstuff", {{"n", "3"}, {"quorum", "3"}}}, Case{"hotstuff", {{"lock", "not_newer"}}},
                        Case{"hotstuff", {{"lock", "extends_only"}}}, Case{"hotstuff", {{"variant", "two_phase"}}},
                        Case{"hotstuff", {{"variant", "chained"}, {"rounds", "4"}}},
                        Case{"hotstuff", {{"variant", "chained"}, {"rounds", "5"}, {"schedule", "closed"}}},
                        Case{"hotstuff", {{"rounds", "3"}, {"schedule", "closed"}}}, Case{"cheap_paxos"},
                        Case{"cheap_paxos", {{"rounds", "1"}, {"slots", "2"}}}, Case{"stoppable_paxos"},
                        Case{"stoppable_paxos", {{"rounds", "1"}, {"slots", "3"}}}}) {
    expect_green(c);
  }
}
TEST(Consensus, SlowHotStuffOfFourViewsStaysGreen) {
  expect_green({"hotstuff", {{"rounds", "4"}, {"schedule", "closed"}}});
  expect_green({"hotstuff", {{"rounds", "3"}, {"lock", "not_newer"}}});
}

// E1 has nothing to do with the tree.
TEST(Consensus, AnExecutorThatDoesNotStopBreaksE1AndNotTheTree) {
  const Case c{"stoppable_paxos", {{"rounds", "1"}, {"slots", "2"}}, "execute_after_stop"};
  SearchOptions options;
  options.stop_at_violation = false;
  const run::CheckResult result = checked(model_of(c, "corrected"), with_plan({}, options));
  ASSERT_EQ(result.search.violations.size(), 1u);
  EXPECT_EQ(result.system->properties()[result.search.violations[0].property].name, "nothing after stop");
}

// The linearization points as printed in the thesis raise false alarms.
TEST(Consensus, LinearizationPointsAsPrintedAreTooLate) {
  for (const auto& [c, depth] : {std::pair{Case{"fast_paxos", {{"values", "2"}}}, 9u},
                                 std::pair{Case{"pbft", {{"values", "2"}}}, 7u}, std::pair{Case{"hotstuff"}, 7u}}) {
    const Found found = find(c, "thesis");
    EXPECT_EQ(found.refinement, depth) << text(c);
    EXPECT_EQ(found.property, "P3") << text(c);
    EXPECT_FALSE(found.agreement.has_value()) << text(c);
  }
}

// Rounds are communication-closed: one at a time shows what any schedule shows. The exceptions step back in time.
TEST(Consensus, SlowClosedRoundsHaveTheVerdictOfAnySchedule) {
  for (const char* model : {"hotstuff", "pbft"}) {
    for (const Bug& bug : find_model(model)->bugs) {
      if (bug.name == "late_votes" || bug.name == "chain_with_gaps") continue;
      Parameters any = bug.parameters, closed = bug.parameters;
      any["rounds"] = closed["rounds"] = std::to_string(bug.name == "two_chain" ? 4 : 2);
      any["values"] = closed["values"] = std::to_string(std::string(model) == "pbft" ? 2 : 1);
      any["schedule"] = "any";
      closed["schedule"] = "closed";
      EXPECT_EQ(find({model, any, bug.name}, nullptr).agreement.has_value(),
                find({model, closed, bug.name}, nullptr).agreement.has_value())
          << model << " " << bug.name;
    }
  }
}

// The report tells from the sizes of quorums which intersections the properties of the tree rest on. Other tests
// make the runs.
TEST(Consensus, SizesOfQuorumsSayWhatTheyPromise) {
  struct Row {
    Case instance;
    std::vector<bool> enough;
  };
  const Row table[] = {
      {{"paxos"}, {true}},
      {{"multi_paxos"}, {true}},
      {{"flexible_paxos", {{"acceptors", "4"}, {"q1", "2"}, {"q2", "2"}}}, {false}},
      {{"flexible_paxos", {{"acceptors", "4"}, {"q1", "3"}, {"q2", "2"}}}, {true}},
      {{"cheap_paxos"}, {true}},
      {{"cheap_paxos", {}, "shrunken_quorum"}, {false}},
      {{"stoppable_paxos"}, {true}},
      {{"fast_paxos"}, {true, true}},
      {{"fast_paxos", {{"acceptors", "3"}, {"quorum", "2"}}}, {true, false}},
      {{"raft"}, {true, true}},
      {{"raft", {{"vote_quorum", "3"}, {"log_quorum", "1"}}}, {true, true}},
      {{"raft", {}, "one_vote_elects"}, {false, true}},
      {{"pbft"}, {true, true}},
      {{"pbft", {{"n", "3"}, {"quorum", "3"}}}, {true, true}},
      {{"pbft", {{"n", "3"}, {"quorum", "2"}}}, {false, false}},
      {{"pbft", {}, "small_join_quorum"}, {false, true}},
      {{"hotstuff"}, {true, true}},
      {{"hotstuff", {}, "small_quorum"}, {false, false}},
  };
  for (const Row& row : table) {
    std::vector<bool> enough;
    const auto run = refinement_of(*make(row.instance, "corrected"));
    for (const auto& q : run->quorums) enough.push_back(q.enough);
    EXPECT_EQ(enough, row.enough) << text(row.instance);
  }
  const auto report = refinement_of(*make({"pbft", {{"n", "3"}, {"quorum", "2"}}}, "corrected"))->quorums;
  EXPECT_EQ(
      report[0].text,
      "P1 needs a correct process common to joins of a round, twice: 2 + 2 of 3 have at least 1 in common, 1 may be "
      "faulty: NOT ENOUGH");
}

}  // namespace
}  // namespace heddle::consensus_test
