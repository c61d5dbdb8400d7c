#include "explain/minimise.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>
#include <set>

#include "explain/delta_debugging.h"
#include "explain/goal.h"
#include "explain/make_trace.h"
#include "explain/shortcuts.h"
#include "explain/toy_system.h"

namespace heddle::explain::minimise_test {
namespace {

// Random steps until the goal is reached; nullopt if `length` steps do not suffice.
std::optional<Path> random_path(const TransitionSystem& system, const Goal& goal, std::size_t length,
                                std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Path path;
  SlotVector state = system.initial_states()[0];
  StepBuffer steps;
  while (!goal.look(state).reached) {
    steps.clear();
    system.expand(state, steps);
    if (steps.size() == 0 || path.steps.size() == length) return std::nullopt;
    const std::size_t k = random() % steps.size();
    path.steps.push_back(steps.step(k));
    state = apply_changes(state, steps.changes(k));
  }
  return path;
}

// `length` random steps, fewer only if there are none left.
Path ramble(const TransitionSystem& system, std::size_t length, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Path path;
  SlotVector state = system.initial_states()[0];
  StepBuffer steps;
  while (path.steps.size() < length) {
    steps.clear();
    system.expand(state, steps);
    if (steps.size() == 0) break;
    const std::size_t k = random() % steps.size();
    path.steps.push_back(steps.step(k));
    state = apply_changes(state, steps.changes(k));
  }
  return path;
}

Cost cost_of_path(const TransitionSystem& system, const Path& path) {
  const trace::Trace trace = make_trace(system, path, std::nullopt);
  std::set<std::uint32_t> lanes;
  Cost cost;
  cost.steps = trace.steps.size();
  for (const trace::Step& step : trace.steps) {
    lanes.insert(step.lane);
    cost.messages += step.sent.size();
    cost.faults += step.kind != "step" ? 1 : 0;
  }
  cost.lanes = lanes.size();
  return cost;
}

// Two workers count up to 3 each; a third goes round in circles. Bad: worker 1 has counted to 3.
ToySystem counters() {
  ToySystem system(3, {{"one", 0}, {"one left", 3}, {"two", 0}, {"two left", 3}, {"here", 1}, {"there", 0}},
                   {{0, "count", {1}, {0}}, {1, "count", {3}, {2}}, {2, "go", {4}, {5}}, {2, "return", {5}, {4}}});
  system.property("below", Property::Kind::Always, [](const auto& m) { return m[0] < 3; });
  return system;
}

TEST(Minimise, LeavesOutEverythingThatDoesNotMatter) {
  const ToySystem system = counters();
  const Goal goal(system, 0);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto path = random_path(system, goal, 1000, seed);
    ASSERT_TRUE(path);
    const Path small = minimise(system, {0, *path});
    EXPECT_EQ(cost_of_path(system, small), (Cost{3, 1, 0, 0}));
    EXPECT_EQ(make_trace(system, small, 0).verdict, "violated");
  }
}

TEST(Minimise, DeltaDebuggingAloneDoesIt) {
  const ToySystem system = counters();
  const Goal goal(system, 0);
  StepCatalogue catalogue(system);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Effort effort(1'000'000, 60);
    const Workshop shop{system, goal, catalogue, effort};
    auto found = walk(shop, *random_path(system, goal, 1000, seed));
    ASSERT_TRUE(found);
    delta_debug(shop, *found);
    EXPECT_EQ(found->cost(), (Cost{3, 1, 0, 0}));
    EXPECT_TRUE(follow(system, found->path()));
  }
}

TEST(Minimise, KeepsAReceiveTogetherWithItsSend) {
  // 1 sends to 2, 2 sends to 3, 3 is then bad; 1 may also chat with 2 as often as it likes.
  ToySystem system(3,
                   {{"ready", 1},
                    {.name = "A", .message = true, .from = 0, .to = 1},
                    {.name = "B", .message = true, .from = 1, .to = 2},
                    {"bad", 0},
                    {.name = "Chat", .message = true, .from = 0, .to = 1},
                    {"budget", 8}},
                   {{0, "send", {0}, {1}},
                    {1, "forward", {1}, {2}},
                    {2, "fail", {2}, {3}},
                    {0, "chat", {5}, {4}},
                    {1, "listen", {4}, {}}});
  system.property("good", Property::Kind::Always, [](const auto& m) { return m[3] == 0; });
  const Goal goal(system, 0);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    StepCatalogue catalogue(system);
    Effort effort(1'000'000, 60);
    const Workshop shop{system, goal, catalogue, effort};
    auto found = walk(shop, *random_path(system, goal, 1000, seed));
    delta_debug(shop, *found);
    EXPECT_EQ(found->cost(), (Cost{3, 3, 2, 0}));
  }
}

// Two ways of the same length to the same end: one through three processes, one through one.
ToySystem two_ways() {
  ToySystem system(3,
                   {{"start", 1},
                    {.name = "M", .message = true, .from = 0, .to = 1},
                    {.name = "N", .message = true, .from = 1, .to = 2},
                    {"end", 0},
                    {"a", 0},
                    {"b", 0}},
                   {{0, "send", {0}, {1}},
                    {1, "forward", {1}, {2}},
                    {2, "arrive", {2}, {3}},
                    {0, "walk", {0}, {4}},
                    {0, "walk on", {4}, {5}},
                    {0, "arrive", {5}, {3}}});
  system.property("never", Property::Kind::Always, [](const auto& m) { return m[3] == 0; });
  return system;
}

TEST(Minimise, PrefersFewerProcessesAndMessagesAtEqualLength) {
  const ToySystem system = two_ways();
  const Path crowded{0, {{0, 0}, {1, 0}, {2, 0}}};
  const Path small = minimise(system, {0, crowded});
  EXPECT_EQ(cost_of_path(system, small), (Cost{3, 1, 0, 0}));
}

TEST(Minimise, PrefersFewerFaultsAtEqualLength) {
  ToySystem system(
      2, {{"start", 1}, {"down", 0}, {"tired", 0}, {"end", 0}},
      {{0, "crash", {0}, {1}, "crash"}, {0, "stop", {1}, {3}}, {0, "rest", {0}, {2}}, {0, "stop", {2}, {3}}});
  system.property("never", Property::Kind::Always, [](const auto& m) { return m[3] == 0; });
  const Path small = minimise(system, {0, Path{0, {{0, 0}, {1, 0}}}});
  EXPECT_EQ(cost_of_path(system, small), (Cost{2, 1, 0, 0}));
}

TEST(Minimise, ADeadlockStaysADeadlock) {
  // Dining philosophers: each takes the fork on the left, then the one on the right.
  ToySystem system(3,
                   {{"fork 1", 1},
                    {"fork 2", 1},
                    {"fork 3", 1},
                    {"1 has", 0},
                    {"2 has", 0},
                    {"3 has", 0},
                    {"1 eats", 0},
                    {"2 eats", 0},
                    {"3 eats", 0}},
                   {{0, "take", {0}, {3}},
                    {1, "take", {1}, {4}},
                    {2, "take", {2}, {5}},
                    {0, "eat", {3, 1}, {6}},
                    {1, "eat", {4, 2}, {7}},
                    {2, "eat", {5, 0}, {8}},
                    {0, "stop", {6}, {0, 1}},
                    {1, "stop", {7}, {1, 2}},
                    {2, "stop", {8}, {2, 0}}});
  system.property("deadlock_free", Property::Kind::DeadlockFree, [](const auto&) { return false; });
  const Goal goal(system, 0);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Path small = minimise(system, {0, *random_path(system, goal, 100'000, seed)});
    EXPECT_EQ(small.steps.size(), 3u);
    const auto states = follow(system, small);
    ASSERT_TRUE(states);
    EXPECT_TRUE(goal.look(states->back()).reached);
  }
}

TEST(Minimise, WitnessesAreMinimisedToo) {
  ToySystem system = counters();
  system.property("two at 2", Property::Kind::Sometimes, [](const auto& m) { return m[2] == 2; });
  const Goal goal(system, 1);
  const Path small = minimise(system, {1, *random_path(system, goal, 1000, 7)});
  EXPECT_EQ(cost_of_path(system, small), (Cost{2, 1, 0, 0}));
}

TEST(Minimise, DoesNotLeadThroughABound) {
  // The short way leads through a place that a bound forbids to go on from.
  ToySystem system(
      1, {{"start", 1}, {"forbidden", 0}, {"a", 0}, {"b", 0}, {"end", 0}},
      {{0, "jump", {0}, {1}}, {0, "land", {1}, {4}}, {0, "walk", {0}, {2}}, {0, "on", {2}, {3}}, {0, "in", {3}, {4}}});
  system.property("never", Property::Kind::Always, [](const auto& m) { return m[4] == 0; });
  system.property("bound", Property::Kind::Bound, [](const auto& m) { return m[1] == 0; });
  const Path small = minimise(system, {0, Path{0, {{2, 0}, {3, 0}, {4, 0}}}});
  EXPECT_EQ(small.steps.size(), 3u);
}

TEST(Minimise, ShortcutsWorkWithoutReachingTheEnd) {
  // A chain of 40 with a detour at every link: too deep for a search of 60 states, but each detour is near.
  constexpr std::uint32_t links = 40;
  std::vector<ToyPlace> places;
  std::vector<ToyRule> rules;
  for (std::uint32_t i = 0; i <= links; ++i) {
    places.push_back({"at " + std::to_string(i), i == 0 ? 1u : 0u});
    places.push_back({"aside " + std::to_string(i), 0});
  }
  for (std::uint32_t i = 0; i < links; ++i) {
    rules.push_back({0, "aside", {2 * i}, {2 * i + 1}});
    rules.push_back({0, "back", {2 * i + 1}, {2 * i + 2}});
    rules.push_back({0, "straight", {2 * i}, {2 * i + 2}});
  }
  ToySystem system(1, places, rules);
  system.property("never", Property::Kind::Always, [](const auto& m) { return m[2 * links] == 0; });
  Path path;
  for (std::uint32_t i = 0; i < links; ++i) path.steps.insert(path.steps.end(), {{3 * i, 0}, {3 * i + 1, 0}});
  const Path small = minimise(system, {0, path}, {.states = 10, .detour_states = 20});
  EXPECT_EQ(small.steps.size(), links);
}

TEST(Minimise, RefusesAPathThatShowsNothing) {
  const ToySystem system = counters();
  EXPECT_THROW(minimise(system, {0, Path{0, {{2, 0}}}}), ModelError);
  EXPECT_THROW(minimise(system, {0, Path{0, {{3, 0}}}}), ModelError);
}

// Random little systems: whatever is found at random shrinks to the length of the shortest run, and can be followed.
RC_GTEST_PROP(Minimise, IsAsShortAsABreadthFirstSearchFindsIt, ()) {
  const auto lanes = *rc::gen::inRange<std::uint32_t>(1, 4);
  const auto place_count = *rc::gen::inRange<std::uint32_t>(3, 8);
  std::vector<ToyPlace> places;
  for (std::uint32_t p = 0; p < place_count; ++p) {
    places.push_back({"p" + std::to_string(p), *rc::gen::inRange<std::uint32_t>(0, 3)});
    places.back().message = *rc::gen::arbitrary<bool>();
  }
  std::vector<ToyRule> rules;
  const auto rule_count = *rc::gen::inRange<std::uint32_t>(2, 8);
  for (std::uint32_t r = 0; r < rule_count; ++r) {
    const auto from = *rc::gen::inRange<std::uint32_t>(0, place_count);
    const auto to = *rc::gen::inRange<std::uint32_t>(0, place_count);
    rules.push_back({*rc::gen::inRange<std::uint32_t>(0, lanes), "r" + std::to_string(r), {from}, {to}});
  }
  // Bad is the one state in which some random steps happen to end.
  ToySystem rambler(lanes, places, rules);
  const Path path = ramble(rambler, 60, *rc::gen::arbitrary<std::uint64_t>());
  ToySystem::Marking bad;
  const auto rambled = follow(rambler, path);
  for (const Slot slot : rambled->back()) bad.push_back(slot - 1);
  ToySystem system(lanes, places, rules);
  system.property("never", Property::Kind::Always, [&](const auto& m) { return m != bad; });
  const Goal goal(system, 0);
  const Path small = minimise(system, {0, path});
  const auto states = follow(system, small);
  RC_ASSERT(states.has_value());
  RC_ASSERT(goal.look(states->back()).reached);
  RC_ASSERT(cost_of_path(system, small) <= cost_of_path(system, path));
  const SearchResult shortest = search(system);
  RC_ASSERT(shortest.violations.size() == 1u);
  RC_ASSERT(small.steps.size() == shortest.violations[0].path.steps.size());
  RC_ASSERT(minimise(system, {0, path}).steps == small.steps);
}

}  // namespace
}  // namespace heddle::explain::minimise_test
