// Flexible Paxos: expected counts, every seeded bug with its property and depth, what stays green, bounds that
// hide a bug, and all quorum sizes. adequacy_test compares depths of rejections and disagreements.
//
// Counts and depths are own counts, confirmed by an independent prototype. It counts transitions per distinct
// successor: two quorums that lead to the same state are one. Heddle counts both, so this test counts transitions
// in that way.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <string>

#include "actor/actor_system.h"
#include "check/refinement/refinements.h"
#include "explore/search.h"
#include "heddle/model.h"
#include "support/checked.h"

namespace heddle::flexible_paxos_test {
namespace {

using Parameters = std::map<std::string, std::string>;

Model model_of(const Parameters& parameters, const std::string& bug = "", bool refine = true) {
  Model model(*find_model("flexible_paxos"), parameters, bug);
  if (refine) model.refine("qtree", "strict", "corrected");
  return model;
}

struct Counted {
  std::size_t states = 0, transitions = 0, depth = 0;
  bool holds = false;
};

// Looks at every state, so it calls the search itself.
Counted count(const TransitionSystem& system) {
  Counted out;
  SearchOptions options;
  StepBuffer steps;
  options.on_state = [&](std::span<const Slot> state) {
    ++out.states;
    steps.clear();
    system.expand(state, steps);
    std::set<SlotVector> successors;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      SlotVector next(state.begin(), state.end());
      for (const Change& c : steps.changes(i)) next[c.slot] = c.value;
      if (!std::equal(next.begin(), next.end(), state.begin())) successors.insert(std::move(next));
    }
    out.transitions += successors.size();
  };
  const SearchResult result = search(system, options);
  out.holds = result.verdict == Verdict::Holds;
  out.depth = result.counters.depth;
  return out;
}

struct Figure {
  Parameters parameters;
  std::size_t states, transitions, depth;
};

void expect_figure(const Figure& f, bool refine) {
  const Counted counted = count(*make_actor_system(model_of(f.parameters, "", refine)));
  EXPECT_TRUE(counted.holds);
  EXPECT_EQ(counted.states, f.states);
  EXPECT_EQ(counted.transitions, f.transitions);
  EXPECT_EQ(counted.depth, f.depth);
}

TEST(FlexiblePaxos, HasTheExpectedStatesWithAndWithoutTheTree) {
  const Figure figures[] = {
      {{{"rounds", "1"}}, 57, 108, 9},
      {{}, 3393, 8463, 18},
      {{{"start", "implicit"}}, 3280, 8135, 16},
      {{{"q1", "3"}, {"q2", "1"}}, 576, 1389, 18},
      {{{"q1", "1"}, {"q2", "3"}}, 6318, 16248, 18},
  };
  for (const Figure& f : figures) {
    expect_figure(f, false);
    expect_figure(f, true);  // the tree adds no states
  }
}

TEST(FlexiblePaxos, SlowHasTheExpectedStatesForThreeRounds) {
  expect_figure({{{"rounds", "3"}, {"start", "implicit"}}, 194048, 553155, 24}, true);
  expect_figure({{{"rounds", "3"}}, 204057, 588060, 27}, false);
  expect_figure({{{"acceptors", "4"}, {"q1", "3"}, {"q2", "2"}, {"start", "implicit"}}, 23341, 74040, 20}, true);
}

struct Depths {
  std::optional<std::size_t> refinement, agreement;
  std::string property;
};

// Returns the depths at which agreement and refinement are first violated; with `on`, continues below a rejected call.
Depths depths(const Parameters& parameters, const std::string& bug, bool on = false) {
  SearchOptions options;
  options.stop_at_violation = !on;
  options.limits.bytes = std::size_t{2} << 30;
  const run::CheckResult result = checked(model_of(parameters, bug), with_plan({}, options));
  const auto& system = result.system;
  Depths out;
  for (const Finding& f : result.search.violations) {
    if (f.property != refinement_of(*system)->property) {
      out.agreement = f.path.steps.size();
      continue;
    }
    out.refinement = f.path.steps.size();
    out.property = system->refinements()->refinement_failure(follow(*system, f.path)->back()).property;
  }
  return out;
}

struct Seeded {
  std::string bug;
  Parameters parameters;
  std::set<std::string> properties;
  std::size_t depth;
};
const Parameters three_rounds = {{"rounds", "3"}, {"start", "implicit"}};

TEST(FlexiblePaxos, EverySeededBugIsFoundAtTheListedPropertyAndDepth) {
  const Seeded table[] = {
      {"ignore_votes", {}, {"P4"}, 11},        {"first_responder", {}, {"P4"}, 11},
      {"own_value", {}, {"P3a"}, 9},           {"amnesia", {}, {"P4"}, 11},
      {"vote_always", {}, {"P4"}, 11},         {"join_older", {}, {"P3"}, 9},
      {"report_joined", {}, {"P3", "P3a"}, 6}, {"two_values", {}, {"P1"}, 5},
      {"small_q1", {{"q1", "1"}}, {"P4"}, 9},  {"small_q2", {{"q2", "1"}}, {"P4"}, 10},
  };
  for (const Seeded& s : table) {
    const Depths found = depths(s.parameters, s.bug);
    EXPECT_EQ(found.refinement, s.depth) << s.bug;
    EXPECT_TRUE(s.properties.contains(found.property)) << s.bug << " " << found.property;
    EXPECT_FALSE(found.agreement.has_value()) << s.bug << ": the tree notices first";
  }
}

TEST(FlexiblePaxos, SlowBugsOfThreeRoundsAreFoundAtTheListedDepth) {
  for (const Seeded& s :
       {Seeded{"lowest_vote", three_rounds, {"P4"}, 13}, Seeded{"first_vote", three_rounds, {"P4"}, 13},
        Seeded{"votes_of_any_round", three_rounds, {"P4"}, 12}}) {
    const Depths found = depths(s.parameters, s.bug);
    EXPECT_EQ(found.refinement, s.depth) << s.bug;
    EXPECT_TRUE(s.properties.contains(found.property)) << s.bug << " " << found.property;
  }
}

TEST(FlexiblePaxos, BugsOfThreeRoundsAreInvisibleWithTwo) {
  for (const char* bug : {"lowest_vote", "first_vote", "votes_of_any_round"}) {
    const Depths found = depths({{"rounds", "2"}}, bug, true);
    EXPECT_FALSE(found.refinement.has_value()) << bug;
    EXPECT_FALSE(found.agreement.has_value()) << bug;
  }
}

// For each pair of sizes, the report says that quorums intersect iff q1 + q2 > acceptors, and the search agrees.
void expect_quorum_report(int acceptors) {
  for (int q1 = 1; q1 <= acceptors; ++q1) {
    for (int q2 = 1; q2 <= acceptors; ++q2) {
      const Parameters parameters = {{"acceptors", std::to_string(acceptors)},
                                     {"q1", std::to_string(q1)},
                                     {"q2", std::to_string(q2)},
                                     {"start", "implicit"}};
      const Depths found = depths(parameters, "");
      const auto report = refinement_of(*make_actor_system(model_of(parameters)))->quorums;
      ASSERT_EQ(report.size(), 1u);
      EXPECT_EQ(report[0].enough, q1 + q2 > acceptors) << report[0].text;
      EXPECT_EQ(!found.refinement, report[0].enough) << acceptors << ": " << q1 << ", " << q2;
      EXPECT_FALSE(found.agreement && !found.refinement) << acceptors << ": " << q1 << ", " << q2;
      if (found.refinement) {
        EXPECT_EQ(found.property, "P4");
      }
    }
  }
}
TEST(FlexiblePaxos, QuorumsOfThreeAcceptorsAreSafeIffTheyIntersect) { expect_quorum_report(3); }
TEST(FlexiblePaxos, SlowQuorumsOfFourAcceptorsAreSafeIffTheyIntersect) { expect_quorum_report(4); }

}  // namespace
}  // namespace heddle::flexible_paxos_test
