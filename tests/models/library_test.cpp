// Every model of the library keeps what its Definition promises: the expected counts are exact, each bug violates
// the property it names at its smallest parameters and no other, and without the bug the same parameters hold. A
// new model in the library is tested without a line here.
//
// The last part checks counts that need more than parameters: traffic models, explicit crashes, bugs that are
// harmless in small systems. They are own counts.
#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <ostream>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "actor/actor_system.h"
#include "check/refinement/refinements.h"
#include "explore/search.h"
#include "heddle/model.h"
#include "heddle/refinement.h"
#include "models/defects.h"
#include "support/checked.h"

namespace heddle::library_test {
namespace {

using Parameters = std::map<std::string, std::string>;

// Bugs that are a configuration for which the protocol is not made: the parameters alone break the property.
const std::set<std::string> configuration_bugs = {"echo_multicast too_many_traitors", "oral_messages too_many_traitors",
                                                  "flexible_paxos small_q1", "flexible_paxos small_q2",
                                                  "fast_paxos small_system"};

// Bugs whose smallest instance violates another property by the same step.
const std::map<std::string, std::string> at_once = {{"raft one_vote_elects", "agreement"}};

std::string describe(const Parameters& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters) text += " " + name + "=" + value;
  return text.empty() ? " defaults" : text;
}

// Returns the names of the properties that a run violates. A property "refines X" is checked beside the others if
// it is the one of interest.
std::vector<std::string> violated(const Definition& definition, const Parameters& parameters, const std::string& bug,
                                  const std::string& property = "") {
  Model model(definition, parameters, bug);
  if (property.starts_with("refines ")) model.refine(property.substr(8), "strict", "corrected");
  SearchOptions options;
  options.limits.bytes = std::size_t{2} << 30;  // the smallest parameters are small
  const run::CheckResult checked_model = checked(std::move(model), with_plan({}, options));
  const SearchResult& result = checked_model.search;
  const auto& system = checked_model.system;
  EXPECT_EQ(result.verdict == Verdict::Violated, !result.violations.empty());
  EXPECT_NE(result.verdict, Verdict::Unknown) << result.stopped_by;
  std::vector<std::string> names;
  for (const Finding& f : result.violations) {
    names.push_back(system->properties()[f.property].name);
    EXPECT_TRUE(follow(*system, f.path).has_value()) << "the trace does not replay";
  }
  if (result.violations.empty()) {
    for (const std::size_t i : result.unreached) names.push_back(system->properties()[i].name);
  }
  return names;
}

struct Count {
  const Definition* definition;
  Expected expected;
};
void PrintTo(const Count& c, std::ostream* out) { *out << c.definition->name << describe(c.expected.parameters); }

std::vector<Count> all_counts() {
  std::vector<Count> counts;
  for (const Definition& d : library()) {
    for (const Expected& e : d.expected) counts.push_back({&d, e});
  }
  return counts;
}

class ExpectedCounts : public testing::TestWithParam<Count> {};

TEST_P(ExpectedCounts, AreExact) {
  const auto& [definition, expected] = GetParam();
  SearchOptions options;
  options.stop_at_violation = false;
  const SearchResult result = checked(Model(*definition, expected.parameters), with_plan({}, options)).search;
  EXPECT_TRUE(result.complete) << result.stopped_by;
  EXPECT_EQ(result.counters.states, expected.states) << expected.source;
  if (expected.transitions != 0) {
    EXPECT_EQ(result.counters.transitions, expected.transitions) << expected.source;
  }
  EXPECT_EQ(result.counters.deadlocks, expected.deadlocks) << expected.source;
}

INSTANTIATE_TEST_SUITE_P(Library, ExpectedCounts, testing::ValuesIn(all_counts()), [](const auto& test) {
  return identifier(test.param.definition->name + describe(test.param.expected.parameters));
});

class Bugs : public testing::TestWithParam<Defect> {};

TEST_P(Bugs, BreakTheirProperty) {
  const auto& [definition, bug] = GetParam();
  std::set<std::string> expected = {bug.property};
  const auto other = at_once.find(definition->name + " " + bug.name);
  if (other != at_once.end()) expected.insert(other->second);
  const auto names = violated(*definition, bug.parameters, bug.name, bug.property);
  EXPECT_EQ(std::set(names.begin(), names.end()), expected);
}

TEST_P(Bugs, SlowAreTheCause) {
  const auto& [definition, bug] = GetParam();
  const bool configuration = configuration_bugs.contains(definition->name + " " + bug.name);
  EXPECT_EQ(violated(*definition, bug.parameters, "", bug.property),
            configuration ? std::vector{bug.property} : std::vector<std::string>{});
}

INSTANTIATE_TEST_SUITE_P(Library, Bugs, testing::ValuesIn(all_defects()), [](const auto& test) {
  return identifier(test.param.definition->name + " " + test.param.bug.name);
});

class Models : public testing::TestWithParam<const Definition*> {};

std::vector<const Definition*> all_models() {
  std::vector<const Definition*> models;
  for (const Definition& d : library()) models.push_back(&d);
  return models;
}

TEST_P(Models, HoldByDefaultUnlessTheyAreKnownToBeWrong) {
  EXPECT_EQ(violated(*GetParam(), {}, ""), GetParam()->violates);
  const Model model(*GetParam());
  for (const auto& refinement : model.refinements()) {
    EXPECT_EQ(violated(*GetParam(), {}, "", "refines " + refinement->name), std::vector<std::string>{});
  }
}

TEST_P(Models, SayWhatTheyAre) {
  const Definition& d = *GetParam();
  EXPECT_FALSE(d.summary.empty());
  EXPECT_FALSE(d.bugs.empty());
  EXPECT_FALSE(d.expected.empty());
  for (const Parameter& p : d.parameters) EXPECT_FALSE(p.help.empty()) << p.name;
  for (const Bug& b : d.bugs) EXPECT_FALSE(b.help.empty()) << b.name;
  for (const Expected& e : d.expected) EXPECT_FALSE(e.source.empty()) << describe(e.parameters);
}

INSTANTIATE_TEST_SUITE_P(Library, Models, testing::ValuesIn(all_models()),
                         [](const auto& test) { return identifier(test.param->name); });

TEST(Library, HasTheModelsOfTheManual) {
  for (const char* name : {"two_phase_commit",
                           "paxos",
                           "oral_messages",
                           "echo_multicast",
                           "storage",
                           "abd_register",
                           "single_copy_register",
                           "fd_consensus",
                           "lamport_mutex",
                           "chang_roberts",
                           "byzantine_broadcast",
                           "distributed_register",
                           "erroneous_register",
                           "another_register",
                           "open_chord",
                           "multi_paxos",
                           "raft",
                           "zab",
                           "viewstamped_replication",
                           "flexible_paxos",
                           "fast_paxos",
                           "cheap_paxos",
                           "stoppable_paxos",
                           "pbft",
                           "hotstuff"}) {
    EXPECT_NE(find_model(name), nullptr) << name;
  }
}

struct Variant {
  std::string name;
  std::string model;
  Parameters parameters;
  Network::Traffic traffic;
  unsigned crashes;
  std::string bug;
  std::size_t states;
};
void PrintTo(const Variant& v, std::ostream* out) { *out << v.name; }

constexpr unsigned any_number = 64;
using enum Network::Traffic;
const std::vector<Variant> variants = {
    {"paxos_grm", "paxos", {{"proposers", "1"}}, GRM, 0, "", 1229},
    {"paxos_rm", "paxos", {{"proposers", "1"}}, RM, 0, "", 1229},
    {"paxos_one_crash", "paxos", {{"proposers", "1"}}, M, 1, "", 1054},
    {"paxos_any_crashes", "paxos", {{"proposers", "1"}}, M, any_number, "", 10708},
    {"paxos_tame_bug", "paxos", {{"proposers", "2"}, {"learners", "1"}}, M, 0, "last_accepted", 20340},
    {"storage_grm", "storage", {{"monitor", "no"}}, GRM, 0, "", 12401},
    {"storage_rm", "storage", {{"monitor", "no"}}, RM, 0, "", 12401},
    {"storage_one_crash", "storage", {{"monitor", "no"}}, M, 1, "", 4626},
    {"storage_any_crashes", "storage", {{"monitor", "no"}}, M, any_number, "", 54155},
};

class VariantCounts : public testing::TestWithParam<Variant> {};

TEST_P(VariantCounts, AreExact) {
  const Variant& v = GetParam();
  Model model(*find_model(v.model), v.parameters, v.bug);
  model.network.traffic = v.traffic;
  model.faults.crashes = v.crashes;
  const run::CheckResult result = checked(std::move(model), with_plan({}));
  EXPECT_EQ(result.verdict, Verdict::Holds);
  EXPECT_EQ(result.counters.states, v.states);
}

INSTANTIATE_TEST_SUITE_P(Library, VariantCounts, testing::ValuesIn(variants),
                         [](const auto& test) { return test.param.name; });

// Looks at every state, so it calls the search itself.
TEST(EchoMulticast, SeventeenStatesDisagreeWithTooManyTraitors) {
  const auto system = make_actor_system(Model(*find_model("echo_multicast"), {{"hr", "2"}, {"br", "2"}}));
  std::size_t bad = 0;
  SearchOptions options;
  options.stop_at_violation = false;
  options.on_state = [&](std::span<const Slot> state) { bad += (system->evaluate(state) & 1) == 0; };
  search(*system, options);
  EXPECT_EQ(bad, 17u);
}

}  // namespace
}  // namespace heddle::library_test
