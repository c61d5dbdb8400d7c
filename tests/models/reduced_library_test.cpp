// The library with every reduction that the program applies by default: each seeded bug is found, and each
// correct model holds.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "heddle/model.h"
#include "models/defects.h"
#include "support/checked.h"

namespace heddle::reduced_library_test {
namespace {

struct Reduced {
  std::set<std::string> violated;
  run::CheckResult result;
};

Reduced reduced(const Definition& definition, const std::map<std::string, std::string>& parameters,
                const std::string& bug, const std::string& refines) {
  run::RunSettings settings{parameters, bug, {}};
  settings.switches["refines"] = refines.empty() ? "none" : refines;
  run::CheckRequest request;
  request.search.limits.bytes = std::size_t{2} << 30;
  request.explain = false;
  Sentences sentences;
  Reduced r;
  r.result = run::check(run::open_definition(definition).instance(settings), request, sentences);
  for (const std::string& sentence : sentences.all) {
    EXPECT_EQ(sentence.find("does not exist with it"), sentence.npos) << "the run does not exist without reductions";
  }
  const TransitionSystem& full = *r.result.system;
  for (const Finding& f : r.result.search.violations) {
    r.violated.insert(full.properties()[f.property].name);
    const auto states = follow(full, f.path);
    EXPECT_TRUE(states.has_value() && (full.evaluate(states->back()) >> f.property & 1) == 0);
  }
  if (r.violated.empty() && r.result.complete) {
    for (const std::size_t i : r.result.search.unreached) r.violated.insert(full.properties()[i].name);
  }
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
  std::size_t states;  // own search; without dropping dead messages some of these do not end
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
    EXPECT_NE(std::ranges::find(r.result.reductions, "dead messages"), r.result.reductions.end()) << b.model;
  }
}

}  // namespace
}  // namespace heddle::reduced_library_test
