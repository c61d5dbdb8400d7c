// Refinement of the Quorum Tree: values that are processes are renamed in it; with the Paxos of the library beside it
// reductions, searches and threads agree on the verdict; on random runs it is compared with Theorem 8. These are tests
// of the door alone.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdio>
#include <map>
#include <random>

#include "actor/qtree_theorem.h"
#include "actor/refinement_failure.h"
#include "check/refinement/refinements.h"
#include "core/facets/describer.h"
#include "heddle/heddle.h"
#include "heddle/qtree.h"
#include "heddle/refinement.h"
#include "reduce/reduced_search.h"

namespace heddle::refinement_qtree_test {
namespace {

using refinement_failure::failure_of;
using refinement_failure::make;

// --- Values that are processes: renaming reaches into the tree.

struct Elector;
struct Nomination {
  Id<Elector> who;
};
using IdTree = BasicQTree<Id<Elector>>;
struct Elector {
  bool spoke = false;
  Id<Elector> chosen = {};
  void nominate(Id<Elector> self, ToAll<Elector, Nomination> out) {
    require(!spoke);
    spoke = true;
    out.send({self});
  }
  void choose(const Nomination& n, const Run& run) {
    require(!chosen || run.bug("fickle"));
    chosen = n.who;
  }
  static constexpr auto transitions = heddle::transitions<&Elector::nominate, &Elector::choose>;
};

Definition election() {
  return {.name = "election",
          .summary = "",
          .bugs = {{"fickle", "refines qtree", {}, "chooses again"}},
          .build = [](Model& m) {
            m.add<Elector>(3);
            m.always("true", [](const View&) { return true; });
            // The first choice of anyone is round 1 of that value; nobody may choose twice.
            m.refines<IdTree>("qtree").at<&Elector::choose>(
                [](const Elector& before, const Elector& after, Calls<IdTree>& tree) {
                  tree.add(before.chosen ? 3 : 1, after.chosen, before.chosen ? 1 : 0, Repeat::once);
                  if (before.chosen) tree.commit(3);
                });
          }};
}

TEST(Refinement, SymmetryGivesTheSameVerdictWithValuesThatAreProcesses) {
  for (const std::string bug : {"", "fickle"}) {
    const auto system = make(election(), bug, "qtree");
    SearchOptions options;
    options.stop_at_violation = false;
    ReductionReport report;
    const SearchResult reduced = reduced_search(*system, options, {.symmetry = true}, report);
    const SearchResult full = search(*system, options);
    EXPECT_EQ(reduced.verdict, full.verdict);
    EXPECT_EQ(full.verdict, Verdict::Violated) << "two electors choose different processes in round 1";
    EXPECT_LT(reduced.counters.states, full.counters.states);
    ASSERT_EQ(reduced.violations.size(), full.violations.size());
    EXPECT_EQ(reduced.violations[0].path.steps.size(), full.violations[0].path.steps.size());
    EXPECT_EQ(failure_of(*system, reduced).property, "P1");
    EXPECT_TRUE(compare_with_unreduced(*system, options, reduced, true).differences.empty());
  }
}

// --- Paxos: reductions, searches and threads agree.

struct PaxosCase {
  std::string model;
  std::map<std::string, std::string> parameters;
  std::string bug;
};

std::unique_ptr<TransitionSystem> make(const PaxosCase& c, Split split = Split::None) {
  Model model(*find_model(c.model), c.parameters, c.bug);
  model.refine("qtree", "strict", "corrected");
  return make_actor_system(std::move(model), {.split = split});
}

const std::vector<PaxosCase> paxos_cases = {
    {"paxos", {}, ""},
    {"paxos", {{"messages", "single"}, {"acceptors", "2"}}, ""},
    {"paxos", {{"learners", "0"}}, ""},
    {"paxos", {{"learners", "0"}, {"numbers", "dynamic"}}, ""},
    {"paxos", {{"proposers", "3"}, {"acceptors", "2"}}, ""},
    {"paxos", {{"acceptors", "1"}}, "accept_always"},
    {"paxos", {}, "learner_ignores_agreement"},
    {"flexible_paxos", {}, ""},
    {"flexible_paxos", {}, "ignore_votes"},
    {"flexible_paxos", {}, "report_joined"},
    {"flexible_paxos", {}, "two_values"},
};

TEST(Refinement, EveryReductionGivesTheVerdictOfTheFullSearch) {
  std::uint64_t left_out = 0;
  for (const PaxosCase& c : paxos_cases) {
    for (const Split split : {Split::None, Split::Combined}) {
      const auto system = make(c, split);
      const SearchResult full = search(*system);
      EXPECT_EQ(full.verdict, c.bug.empty() ? Verdict::Holds : Verdict::Violated) << c.model << " " << c.bug;
      for (const ReductionPlan& plan : {ReductionPlan{.partial_order = true}, ReductionPlan{.symmetry = true},
                                        ReductionPlan{.partial_order = true, .symmetry = true}}) {
        ReductionReport report;
        const SearchResult reduced = reduced_search(*system, {}, plan, report);
        left_out += reduced.counters.left_out;
        EXPECT_EQ(reduced.verdict, full.verdict) << c.model << " " << c.bug;
        EXPECT_EQ(failure_of(*system, reduced).call.empty(), failure_of(*system, full).call.empty()) << c.bug;
      }
    }
  }
  EXPECT_GT(left_out, 0u) << "calls do not end all partial order reduction";
}

TEST(Refinement, EverySearchAndNumberOfThreadsGivesTheSameVerdict) {
  for (const PaxosCase& c : paxos_cases) {
    const auto system = make(c);
    const SearchResult one = search(*system);
    SearchOptions threads, depth_first;
    threads.threads = 2;
    depth_first.order = SearchOptions::Order::DepthFirst;
    const SearchResult two = search(*system, threads);
    EXPECT_EQ(one.verdict, two.verdict) << c.model << " " << c.bug;
    EXPECT_EQ(one.counters.states, two.counters.states) << c.model << " " << c.bug;
    EXPECT_EQ(failure_of(*system, one).property, failure_of(*system, two).property) << c.bug;
    EXPECT_EQ(one.verdict, search(*system, depth_first).verdict) << c.bug;
  }
}

TEST(Refinement, HandlersThatAreRunAnewEveryTimeGiveTheSameStates) {
  Model a(*find_model("paxos"), {{"learners", "0"}}), b = a;
  a.refine("qtree", "strict", "corrected");
  b.refine("qtree", "strict", "corrected");
  const auto kept = make_actor_system(std::move(a)), anew = make_actor_system(std::move(b), {.memoise = false});
  EXPECT_EQ(search(*kept).counters.states, search(*anew).counters.states);
}

// --- The tree in the product against Theorem 8, on random runs.

RC_GTEST_PROP(Refinement, RandomRunsAreRejectedExactlyWhenTheoremEightSays, ()) {
  const auto bug = *rc::gen::element<std::string>("", "ignore_votes", "first_responder", "own_value", "vote_always",
                                                  "join_older", "report_joined", "two_values", "lowest_vote");
  const PaxosCase c{"flexible_paxos", {{"rounds", "3"}, {"start", "implicit"}}, bug};
  static std::map<std::string, std::unique_ptr<TransitionSystem>> systems;
  auto& system = systems[bug];
  if (!system) system = make(c);
  std::mt19937 random(*rc::gen::arbitrary<std::uint32_t>());
  SlotVector state = system->initial_states()[0];
  std::vector<qtree_oracle::Label> labels;
  StepBuffer steps;
  for (int i = 0; i < 60; ++i) {
    steps.clear();
    system->expand(state, steps);
    if (steps.size() == 0) break;
    const std::size_t k = random() % steps.size();
    SlotVector next = state;
    for (const Change& change : steps.changes(k)) next[change.slot] = change.value;
    const trace::Step described = system->describer().describe_step(state, steps.step(k), next);
    bool legal = true;
    for (const trace::Call& call : described.calls) {
      qtree_oracle::Label label;
      if (std::sscanf(call.call.c_str(), "add(%d, %d, %d", &label.round, &label.value, &label.parent) != 3) {
        if (std::sscanf(call.call.c_str(), "commit(%d", &label.round) != 1) continue;  // an observation
        label.is_commit = true;
      }
      labels.push_back(label);
      legal = !qtree_oracle::broken(labels, true);
      RC_ASSERT((call.answer != "rejected") == legal);
      if (!legal) break;
    }
    const bool holds = (system->evaluate(next) >> refinement_of(*system)->property & 1) != 0;
    RC_ASSERT(holds == legal);
    if (!legal) break;
    state = std::move(next);
  }
}

// --- A wrong annotation of a right protocol.

TEST(Refinement, AWrongAnnotationIsRejectedAlthoughTheProtocolIsRight) {
  Definition definition = *find_model("paxos");
  const auto build = definition.build;
  definition.build = [build](Model& m) {
    build(m);
    // Commits round 1 at the first step of anyone, and never adds it.
    m.refines<QTree>("wrong").whenever([](const View&, QTreeCalls& tree) { tree.commit(1, Repeat::once); });
  };
  const auto system = make(definition, "", "wrong");
  const SearchResult result = search(*system);
  EXPECT_EQ(result.verdict, Verdict::Violated);
  EXPECT_EQ(failure_of(*system, result).property, "P2");
  EXPECT_TRUE(failure_of(*system, result).missing);
}

}  // namespace
}  // namespace heddle::refinement_qtree_test
