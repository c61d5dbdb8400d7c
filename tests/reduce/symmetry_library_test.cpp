// The audit of symmetry on models that are not symmetric, and symmetry on the library of models: own counts for the
// examples of Bokor's and Saissi's theses, one representative for each orbit.
#include <gtest/gtest.h>

#include <map>

#include "actor/actor_system.h"
#include "core/facets/symmetries.h"
#include "explore/search.h"
#include "reduce/audit_symmetry.h"
#include "reduce/orbits.h"
#include "reduce/symmetry.h"

namespace heddle::symmetry_library_test {
namespace {

using namespace orbits;

// --- Models that are not symmetric.

namespace favourites {

struct Node {
  bool chosen = false;
  void be_chosen(const Run& run, Id<Node> self) {
    require(!chosen && (!run.bug("handler") || self == Model::id<Node>(0)));
    chosen = true;
  }
  static constexpr auto transitions = heddle::transitions<&Node::be_chosen>;
};

Definition definition() {
  return {.name = "favourites",
          .summary = "some are more equal",
          .bugs = {{"handler", "someone"}, {"property", "someone"}},
          .build = [](Model& m) {
            m.add<Node>(3);
            const bool asymmetric = m.run().bug("property");
            m.always("someone", [asymmetric](const View& v) { return !asymmetric || !v.all<Node>()[2].chosen; });
          }};
}

}  // namespace favourites

TEST(AuditOfSymmetry, FindsAHandlerThatNamesAMember) {
  const auto system = make_actor_system(Model(favourites::definition(), {}, "handler"));
  const SymmetryAudit audit = audit_symmetry(*system);
  EXPECT_NE(audit.witness.find("exchanging node 1 and node 2: step 'node 1: be_chosen'"), std::string::npos)
      << audit.witness;
}

TEST(AuditOfSymmetry, FindsAPropertyThatNamesAMember) {
  const auto system = make_actor_system(Model(favourites::definition(), {}, "property"));
  const SymmetryAudit audit = audit_symmetry(*system);
  EXPECT_NE(audit.witness.find("exchanging node 2 and node 3: property 'someone' is true in only one"),
            std::string::npos)
      << audit.witness;
}

TEST(AuditOfSymmetry, FindsNothingInASymmetricModel) {
  const auto system = make_actor_system(Model(favourites::definition()));
  const SymmetryAudit audit = audit_symmetry(*system);
  EXPECT_EQ(audit.witness, "");
  EXPECT_TRUE(audit.complete);
  EXPECT_EQ(audit.states, 8u);
  EXPECT_EQ(audit.comparisons, 16u);
}

// A search notices asymmetry even if nobody has called the audit.
TEST(Symmetry, ASearchNoticesAsymmetry) {
  for (const char* bug : {"handler", "property"}) {
    const auto system = make_actor_system(Model(favourites::definition(), {}, bug));
    const Symmetry symmetry(*system);
    SearchOptions options;
    options.stop_at_violation = false;
    options.canonicalizer = [&] { return symmetry.canonicalizer(); };
    EXPECT_THROW(search(*system, options), ModelError) << bug;
  }
}

// --- The library.

std::unique_ptr<TransitionSystem> library_system(const std::string& name,
                                                 const std::map<std::string, std::string>& parameters = {},
                                                 ActorOptions::Symmetry scheme = ActorOptions::Symmetry::Roles) {
  return make_actor_system(Model(*find_model(name), parameters), {.symmetry = scheme});
}

std::uint64_t states_with(const std::string& name, const std::map<std::string, std::string>& parameters,
                          ActorOptions::Symmetry scheme, double& factor) {
  const auto system = library_system(name, parameters, scheme);
  const Symmetry symmetry(*system);
  SearchOptions options;
  options.canonicalizer = [&] { return symmetry.canonicalizer(); };
  const SearchResult result = search(*system, options);
  EXPECT_EQ(result.verdict, Verdict::Holds);
  EXPECT_TRUE(symmetry.exact());
  factor = symmetry_gain(symmetry.classes(), 1, 1).factor;
  return result.counters.states;
}

struct Figures {
  std::string model;
  std::map<std::string, std::string> parameters;
  std::uint64_t full, processes, roles;
  double processes_factor, roles_factor;
};

// Own counts. The 1 that is added for OM(1) is the state before traitors are drawn.
TEST(Symmetry, FiguresOfProcessesAndRoles) {
  const std::vector<Figures> all = {
      {"paxos", {{"learners", "0"}, {"numbers", "dynamic"}}, 10481, 5241, 1001, 2, 12},
      {"oral_messages", {{"rounds", "global"}}, 2404 + 1, 1286 + 1, 496 + 1, 2, 6},
  };
  for (const Figures& f : all) {
    EXPECT_EQ(search(*library_system(f.model, f.parameters)).counters.states, f.full);
    double factor = 0;
    EXPECT_EQ(states_with(f.model, f.parameters, ActorOptions::Symmetry::Processes, factor), f.processes);
    EXPECT_EQ(factor, f.processes_factor);
    EXPECT_EQ(states_with(f.model, f.parameters, ActorOptions::Symmetry::Roles, factor), f.roles);
    EXPECT_EQ(factor, f.roles_factor);
    const auto classes = library_system(f.model, f.parameters)->symmetries()->symmetry_classes();
    const SymmetryGain gain = symmetry_gain(classes, static_cast<double>(f.full), static_cast<double>(f.roles));
    EXPECT_GE(gain.efficiency, 0.8) << f.model;
    EXPECT_NEAR(gain.gain, gain.factor * gain.efficiency, 1e-9);
  }
}

TEST(Symmetry, TwoTraitorsFail) {
  for (const char* rounds : {"local", "global"}) {
    const auto system = library_system("oral_messages", {{"traitors", "2"}, {"rounds", rounds}});
    const Symmetry symmetry(*system);
    SearchOptions options;
    options.canonicalizer = [&] { return symmetry.canonicalizer(); };
    const ExploredOrbits e = explore_orbits(*system, options);
    EXPECT_EQ(e.result.verdict, Verdict::Violated);
    EXPECT_TRUE(e.violated.contains(1));
  }
}

TEST(Symmetry, SlowThreadsFiveLieutenants) {
  const auto system = library_system("oral_messages", {{"lieutenants", "5"}});
  const Symmetry symmetry(*system);
  SearchOptions options;
  options.threads = 2;
  options.canonicalizer = [&] { return symmetry.canonicalizer(); };
  const SearchResult result = search(*system, options);
  EXPECT_EQ(result.verdict, Verdict::Holds);
  EXPECT_EQ(result.counters.states, 1026877u);
}

// Every model of the library that has symmetry has as many representatives as orbits, with ghost variables, histories
// and faults.
TEST(Symmetry, SlowLibraryModelsHaveOneRepresentativeForEachOrbit) {
  std::size_t symmetric = 0;
  for (const Definition& d : library()) {
    for (const bool faults : {false, true}) {
      Model model(d);
      if (faults) {
        model.faults.crashes = 1;
        model.network.losses = model.network.order == Network::Order::Soup ? 0 : 1;
      }
      const auto system = make_actor_system(std::move(model));
      if (system->symmetries()->symmetry_classes().empty() || group(*system).size() > 24) continue;
      ++symmetric;
      SCOPED_TRACE(d.name);
      SearchOptions options;
      options.limits.depth = 5;
      expect_one_representative_each(*system, options);
      EXPECT_EQ(audit_symmetry(*system, {.depth = 4}).witness, "");
    }
  }
  EXPECT_GE(symmetric, 8u);
}

// Co-located roles are permuted separately, unless they crash together.
TEST(Symmetry, ColocatedRoles) {
  const std::map<std::string, std::string> parameters = {{"learners", "0"}, {"numbers", "dynamic"}};
  const auto roles = library_system("paxos", parameters)->symmetries()->symmetry_classes();
  ASSERT_EQ(roles.size(), 2u);
  EXPECT_EQ(roles[0].name, "Proposer");
  EXPECT_EQ(roles[0].members.size(), 2u);
  EXPECT_EQ(roles[1].members.size(), 3u);
  Model crashing(*find_model("paxos"), parameters);
  crashing.faults.crashes = 1;
  const auto system = make_actor_system(std::move(crashing));
  const auto together = system->symmetries()->symmetry_classes();
  ASSERT_EQ(together.size(), 1u);
  EXPECT_EQ(together[0].name, "Proposer+Acceptor");
  EXPECT_EQ(together[0].members, (std::vector<std::vector<std::uint32_t>>{{0, 2}, {1, 3}}));
  SearchOptions options;
  options.limits.depth = 5;
  expect_one_representative_each(*system, options);
  EXPECT_EQ(audit_symmetry(*system, {.depth = 5}).witness, "");
}

}  // namespace
}  // namespace heddle::symmetry_library_test
