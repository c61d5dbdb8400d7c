// The Quorum Tree is adequate: in no run do processes disagree, or decide what nobody asked for, while every call
// has been accepted. This is checked for each seeded bug of the nine consensus protocols, at the smallest bounds
// at which the bug has such a consequence. The depth of that consequence is compared with that of the rejection.
// All depths are own counts of breadth-first searches.
//
// An object that has rejected a call stays rejected, so it is enough to look at the runs up to there: in a system
// whose states have no steps once the object has rejected, no property that the refinement implies may fail.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "check/refinement/refinements.h"
#include "core/facets/describer.h"
#include "core/facets/symmetries.h"
#include "core/forwarding_system.h"
#include "heddle/model.h"
#include "support/checked.h"

namespace heddle::adequacy_test {
namespace {

using Parameters = std::map<std::string, std::string>;

// Returns the bits of the properties that follow from the refinement.
std::uint64_t implied(const TransitionSystem& system) {
  std::uint64_t bits = 0;
  const auto names = refinement_of(system)->implied.value();
  for (std::size_t i = 0; i < system.properties().size(); ++i) {
    if (std::ranges::find(names, system.properties()[i].name) != names.end()) bits |= std::uint64_t{1} << i;
  }
  return bits;
}

// The system, ended where the object rejects; what the refinement implies counts as true there.
class Accepted final : public ForwardingSystem {
 public:
  explicit Accepted(std::unique_ptr<TransitionSystem> system)
      : ForwardingSystem(*system),
        owned_(std::move(system)),
        refinement_(std::uint64_t{1} << refinement_of(*owned_)->property),
        implied_(implied(*owned_)) {}

  void expand(std::span<const Slot> state, StepBuffer& out) const override {
    if ((system().evaluate(state, refinement_) & refinement_) != 0) system().expand(state, out);
  }
  bool execute(std::span<const Slot> state, Step step, SlotVector& to) const override {
    return TransitionSystem::execute(state, step, to);  // NOLINT(bugprone-parent-virtual-call): by `expand` above
  }
  std::uint64_t evaluate(std::span<const Slot> state, std::uint64_t which) const override {
    const std::uint64_t truth = system().evaluate(state, which | refinement_);
    return (truth & refinement_) != 0 ? truth : truth | implied_;
  }
  // A call that is rejected now changes what is said of other properties, so nothing is known of visibility or
  // dependence.
  const Visibility* visibility() const override { return nullptr; }
  const Dependence* dependence() const override { return nullptr; }

 private:
  std::unique_ptr<TransitionSystem> owned_;
  std::uint64_t refinement_, implied_;
};

run::Instance instance_of(const std::string& model, const Parameters& parameters, const std::string& bug) {
  Model made(*find_model(model), parameters, bug);
  made.refine("qtree", "strict", "corrected");
  run::Instance instance = run::instance_of(std::move(made));
  // Without auxiliary data altogether: nobody looks at it here.
  instance.build = [build = instance.build](run::BuildOptions options) {
    options.forget_auxiliary = true;
    return build(options);
  };
  return instance;
}
std::unique_ptr<TransitionSystem> make(const std::string& model, const Parameters& parameters, const std::string& bug) {
  return instance_of(model, parameters, bug).build({});
}

struct Depths {
  std::optional<std::size_t> rejected, disagreed;
  bool complete = false;
};

// Searches breadth-first, up to symmetry, so depths are shortest.
Depths depths(const run::Instance& instance, std::optional<std::size_t> depth = {}) {
  SearchOptions options;
  options.stop_at_violation = false;
  options.limits.bytes = std::size_t{2} << 30;
  if (depth) options.limits.depth = static_cast<std::uint32_t>(*depth);
  const run::CheckResult result = checked(instance, with_plan({.symmetry = true}, options));
  const std::size_t refinement = refinement_of(*result.system)->property;
  const std::uint64_t wanted = implied(*result.system);
  Depths out;
  out.complete = result.complete;
  for (const Finding& f : result.search.violations) {
    const std::size_t steps = f.path.steps.size();
    if (f.property == refinement) out.rejected = steps;
    if ((wanted >> f.property & 1) != 0) out.disagreed = std::min(out.disagreed.value_or(steps), steps);
  }
  return out;
}

struct Row {
  std::string bug;
  Parameters parameters;
  std::size_t rejected;                  // depth
  std::optional<std::size_t> disagreed;  // depth; none: not within these bounds
  bool whole = true;  // look at all runs up to a rejection, otherwise only at those as long as the disagreement takes
};

void expect_adequate(const std::string& model, const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    const std::string name = model + " " + row.bug;
    const run::Instance instance = instance_of(model, row.parameters, row.bug);
    // On below the rejected call, as far as the disagreement: breadth-first, so it is the first.
    const Depths found = depths(instance, row.disagreed);
    EXPECT_EQ(found.rejected, row.rejected) << name;
    EXPECT_EQ(found.disagreed, row.disagreed) << name;
    EXPECT_TRUE(row.disagreed || found.complete) << name;
    run::Instance ended = instance;
    ended.build = [&](const run::BuildOptions& options) { return std::make_unique<Accepted>(instance.build(options)); };
    const Depths accepted = depths(ended, row.whole ? std::nullopt : row.disagreed);
    EXPECT_FALSE(accepted.disagreed.has_value()) << name << ": at depth " << *accepted.disagreed;
    EXPECT_TRUE(accepted.complete || !row.whole) << name;
  }
}

const Parameters two = {{"values", "2"}}, three_implicit = {{"rounds", "3"}, {"start", "implicit"}};
constexpr auto nowhere = std::nullopt;

TEST(Adequacy, FlexiblePaxos) {
  expect_adequate("flexible_paxos", {
                                        {"ignore_votes", {}, 11, 14},
                                        {"first_responder", {}, 11, 14},
                                        {"own_value", {}, 9, 14},
                                        {"amnesia", {}, 11, 14},
                                        {"vote_always", {}, 11, 14},
                                        {"join_older", {}, 9, nowhere},
                                        {"report_joined", {}, 6, 9},  // a value that nobody asked for
                                        {"small_q1", {{"q1", "1"}}, 9, 12},
                                        {"small_q2", {{"q2", "1"}}, 10, 12},
                                    });
}
TEST(Adequacy, SlowFlexiblePaxosInThreeRounds) {
  expect_adequate("flexible_paxos", {
                                        {"two_values", {}, 5, 16},
                                        {"lowest_vote", three_implicit, 13, 16},
                                        {"first_vote", three_implicit, 13, 16},
                                        {"votes_of_any_round", three_implicit, 12, 13},
                                    });
}
TEST(Adequacy, Paxos) {
  expect_adequate("paxos", {
                               {"accept_always", {{"acceptors", "1"}}, 8, 10},
                               {"learner_ignores_agreement", {}, 11, 11},
                           });
}
TEST(Adequacy, SlowPaxosOfThreeProposers) {
  expect_adequate("paxos", {{"last_accepted", {{"proposers", "3"}, {"learners", "0"}}, 15, 17}});
}
TEST(Adequacy, SlowMultiPaxos) {
  expect_adequate("multi_paxos", {
                                     {"promise_per_slot", {}, 9, 12},
                                     {"no_first_phase", {}, 7, 10},
                                     {"first_slot_decides", {}, 11, 20},
                                     {"report_first_slot", {}, 17, 20},
                                 });
}
TEST(Adequacy, CheapPaxos) { expect_adequate("cheap_paxos", {{"shrunken_quorum", {}, 10, 12}}); }
TEST(Adequacy, FastPaxos) {
  expect_adequate("fast_paxos", {
                                    {"any_of_several", two, 13, 17},
                                    {"free_of_several", two, 13, 17},
                                    {"high_threshold", two, 13, 17},
                                    {"small_system", {{"acceptors", "3"}, {"quorum", "2"}, {"values", "2"}}, 10, 13},
                                });
}
TEST(Adequacy, SlowPbft) {
  expect_adequate("pbft", {
                              {"small_join_quorum", two, 2, 12},
                              {"join_twice", two, 4, 15},
                              {"decide_early", two, 8, 10},
                              {"empty_reports", two, 9, 12},
                              {"forget_decided", two, 9, 12},
                              {"unchecked_proof", two, 9, 12},
                              {"unchecked_value", two, 6, 12},
                              {"late_votes", two, 9, 12},
                          });
}
TEST(Adequacy, SlowPbftInThreeRounds) {
  const Parameters three = {{"rounds", "3"}, {"values", "2"}, {"schedule", "closed"}};
  expect_adequate("pbft", {{"unchecked_certificate", three, 5, 16}, {"first_vote", three, 16, 19}});
}
TEST(Adequacy, HotStuff) {
  expect_adequate("hotstuff",
                  {
                      {"small_quorum", two, 2, 6},
                      {"lock_by_block", {}, 10, 14},
                      {"never_lock", {}, 10, 14},
                      {"lock_parent", {}, 10, 14},
                      {"lock_inverted", {}, 10, 14},
                      {"decide_by_prevotes", {}, 8, 10},
                      {"two_phase_never_lock", {{"variant", "two_phase"}}, 8, 10},
                      {"late_votes", {}, 10, 14},
                      {"join_twice", {{"values", "1"}}, 8, nowhere},
                      {"two_chain", {{"variant", "chained"}, {"rounds", "4"}, {"schedule", "closed"}}, 12, 17},
                  });
}
TEST(Adequacy, SlowHotStuffInMoreRounds) {
  const Parameters three = {{"rounds", "3"}, {"schedule", "closed"}};
  expect_adequate("hotstuff",
                  {
                      {"uncertified_parent", three, 6, 19},
                      {"forged_parent", three, 5, 18},
                      {"chain_with_gaps", {{"variant", "chained"}, {"rounds", "6"}, {"schedule", "closed"}}, 17, 27},
                  });
}
// A disagreement about the entry of an older term takes a fourth term.
TEST(Adequacy, SlowRaft) {
  const Parameters elected = {{"terms", "3"}, {"candidates", "2"}, {"start", "elected"}};
  Parameters two_entries = elected;
  two_entries["entries"] = "2";
  expect_adequate("raft", {
                              {"no_up_to_date_test", {}, 8, 9},
                              {"vote_twice", {}, 6, 9, false},
                              {"follower_ignores_term", {}, 8, 9},
                              {"acknowledgement_of_any_length", {}, 9, 10},
                              {"no_length_test", {}, 10, 11},
                              {"one_vote_elects", {}, 4, 8, false},
                              {"volatile_vote", {{"terms", "1"}, {"crashes", "1"}}, 7, 10},
                              {"commit_older_term", elected, 10, nowhere},
                              {"up_to_date_by_length", two_entries, 10, 11, false},
                          });
}

// This is why it is enough to look at runs up to a rejection.
TEST(Adequacy, ARejectionIsFinal) {
  const auto system = make("flexible_paxos", {}, "ignore_votes");
  const std::uint64_t accepted = std::uint64_t{1} << refinement_of(*system)->property;
  std::size_t rejected = 0;
  StepBuffer steps;
  SearchOptions options;
  options.stop_at_violation = false;
  options.on_state = [&](std::span<const Slot> state) {
    if ((system->evaluate(state, accepted) & accepted) != 0) return;
    steps.clear();
    system->expand(state, steps);
    for (std::size_t i = 0; i < steps.size(); ++i, ++rejected) {
      EXPECT_EQ(system->evaluate(apply_changes(state, steps.changes(i)), accepted) & accepted, 0u);
    }
  };
  search(*system, options);
  EXPECT_GT(rejected, 0u);
}

// E1 and a property that is wrong do not follow from the tree, and are not said to.
TEST(Adequacy, OfEachProtocolAgreementAndValidityFollow) {
  for (const char* model : {"paxos", "multi_paxos", "flexible_paxos", "fast_paxos", "cheap_paxos", "stoppable_paxos",
                            "raft", "pbft", "hotstuff"}) {
    const auto system = make(model, {}, "");
    EXPECT_EQ(refinement_of(*system)->implied, (std::vector<std::string>{"agreement", "validity"})) << model;
    EXPECT_EQ(std::popcount(implied(*system)), 2) << model;
  }
  const auto without_learners = make("paxos", {{"learners", "0"}}, "");
  EXPECT_EQ(refinement_of(*without_learners)->implied, (std::vector<std::string>{"chosen", "validity"}));
}

}  // namespace
}  // namespace heddle::adequacy_test
