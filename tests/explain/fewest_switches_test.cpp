#include "explain/fewest_switches.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "core/facets/describer.h"
#include "explain/goal.h"
#include "explain/minimise.h"
#include "support/random_thread_program.h"
#include "support/thread_program.h"

namespace heddle::explain::fewest_switches_test {
namespace {

using heddle::testing::Instruction;
using heddle::testing::Program;
using heddle::testing::ThreadSystem;
using enum Instruction::Op;

// A thread whose assertion fails once the other has stored, and loads on the way that do not matter.
Program waits_for_a_store() {
  return {.threads = {{{Load, 1, 1}, {Load, 1, 1}, {Load, 0, 0}, {Assert, 0, 0, 1}},
                      {{Load, 1}, {Load, 1}, {Store, 0, 0, 1}}}};
}

// Shortest, and the first of the shortest.
Path breadth_first_path(const TransitionSystem& system, const Goal& goal) {
  struct Node {
    SlotVector state;
    Path path;
  };
  std::vector<Node> queue = {{system.initial_states()[0], {}}};
  std::set<SlotVector> seen = {queue[0].state};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    if (goal.look(queue[i].state).reached) return queue[i].path;
    StepBuffer steps;
    system.expand(queue[i].state, steps);
    for (std::size_t k = 0; k < steps.size(); ++k) {
      Node next{apply_changes(queue[i].state, steps.changes(k)), queue[i].path};
      if (!seen.insert(next.state).second) continue;
      next.path.steps.push_back(steps.step(k));
      queue.push_back(std::move(next));
    }
  }
  return {};
}

std::size_t lane_of(const TransitionSystem& system, const SlotVector& state, Step step, const SlotVector& to) {
  return system.describer().describe_step(state, step, to).lane;
}

// Counts from the descriptions, step by step.
std::size_t switches_of(const TransitionSystem& system, const Path& path) {
  SlotVector state = system.initial_states()[path.initial];
  std::size_t switches = 0, last = ~std::size_t{0};
  for (const Step& step : path.steps) {
    SlotVector to;
    EXPECT_TRUE(system.execute(state, step, to));
    const std::size_t lane = lane_of(system, state, step, to);
    if (last != ~std::size_t{0} && lane != last) ++switches;
    last = lane;
    state = to;
  }
  return switches;
}

// The oracle: the states that k switches reach, for k = 0, 1, ...
std::size_t fewest(const TransitionSystem& system, const Goal& goal) {
  const SlotVector initial = system.initial_states()[0];
  if (goal.look(initial).reached) return 0;
  std::set<SlotVector> from = {initial};
  for (std::size_t switches = 0;; ++switches) {
    std::set<SlotVector> reached = from;
    for (std::size_t lane = 0; lane < system.describer().lanes().size(); ++lane) {
      std::set<SlotVector> alone = from;
      std::vector<SlotVector> work(from.begin(), from.end());
      while (!work.empty()) {
        const SlotVector state = std::move(work.back());
        work.pop_back();
        StepBuffer steps;
        system.expand(state, steps);
        for (std::size_t k = 0; k < steps.size(); ++k) {
          const SlotVector to = apply_changes(state, steps.changes(k));
          if (lane_of(system, state, steps.step(k), to) != lane || !alone.insert(to).second) continue;
          if (goal.look(to).reached) return switches;
          work.push_back(to);
        }
      }
      reached.insert(alone.begin(), alone.end());
    }
    if (reached == from) return ~std::size_t{0};
    from = std::move(reached);
  }
}

TEST(FewestSwitches, AShortestRunMaySwitchMoreOftenThanNeeded) {
  const ThreadSystem system(waits_for_a_store());
  const Goal goal(system, 0);
  const Path found = breadth_first_path(system, goal);
  ASSERT_EQ(found.steps.size(), 7u);
  ASSERT_GT(switches_of(system, found), 1u);
  const Path small = minimise(system, {0, found});
  EXPECT_EQ(switches_of(system, small), 1u);
  EXPECT_EQ(small.steps.size(), 7u);
}

TEST(FewestSwitches, BlocksAreJoinedWhereASearchIsTooLarge) {
  const ThreadSystem system(waits_for_a_store());
  const Goal goal(system, 0);
  const Path found = breadth_first_path(system, goal);
  const Path small = minimise(system, {0, found}, {.states = 2, .detour_states = 1});
  EXPECT_EQ(switches_of(system, small), 1u);
}

// If thread 0 begins, thread 1 leaves out its loads; but then thread 0 must go on a second time.
TEST(FewestSwitches, FewerSwitchesAreWorthMoreSteps) {
  const ThreadSystem system(
      {.threads = {{{Store, 1, 0, 1}, {Load, 0, 1}, {Assert, 0, 1, 1}},
                   {{Load, 1}, {Skip, 0, 0, 1, 3}, {Load, 0, 1}, {Load, 0, 1}, {Load, 0, 1}, {Store, 0, 0, 1}}}});
  const Goal goal(system, 0);
  const Path found = breadth_first_path(system, goal);
  ASSERT_EQ(found.steps.size(), 6u);
  ASSERT_EQ(switches_of(system, found), 2u);
  const Path small = minimise(system, {0, found});
  EXPECT_EQ(switches_of(system, small), 1u);
  EXPECT_EQ(small.steps.size(), 9u);
}

RC_GTEST_PROP(FewestSwitches, NoRunHasFewer, ()) {
  const ThreadSystem system(*heddle::testing::random_program(true));
  for (std::size_t property = 0; property < system.properties().size(); ++property) {
    const Goal goal(system, property);
    const Path found = breadth_first_path(system, goal);
    if (found.steps.empty()) continue;
    const Path small = minimise(system, {property, found});
    const std::size_t least = fewest(system, goal);
    RC_ASSERT(switches_of(system, small) == least);
    // What is done without the search is sound, and does not make it worse.
    const Path joined = minimise(system, {property, found}, {.states = 1, .detour_states = 1});
    RC_ASSERT(switches_of(system, joined) >= least);
    RC_ASSERT(switches_of(system, joined) <= switches_of(system, found));
  }
}

}  // namespace
}  // namespace heddle::explain::fewest_switches_test
