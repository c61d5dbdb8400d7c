// What a window is shown agrees with the model: its steps, its states, its properties; and a path means the same to
// every process.
#include "exploration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "report/trace_json.h"
#include "run/check.h"
#include "run/doors.h"
#include "run/listener.h"
#include "run/replay.h"

namespace heddle::explorer::exploration_test {
namespace {

using ::testing::HasSubstr;
namespace json = boost::json;

run::Instance instance_of(const std::string& model, const run::RunSettings& settings = {}) {
  return run::open(model).instance(settings);
}

json::object look(Exploration& exploration, const Position& position) {
  return json::parse(exploration.look(position)).as_object();
}

std::string here(const json::object& all, const std::string& property) {
  for (const json::value& one : all.at("properties").as_array()) {
    if (one.at("name").as_string() == property) return std::string(one.at("here").as_string());
  }
  return "no such property";
}

std::string write(const std::string& name, const std::string& text) {
  const std::string file = (std::filesystem::path(testing::TempDir()) / name).string();
  std::ofstream(file) << text;
  return file;
}

TEST(Exploration, ShowsAState) {
  Exploration exploration(instance_of("two_phase_commit", {.parameters = {}, .bug = "commit_early", .switches = {}}),
                          {}, "heddle explore");
  json::object all = look(exploration, {});
  EXPECT_EQ(all.at("enabled").at("steps").as_array().size(), 5u);
  EXPECT_EQ(here(all, "consistent"), "holds");
  EXPECT_TRUE(all.at("starts").as_array().empty());
  EXPECT_EQ(all.at("finding").at("trace").at("verdict").as_string(), "unknown");
  all = look(exploration, {.initial = 0, .choices = {1}});
  const json::array& steps = all.at("finding").at("trace").at("steps").as_array();
  ASSERT_EQ(steps.size(), 1u);
  // What was offered is what happened.
  EXPECT_EQ(json::serialize(steps[0]), json::serialize(look(exploration, {}).at("enabled").at("steps").as_array()[1]));
}

TEST(Exploration, RefusesAPathThatIsNone) {
  Exploration exploration(instance_of("two_phase_commit"), {}, "");
  EXPECT_THROW(exploration.look({.initial = 1, .choices = {}}), Refusal);
  EXPECT_THROW(exploration.look({.initial = 0, .choices = {0, 99}}), Refusal);
}

TEST(Exploration, GoesWhereASearchWent) {
  const run::Instance instance =
      instance_of("two_phase_commit", {.parameters = {}, .bug = "commit_early", .switches = {}});
  run::Listener nobody;
  const run::CheckResult found = run::check(instance, {}, nobody);
  ASSERT_EQ(found.violations.size(), 1u);
  Exploration exploration(instance, {}, "");
  const Position position = exploration.position_of(found.violations[0].trace);
  const trace::Trace again = exploration.trace(position);
  EXPECT_EQ(again.verdict, "violated");
  EXPECT_EQ(again.property, "consistent");
  EXPECT_EQ(report::to_json(again), report::to_json(found.violations[0].trace));
  EXPECT_EQ(here(look(exploration, position), "consistent"), "false");
  trace::Trace strange = again;
  strange.steps[0].name = "no_such_step";
  EXPECT_THROW(exploration.position_of(strange), Refusal);
}

// Every door: random walks, made by one process, are followed by another and accepted by replay.
TEST(Exploration, WalksAreReplayed) {
  struct Case {
    std::string model;
    run::RunSettings settings;
  };
  const std::string net = write("explored.net",
                                "place left 3\nplace done\ntransition count: left -> done\n"
                                "transition back: done -> left\nalways below: done < 4\n");
  const std::vector<Case> cases = {
      {"paxos", {}},
      {"raft", {}},
      {"zab",
       {.parameters = {},
        .bug = "",
        .switches = {{"network", "multiset"}, {"crashes", "1"}, {"loss", "1"}, {"partitions", "1"}}}},
      {"open_chord", {}},
      {net, {}},
  };
  std::mt19937 random(20);
  for (const Case& one : cases) {
    SCOPED_TRACE(one.model);
    const run::Instance instance = instance_of(one.model, one.settings);
    Exploration exploration(instance, {}, ""), other(instance, {}, "");
    for (int walk = 0; walk < 5; ++walk) {
      Position position;
      for (int step = 0; step < 12; ++step) {
        const json::object all = look(exploration, position);
        const std::size_t count = all.at("enabled").at("steps").as_array().size();
        EXPECT_EQ(all.at("left_out").to_number<int>(), 0);
        if (count == 0) break;
        position.choices.push_back(random() % count);
      }
      const trace::Trace trace = exploration.trace(position);
      EXPECT_EQ(report::to_json(other.trace(position)), report::to_json(trace));
      const run::ReplayResult replayed = run::replay(instance, trace);
      EXPECT_EQ(report::to_json(replayed.trace), report::to_json(trace));
    }
  }
}

TEST(Exploration, TellsInitialStatesApart) {
  Exploration exploration(instance_of("raft"), {}, "");
  const json::object all = look(exploration, {});
  const json::array& starts = all.at("starts").as_array();
  if (starts.empty()) return;  // the model has one
  for (std::size_t i = 1; i < starts.size(); ++i) EXPECT_NE(starts[i].as_string(), starts[0].as_string());
}

}  // namespace
}  // namespace heddle::explorer::exploration_test
