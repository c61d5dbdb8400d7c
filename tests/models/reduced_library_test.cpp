// The library with every reduction the program applies by default: each seeded bug is found, each correct model holds, as without.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "actor/actor_system.h"
#include "core/facets/assumptions.h"
#include "core/facets/forgetting.h"
#include "heddle/model.h"
#include "models/defects.h"
#include "reduce/reduced_search.h"
#include "reduce/selective_hashing.h"

namespace heddle::reduced_library_test {
namespace {

struct Reduced {
  std::set<std::string> violated;
  SearchResult result;
  std::string left_out;
};

Reduced reduced(const Definition& definition, const std::map<std::string, std::string>& parameters,
                const std::string& bug, const std::string& refines) {
  const auto model = [&] {
    Model m(definition, parameters, bug);
    if (!refines.empty()) m.refine(refines, "strict", "corrected");
    return m;
  };
  ActorOptions options;
  options.split = Split::Combined;
  const auto full = make_actor_system(model(), options);
  SlotVector initial = full->initial_states()[0];
  options.forget_auxiliary = full->forgetting()->forget_auxiliary(initial);
  options.drop_dead = ActorOptions::DropDead::UpToRenaming;
  const auto system = make_actor_system(model(), options);
  ReductionPlan plan;
  plan.partial_order = plan.symmetry = plan.dead = true;
  plan.auxiliary = options.forget_auxiliary;
  SearchOptions search_options;
  search_options.limits.bytes = std::size_t{2} << 30;
  ReductionReport report;
  Reduced r;
  r.result = reduced_search(*system, search_options, plan, report);
  for (const Finding& f : r.result.violations) {
    r.violated.insert(system->properties()[f.property].name);
    const auto path = recall_finding(*full, *system, f);
    EXPECT_TRUE(path.has_value()) << "the run does not exist without reductions";
    if (!path) continue;
    const auto states = follow(*full, *path);
    EXPECT_TRUE(states.has_value() && (full->evaluate(states->back()) >> f.property & 1) == 0);
  }
  if (r.result.violations.empty() && r.result.complete) {
    for (const std::size_t i : r.result.unreached) r.violated.insert(system->properties()[i].name);
  }
  r.left_out = system->assumptions()->left_out();
  return r;
}

class ReducedDefects : public testing::TestWithParam<Defect> {};

TEST_P(ReducedDefects, AreFound) {
  const auto& [definition, bug] = GetParam();
  const std::string refines = bug.property.starts_with("refines ") ? bug.property.substr(8) : "";
  const Reduced r = reduced(*definition, bug.parameters, bug.name, refines);
  EXPECT_TRUE(r.violated.contains(bug.property)) << r.result.stopped_by;
}

INSTANTIATE_TEST_SUITE_P(Library, ReducedDefects, testing::ValuesIn(all_defects()), [](const auto& test) {
  return identifier(test.param.definition->name + " " + test.param.bug.name);
});

struct Bound {
  std::string model;
  std::map<std::string, std::string> parameters;
  bool refines;
  std::size_t states;  // own search; without dead messages some of these do not end
};

TEST(ReducedLibrary, SlowLargeInstancesEnd) {
  const Bound bounds[] = {
      {"paxos", {{"proposers", "3"}}, false, 3711},
      {"raft", {}, false, 1684},
      {"raft", {{"terms", "3"}, {"entries", "2"}}, true, 132511},
      {"raft", {{"harness", "2R+1W"}}, false, 48463},
      {"zab", {{"harness", "2R+2W"}}, false, 579584},
  };
  for (const Bound& b : bounds) {
    const Reduced r = reduced(*find_model(b.model), b.parameters, "", b.refines ? "qtree" : "");
    EXPECT_EQ(r.result.verdict, Verdict::Holds) << b.model;
    EXPECT_TRUE(r.result.complete) << b.model;
    EXPECT_EQ(r.result.counters.states, b.states) << b.model;
    EXPECT_EQ(r.left_out, "dead messages") << b.model;
  }
}

}  // namespace
}  // namespace heddle::reduced_library_test
