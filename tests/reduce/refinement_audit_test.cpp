// Audits a system together with its abstract object: what an annotation does counts like what a handler does. Each
// mistake is found with the object and is not there without it.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "actor/actor_system.h"
#include "core/facets/dependence.h"
#include "core/facets/forgetting.h"
#include "heddle/heddle.h"
#include "heddle/refinement.h"
#include "reduce/audit_auxiliary.h"
#include "reduce/audit_relations.h"
#include "reduce/audit_symmetry.h"

namespace heddle::refinement_audit_test {
namespace ballot {

// An object that shows the order of calls.
struct Log {
  std::vector<int> entries;
  void append(int value) { entries.push_back(value); }
};

struct Counter;
struct Vote {
  int value;
};
struct Voter {
  int value = 0;
  bool mused = false;
  Auxiliary<int> mood;

  void muse(Choice choose) {
    require(!mused && value == 0);
    mused = true;
    mood = static_cast<int>(choose(2)) + 1;
  }
  void vote(Choice choose, ToAll<Counter, Vote> out) {
    require(value == 0);
    value = static_cast<int>(choose(2)) + 1;
    out.send({value});
  }
  static constexpr auto transitions = heddle::transitions<&Voter::muse, &Voter::vote>;
};

struct Counter {
  bool done = false;
  void count(const Quorum<Vote, Voter>&) {
    require(!done);
    done = true;
  }
  static constexpr auto transitions = heddle::transitions<&Counter::count>;
};

Definition definition() {
  return {.name = "ballot",
          .summary = "votes are counted",
          .parameters = {{"voters", 3, 1, 3, "voters"}, {"counters", 1, 1, 2, "counters"}},
          .bugs = {{"order", "refines log", {}, "appends in the order of the messages within a quorum"},
                   {"mood", "refines log", {}, "appends auxiliary data"},
                   {"first", "refines log", {}, "the first voter is special"}},
          .build = [](Model& m) {
            m.add<Voter>(static_cast<std::size_t>(m.run()["voters"]));
            m.add<Counter>(static_cast<std::size_t>(m.run()["counters"]));
            m.refines<Log>("log")
                .at<&Counter::count>([](const Quorum<Vote, Voter>& votes, const Run& run, Calls<Log>& calls) {
                  std::vector<int> values;
                  for (const auto& vote : votes) values.push_back(vote->value);
                  if (!run.bug("order")) std::sort(values.begin(), values.end());
                  for (const int value : values) calls.call<&Log::append>(value);
                })
                .at<&Voter::vote>([](const Voter& before, Id<Voter> self, const Run& run, Calls<Log>& calls) {
                  if (run.bug("mood")) {
                    calls.call<&Log::append>(detail::AuxiliaryAccess::raw(before.mood).value_or(0));
                  }
                  if (run.bug("first") && self == Model::id<Voter>(0)) calls.call<&Log::append>(7);
                });
          }};
}

std::unique_ptr<TransitionSystem> make(const std::string& bug, bool refines,
                                       const std::map<std::string, std::string>& parameters = {}) {
  Model model(definition(), parameters, bug);
  if (refines) model.refine("log", "strict", "corrected");
  return make_actor_system(std::move(model));
}

}  // namespace ballot

TEST(AuditOfRefinement, TheOrderWithinAQuorumIsNoFact) {
  const SymmetryAudit wrong = audit_symmetry(*ballot::make("order", true));
  EXPECT_NE(wrong.witness.find("exchanging voter "), std::string::npos) << wrong.witness;
  EXPECT_NE(wrong.witness.find("step 'counter: count"), std::string::npos) << wrong.witness;
  EXPECT_NE(wrong.witness.find("log.append(1) log.append(2)"), std::string::npos) << wrong.witness;
  for (const auto& right : {ballot::make("", true), ballot::make("order", false)}) {
    const SymmetryAudit audit = audit_symmetry(*right);
    EXPECT_EQ(audit.witness, "");
    EXPECT_TRUE(audit.complete);
    EXPECT_GT(audit.comparisons, 100u);
  }
}

TEST(AuditOfRefinement, AnAnnotationMayNotSingleOutAMember) {
  EXPECT_NE(audit_symmetry(*ballot::make("first", true)).witness.find("log.append(7)"), std::string::npos);
  EXPECT_EQ(audit_symmetry(*ballot::make("first", false)).witness, "");
}

TEST(AuditOfRefinement, AnAnnotationMayNotReadAuxiliaryData) {
  const std::map<std::string, std::string> small{{"voters", "1"}};
  const AuxiliaryAudit wrong = audit_auxiliary(*ballot::make("mood", true, small), AuxiliaryAudit::Kind::Full);
  EXPECT_TRUE(wrong.mismatch.has_value());
  EXPECT_TRUE(audit_auxiliary(*ballot::make("", true, small), AuxiliaryAudit::Kind::Full).proves());
  EXPECT_TRUE(audit_auxiliary(*ballot::make("mood", false, small), AuxiliaryAudit::Kind::Full).proves());
}

// Two counters append different majorities to one log, in either order: their steps depend on each other only because
// of the object.
TEST(AuditOfRefinement, StepsThatCallDependOnEachOther) {
  const std::map<std::string, std::string> two{{"counters", "2"}};
  const auto with = ballot::make("", true, two), without = ballot::make("", false, two);
  const RelationAudit audit = audit_relations(*with);
  EXPECT_TRUE(audit.complete);
  for (const RelationFault& fault : audit.faults) ADD_FAILURE() << fault.relation << ": " << fault.text;
  // The relations of the system without the object are wrong with it, and the audit says so.
  EXPECT_TRUE(audit_relations(*without).faults.empty());
  const RelationAudit mistaken = audit_relations(*with, {}, &without->dependence()->relations());
  ASSERT_FALSE(mistaken.faults.empty());
  EXPECT_EQ(mistaken.faults[0].relation, "dependent");
}

// Every consensus model of the library, with the tree, at the smallest instances that still decide something.
TEST(AuditOfRefinement, SlowTheLibraryIsWhatItSays) {
  struct Case {
    std::string model;
    std::map<std::string, std::string> parameters;
  };
  for (const Case& c : {Case{"paxos", {{"acceptors", "2"}}}, Case{"paxos", {{"acceptors", "2"}, {"learners", "0"}}},
                        Case{"paxos", {{"acceptors", "2"}, {"messages", "single"}}}, Case{"flexible_paxos", {}},
                        Case{"cheap_paxos", {}}, Case{"multi_paxos", {}}, Case{"raft", {}}, Case{"pbft", {}},
                        Case{"hotstuff", {}}, Case{"fast_paxos", {}}, Case{"stoppable_paxos", {}}}) {
    Model model(*find_model(c.model), c.parameters);
    model.refine("qtree", "strict", "corrected");
    const auto system = make_actor_system(std::move(model));
    const Limits limits{.depth = 6};
    const RelationAudit relations = audit_relations(*system, limits);
    for (const RelationFault& f : relations.faults) {
      ADD_FAILURE() << c.model << ": " << f.relation << " (" << f.first << ", " << f.second << "): " << f.text;
    }
    EXPECT_EQ(audit_symmetry(*system, limits).witness, "") << c.model;
    SlotVector initial = system->initial_states()[0];
    if (system->forgetting()->forget_auxiliary(initial)) {
      const auto audit = audit_auxiliary(*system, AuxiliaryAudit::Kind::Full, limits);
      EXPECT_FALSE(audit.mismatch.has_value()) << c.model << ": " << (audit.mismatch ? audit.mismatch->text : "");
    }
  }
}

}  // namespace heddle::refinement_audit_test
