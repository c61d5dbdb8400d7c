// Why a step is missing is said as it is: each reason on a model that was made for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "actor/actor_system.h"
#include "core/facets/describer.h"
#include "heddle/heddle.h"

namespace heddle::missing_steps_test {
namespace {

using ::testing::ElementsAre;
using ::testing::MatchesRegex;

struct Waiter;
struct Ping {};
struct Sender {
  int sent = 0;
  void send(ToAll<Waiter, Ping> out) {
    require(sent == 0);
    ++sent;
    out.send({});
  }
  static constexpr auto transitions = heddle::transitions<&Sender::send>;
};
struct Waiter {
  bool ready = false;
  int got = 0;
  void prepare() {
    require(!ready);
    ready = true;
  }
  void both(const Quorum<Ping, Sender>& all) {
    require(ready);
    require(static_cast<int>(all.size()) == 2);
    ++got;
  }
  void never(Choice choose) { require(choose(2) == 7); }
  static constexpr auto transitions = heddle::transitions<&Waiter::prepare, &Waiter::both, &Waiter::never>;
};

std::vector<std::string> missing(const TransitionSystem& system, std::span<const Slot> state) {
  std::vector<std::string> out;
  for (const MissingStep& one : system.describer().missing_steps(state)) {
    out.push_back(system.describer().lanes()[one.lane].name + " " + one.name + ": " + one.why);
  }
  return out;
}

// The state after the first step of this name.
SlotVector after(const TransitionSystem& system, std::span<const Slot> state, const std::string& lane_and_name) {
  StepBuffer steps;
  system.expand(state, steps);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    SlotVector to = apply_changes(state, steps.changes(i));
    const trace::Step step = system.describer().describe_step(state, steps.step(i), to);
    if (system.describer().lanes()[step.lane].name + " " + step.name == lane_and_name) return to;
  }
  throw ModelError("no step " + lane_and_name);
}

TEST(MissingSteps, AreExplained) {
  const auto system = make_actor_system(Model(Definition{.name = "test", .summary = "", .build = [](Model& m) {
                                                           m.add<Sender>(3);
                                                           m.add<Waiter>();
                                                         }}));
  const std::string guard = R"(: the guard at missing_steps_test\.cpp:[0-9]+ is false)";
  SlotVector state = system->initial_states()[0];
  EXPECT_THAT(missing(*system, state),
              ElementsAre("waiter both: 0 of 2 Ping have arrived", MatchesRegex("waiter never" + guard)));
  state = after(*system, state, "sender 1 send");
  EXPECT_THAT(missing(*system, state),
              ElementsAre(MatchesRegex("sender 1 send" + guard), "waiter both: 1 of 2 Ping have arrived",
                          MatchesRegex("waiter never" + guard)));
  state = after(*system, state, "sender 2 send");
  // The messages are there now, but the guard is false.
  EXPECT_THAT(missing(*system, state),
              ElementsAre(MatchesRegex("sender 1 send" + guard), MatchesRegex("sender 2 send" + guard),
                          MatchesRegex("waiter both" + guard), MatchesRegex("waiter never" + guard)));
  state = after(*system, state, "waiter prepare");
  EXPECT_THAT(missing(*system, state),
              ElementsAre(MatchesRegex("sender 1 send" + guard), MatchesRegex("sender 2 send" + guard),
                          MatchesRegex("waiter prepare" + guard), MatchesRegex("waiter never" + guard)));
}

TEST(MissingSteps, DoNotCountAsCoverage) {
  const auto system = make_actor_system(Model(Definition{.name = "test", .summary = "", .build = [](Model& m) {
                                                           m.add<Sender>(2);
                                                           m.add<Waiter>();
                                                         }}));
  const SlotVector state = system->initial_states()[0];
  const std::vector<std::uint64_t> executed(system->transition_count());
  StepBuffer steps;
  system->expand(state, steps);
  const Coverage before = system->describer().coverage(executed, false);
  missing(*system, state);
  const Coverage later = system->describer().coverage(executed, false);
  for (std::size_t i = 0; i < before.transitions.size(); ++i) {
    EXPECT_EQ(before.transitions[i].tried, later.transitions[i].tried);
    ASSERT_EQ(before.transitions[i].guards.size(), later.transitions[i].guards.size());
  }
}

}  // namespace
}  // namespace heddle::missing_steps_test
