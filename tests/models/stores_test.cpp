// The replicated stores beyond what their definitions promise: expected counts, seeded bugs of Raft and
// Multi-Paxos with their property and depth, and harnesses of clients too large for library_test.
//
// Counts and depths are own counts, mostly confirmed by an independent prototype. It counts transitions per
// distinct successor: two quorums that lead to the same state are one. Heddle counts both, so this test counts
// transitions in that way.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "actor/actor_system.h"
#include "check/refinement/refinements.h"
#include "core/facets/describer.h"
#include "explore/search.h"
#include "heddle/model.h"
#include "support/checked.h"

namespace heddle::stores_test {
namespace {

using Parameters = std::map<std::string, std::string>;

Model model_of(const std::string& model, const Parameters& parameters, const std::string& bug, bool refine,
               const std::string& points = "corrected") {
  Model made(*find_model(model), parameters, bug);
  if (refine) made.refine("qtree", "strict", points);
  return made;
}

struct Figure {
  std::string model;
  Parameters parameters;
  std::size_t states, transitions, depth;
};

// Looks at every state, so it calls the search itself.
void expect_figure(const Figure& f, bool refine) {
  const auto system = make_actor_system(model_of(f.model, f.parameters, "", refine));
  std::size_t states = 0, transitions = 0;
  SearchOptions options;
  StepBuffer steps;
  options.on_state = [&](std::span<const Slot> state) {
    ++states;
    steps.clear();
    system->expand(state, steps);
    std::set<SlotVector> successors;
    std::set<std::string> names;
    for (std::size_t i = 0; i < steps.size(); ++i) names.insert(system->transition_name(steps.step(i).transition));
    for (std::size_t i = 0; i < steps.size(); ++i) {
      // The prototype has one step for all that a leader sends: if it can decide, it does not send an entry
      // without doing so.
      const std::string name = system->transition_name(steps.step(i).transition);
      const std::size_t at = name.rfind("append");
      if (at != std::string::npos && names.contains(name.substr(0, at) + "commit")) continue;
      SlotVector next(state.begin(), state.end());
      for (const Change& c : steps.changes(i)) next[c.slot] = c.value;
      if (!std::equal(next.begin(), next.end(), state.begin())) successors.insert(std::move(next));
    }
    transitions += successors.size();
  };
  const SearchResult result = search(*system, options);
  EXPECT_EQ(result.verdict, Verdict::Holds) << f.model;
  EXPECT_EQ(states, f.states) << f.model;
  EXPECT_EQ(transitions, f.transitions) << f.model;
  EXPECT_EQ(result.counters.depth, f.depth) << f.model;
}

TEST(Stores, HaveTheExpectedStatesWithAndWithoutTheTree) {
  const Figure figures[] = {
      {"raft", {{"terms", "1"}}, 983, 2229, 11},
      {"raft", {{"vote_quorum", "3"}, {"log_quorum", "1"}}, 12003, 25797, 16},
  };
  for (const Figure& f : figures) {
    expect_figure(f, false);
    expect_figure(f, true);
  }
}

TEST(Stores, SlowHaveTheExpectedStatesInLargerInstances) {
  for (const bool refine : {false, true}) {
    expect_figure({"raft", {}, 132099, 299049, 17}, refine);
    expect_figure({"multi_paxos", {}, 64528, 184132, 26}, refine);
  }
  expect_figure({"raft", {{"entries", "2"}, {"candidates", "2"}}, 625703, 1533712, 21}, true);
}

struct Rejection {
  std::optional<std::size_t> depth;
  std::string property;
  std::vector<std::string> calls;  // on the tree in the run that is found, e.g. "replica 1: commit(1.1, implied)"
};

Rejection rejection(const std::string& model, const Parameters& parameters, const std::string& bug,
                    const std::string& points = "corrected") {
  SearchOptions options;
  options.limits.bytes = std::size_t{2} << 30;
  const run::CheckResult result = checked(model_of(model, parameters, bug, true, points), with_plan({}, options));
  const auto& system = result.system;
  for (const Finding& f : result.search.violations) {
    if (f.property != refinement_of(*system)->property) continue;
    const auto states = follow(*system, f.path).value();
    Rejection out{f.path.steps.size(), system->refinements()->refinement_failure(states.back()).property, {}};
    for (std::size_t i = 0; i < f.path.steps.size(); ++i) {
      const trace::Step step = system->describer().describe_step(states[i], f.path.steps[i], states[i + 1]);
      for (const trace::Call& c : step.calls) {
        out.calls.push_back(system->describer().lanes()[step.lane].name + ": " + c.call.substr(0, c.call.find(',')));
      }
    }
    return out;
  }
  return {};
}

struct Seeded {
  std::string model, bug;
  Parameters parameters;
  std::string property;
  std::size_t depth;
};

TEST(Stores, TheTreeRejectsSeededBugsAtTheListedPropertyAndDepth) {
  const Seeded table[] = {
      {"raft", "no_up_to_date_test", {}, "P4", 8},
      {"raft", "vote_twice", {}, "P1", 6},
      {"raft", "follower_ignores_term", {}, "P4", 8},
      {"raft", "acknowledgement_of_any_length", {}, "P4", 9},
      {"raft", "no_length_test", {}, "P4", 10},
      {"raft", "one_vote_elects", {}, "P1", 4},
      // A restart forgets a vote. The depth is of an own unreduced search only.
      {"raft", "volatile_vote", {{"terms", "1"}, {"crashes", "1"}}, "P1", 7},
      {"multi_paxos", "promise_per_slot", {}, "P4", 9},
      {"multi_paxos", "no_first_phase", {}, "P4", 7},
      {"multi_paxos", "first_slot_decides", {}, "P3", 11},
      {"multi_paxos", "report_first_slot", {}, "P4", 17},
  };
  for (const Seeded& s : table) {
    const Rejection found = rejection(s.model, s.parameters, s.bug);
    EXPECT_EQ(found.depth, s.depth) << s.model << " " << s.bug;
    EXPECT_EQ(found.property, s.property) << s.model << " " << s.bug;
  }
}

// Figure 8 of the Raft paper, in the smallest system that shows it: an entry of term 1 still exists in term 3 and
// is copied to a majority, while a leader of term 2 has appended another in its place. To count copies then
// decides what may be overwritten.
const Parameters figure_eight = {{"terms", "3"}, {"candidates", "2"}, {"start", "cold"}};

TEST(Stores, SlowAnOlderTermsEntryIsRejectedAtTheListedDepth) {
  const Rejection found = rejection("raft", figure_eight, "commit_older_term");
  EXPECT_EQ(found.depth, 12U);
  EXPECT_EQ(found.property, "P4");
  ASSERT_EQ(found.calls.size(), 3U);
  const std::string first = found.calls[0].substr(0, found.calls[0].find(':')),
                    other = found.calls[1].substr(0, found.calls[1].find(':'));
  EXPECT_NE(first, other);
  EXPECT_EQ(found.calls, (std::vector{first + ": add(1.1", other + ": add(2.1", first + ": commit(1.1"}));
}

// As printed in the thesis, no commit is called for an entry of an older term, so only what processes consider
// decided (O1) shows it. There the entry need not be a ghost yet, hence a shorter run. With one entry no
// heartbeat adds anything twice.
TEST(Stores, AnOlderTermsEntryIsNoticedByWhatIsDecidedWhereNoCallIsMade) {
  const Rejection found = rejection("raft", figure_eight, "commit_older_term", "thesis");
  EXPECT_EQ(found.depth, 8U);
  EXPECT_EQ(found.property, "O1");
  for (const std::string& call : found.calls) EXPECT_EQ(call.find("commit"), std::string::npos) << call;
}

// Two entries are enough: a longer log of term 2 is passed over for an older one of the same length. The depth is
// of an own search from the election of the first leader.
TEST(Stores, SlowAComparisonOfLogsByLengthIsRejectedWithTwoEntries) {
  const Parameters bounds = {{"terms", "3"}, {"entries", "2"}, {"candidates", "2"}, {"start", "elected"}};
  const Rejection found = rejection("raft", bounds, "up_to_date_by_length");
  EXPECT_EQ(found.depth, 10U);
  EXPECT_EQ(found.property, "P4");
}

// The thesis adds all undecided entries of its term at every message, hence one of them twice.
TEST(Stores, LinearizationPointsOfRaftAsPrintedAreRejectedInACorrectRun) {
  const Rejection found = rejection("raft", {{"terms", "1"}, {"entries", "2"}}, "", "thesis");
  EXPECT_EQ(found.depth, 4U);
  EXPECT_EQ(found.property, "P1");
}

struct Harness {
  std::string model;
  Parameters parameters;
  std::size_t states;  // up to symmetry; own search
};

TEST(Stores, SlowClientsSeeOneStore) {
  const Harness table[] = {
      {"raft", {{"harness", "2R+1W"}}, 362770},
      {"multi_paxos", {{"harness", "2R+1W"}}, 8740},
      {"multi_paxos", {{"harness", "2R+2W"}}, 196216},
      {"zab", {{"harness", "2R+1W"}}, 142223},
      {"viewstamped_replication", {{"harness", "2R+1W"}}, 536948},
  };
  for (const Harness& h : table) {
    const run::CheckResult result = checked(Model(*find_model(h.model), h.parameters), with_plan({.symmetry = true}));
    EXPECT_EQ(result.verdict, Verdict::Holds) << h.model;
    EXPECT_TRUE(result.complete) << h.model;
    EXPECT_EQ(result.counters.states, h.states) << h.model;
  }
}

}  // namespace
}  // namespace heddle::stores_test
