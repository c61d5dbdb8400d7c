// PBFT with correct leaders as processes, and with several sequence numbers. Adversarial leaders are an
// over-approximation: whatever replicas do under explicit leaders they can do under adversarial ones (states are
// compared one by one), and verdicts fit together. Within one round sequence numbers are independent, so states
// are pairs.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json.hpp>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "actor/actor_system.h"
#include "core/facets/describer.h"
#include "explore/search.h"
#include "heddle/model.h"
#include "support/checked.h"

namespace heddle::pbft_leaders_test {
namespace {

using Parameters = std::map<std::string, std::string>;

Model model_of(const Parameters& parameters, const std::string& bug = "", bool tree = false) {
  Model model(*find_model("pbft"), parameters, bug);
  if (tree) model.refine("qtree", "strict", "corrected");
  return model;
}
std::unique_ptr<TransitionSystem> make(const Parameters& parameters, const std::string& bug = "") {
  return make_actor_system(model_of(parameters, bug));
}
run::CheckResult reduced(Model model) {
  SearchOptions options;
  options.limits.bytes = std::size_t{2} << 30;
  return checked(std::move(model), with_plan({.symmetry = true, .auxiliary = true}, options));
}

// Describes replicas and what is on the board, without what leaders do.
std::string seen_by_replicas(const TransitionSystem& system, const std::vector<trace::Lane>& lanes,
                             std::span<const Slot> state) {
  std::string out;
  for (const trace::Field& field : system.describer().describe_state(state)) {
    if (lanes[field.lane].role == "Leader") continue;
    if (field.name != "ghost") {
      out += lanes[field.lane].name + "." + field.name + "=" + field.value + ";";
      continue;
    }
    boost::json::value board = boost::json::parse(field.value);
    EXPECT_TRUE(board.as_object().contains("proposals"));
    board.as_object().erase("proposals");
    out += boost::json::serialize(board);
  }
  return out;
}
// Looks at every state, so it calls the search itself.
std::set<std::string> all_seen(const Parameters& parameters, const std::string& bug = "") {
  const auto system = make(parameters, bug);
  const auto lanes = system->describer().lanes();
  std::set<std::string> out;
  SearchOptions options;
  options.stop_at_violation = false;
  options.on_state = [&](std::span<const Slot> state) { out.insert(seen_by_replicas(*system, lanes, state)); };
  EXPECT_TRUE(search(*system, options).complete);
  return out;
}

TEST(PbftLeaders, SlowAdversarialOnesReachEveryStateThatExplicitOnesDo) {
  for (const char* bug : {"", "unchecked_value"}) {
    const Parameters adversarial = {{"values", "2"}, {"rounds", "2"}, {"schedule", "closed"}};
    const std::set<std::string> all = all_seen(adversarial, bug);
    std::size_t largest = 0;
    for (const char* byzantine : {"1", "2", "3"}) {
      Parameters parameters = adversarial;
      parameters["leaders"] = "explicit";
      parameters["byzantine_round"] = byzantine;
      const std::set<std::string> some = all_seen(parameters, bug);
      EXPECT_TRUE(std::ranges::includes(all, some)) << byzantine << " " << bug;
      EXPECT_LT(some.size(), all.size()) << byzantine << " " << bug;
      EXPECT_TRUE(
          std::ranges::any_of(some, [](const std::string& s) { return s.find("\"decided\":[[1,2]]") != s.npos; }));
      largest = std::max(largest, some.size());
    }
    EXPECT_GT(largest, all.size() / 10) << bug;
  }
}
TEST(PbftLeaders, SlowAdversarialOnesReachEveryStateInAnySchedule) {
  const std::set<std::string> all = all_seen({{"values", "2"}, {"rounds", "2"}});
  for (const char* byzantine : {"1", "2"}) {
    const std::set<std::string> some =
        all_seen({{"values", "2"}, {"rounds", "2"}, {"leaders", "explicit"}, {"byzantine_round", byzantine}});
    EXPECT_TRUE(std::ranges::includes(all, some)) << byzantine;
    EXPECT_LT(some.size(), all.size()) << byzantine;
  }
}

TEST(PbftLeaders, ExplicitOnesAreSafeAgainstAgreementAndTree) {
  for (const char* byzantine : {"1", "2", "3"}) {
    const run::CheckResult result =
        reduced(model_of({{"values", "2"}, {"leaders", "explicit"}, {"byzantine_round", byzantine}}, "", true));
    EXPECT_TRUE(result.complete) << byzantine;
    EXPECT_EQ(result.verdict, Verdict::Holds) << byzantine;
  }
}

// A bug that shows under explicit leaders shows under adversarial ones. A bug that needs a leader who exploits a
// missing check shows iff the round in which this happens has a Byzantine leader. Two certificates in one round
// become two decisions in the next, since everybody votes once. So a leader of the last round cannot use the
// mistakes that allow two certificates.
TEST(PbftLeaders, SlowBugsShowWhereALeaderCanUseThem) {
  const auto violated = [](const std::string& bug, const char* leaders, const char* byzantine) {
    return reduced(model_of({{"values", "2"},
                             {"schedule", bug == "late_votes" ? "any" : "closed"},
                             {"leaders", leaders},
                             {"byzantine_round", byzantine}},
                            bug))
               .verdict == Verdict::Violated;
  };
  struct Expectation {
    const char* bug;
    bool first, second, none;  // by the round that has a Byzantine leader
  };
  const Expectation table[] = {
      {"small_join_quorum", true, false, false}, {"join_twice", true, false, false},
      {"decide_early", true, true, true},        {"empty_reports", true, true, true},
      {"forget_decided", true, true, true},      {"unchecked_proof", false, true, false},
      {"unchecked_value", false, true, false},   {"late_votes", true, true, true},
  };
  for (const Expectation& e : table) {
    EXPECT_TRUE(violated(e.bug, "adversarial", "1")) << e.bug;
    EXPECT_EQ(violated(e.bug, "explicit", "1"), e.first) << e.bug;
    EXPECT_EQ(violated(e.bug, "explicit", "2"), e.second) << e.bug;
    EXPECT_EQ(violated(e.bug, "explicit", "3"), e.none) << e.bug;
  }
}

TEST(PbftNumbers, SlowWithinARoundTheyAreIndependent) {
  for (const char* leaders : {"adversarial", "explicit"}) {
    for (const char* byzantine : {"1", "2"}) {
      Parameters one = {{"values", "2"}, {"rounds", "1"}, {"leaders", leaders}, {"byzantine_round", byzantine}};
      Parameters two = one;
      two["sequence_numbers"] = "2";
      const run::CheckResult single = checked(model_of(one), with_plan({}));
      const run::CheckResult both = checked(model_of(two), with_plan({}));
      EXPECT_EQ(both.counters.states, single.counters.states * single.counters.states) << leaders << byzantine;
      EXPECT_EQ(both.counters.transitions, 2 * single.counters.states * single.counters.transitions)
          << leaders << byzantine;
      EXPECT_EQ(both.verdict, Verdict::Holds);
    }
  }
}

// The tree has an instance for each sequence number, and a mistake with one number shows in its instance.
TEST(PbftNumbers, SlowEachHasATreeOfItsOwn) {
  for (const char* leaders : {"adversarial", "explicit"}) {
    Parameters two = {{"n", "3"}, {"quorum", "3"}, {"sequence_numbers", "2"}, {"leaders", leaders}};
    const run::CheckResult result = reduced(model_of(two, "", true));
    EXPECT_TRUE(result.complete) << leaders;
    EXPECT_EQ(result.verdict, Verdict::Holds) << leaders;
    EXPECT_GT(result.refinement->counts.at("commits"), 0u) << leaders;

    const run::CheckResult found = reduced(model_of(two, "first_number", true));
    ASSERT_EQ(found.search.violations.size(), 1u) << leaders;
    const auto path = violation_of(found, "refines qtree");
    ASSERT_TRUE(path.has_value()) << leaders;
    EXPECT_EQ(found.refinement->property, "P4") << leaders;
    EXPECT_NE(found.refinement->call.find("instance 2"), std::string::npos) << found.refinement->call;
    // Two join, vote and change the round, one decides, two join again; a correct leader of round 2 has to propose
    // first.
    EXPECT_EQ(path->steps.size(), std::string(leaders) == "explicit" ? 10u : 9u);
    EXPECT_EQ(reduced(model_of(two, "first_number")).verdict, Verdict::Violated) << leaders;
  }
}
TEST(PbftNumbers, SlowAdversarialLeadersReachEveryStateThatExplicitOnesDo) {
  const Parameters adversarial = {{"n", "3"}, {"quorum", "3"}, {"sequence_numbers", "2"}, {"schedule", "closed"}};
  const std::set<std::string> all = all_seen(adversarial);
  for (const char* byzantine : {"1", "2"}) {
    Parameters parameters = adversarial;
    parameters["leaders"] = "explicit";
    parameters["byzantine_round"] = byzantine;
    const std::set<std::string> some = all_seen(parameters);
    EXPECT_TRUE(std::ranges::includes(all, some)) << byzantine;
    EXPECT_LT(some.size(), all.size()) << byzantine;
  }
}

}  // namespace
}  // namespace heddle::pbft_leaders_test
