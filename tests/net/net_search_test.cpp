// Nets through the real searches: the engine must not notice that they are not actors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/facets/describer.h"
#include "explore.h"
#include "explore/search.h"
#include "net/load_net.h"
#include "net/net_parser.h"
#include "net/net_system.h"
#include "random_net.h"

namespace heddle::net::net_search_test {
namespace {

NetSystem system_of(const char* text) { return NetSystem(parse_net(text, "test.net")); }

std::unique_ptr<TransitionSystem> example(const std::string& name) {
  return load_net(std::filesystem::path(HEDDLE_SOURCE_DIR) / "examples/nets" / name);
}

TEST(NetSearch, CountsTheSeedExampleInEveryOrder) {
  const auto system = example("seed.net");
  using Order = SearchOptions::Order;
  for (const auto& [order, threads] :
       {std::pair{Order::BreadthFirst, 1U}, {Order::BreadthFirst, 2U}, {Order::DepthFirst, 1U}}) {
    SearchOptions options;
    options.order = order;
    options.threads = threads;
    const SearchResult result = search(*system, options);
    EXPECT_EQ(result.verdict, Verdict::Holds);
    EXPECT_EQ(result.counters.states, 11U);
    EXPECT_EQ(result.counters.transitions, 16U);
    EXPECT_EQ(result.counters.deadlocks, 2U);
    EXPECT_EQ(result.witnesses.size(), 2U);
  }
}

TEST(NetSearch, FindsTheShortestWayIntoTheDeadlockOfThePhilosophers) {
  const auto system = example("philosophers.net");
  const SearchResult result = search(*system);
  ASSERT_EQ(result.violations.size(), 1U);
  const Finding& finding = result.violations[0];
  EXPECT_EQ(system->properties()[finding.property].name, "deadlock_free");
  EXPECT_EQ(finding.path.steps.size(), 3U) << "everybody takes the left fork";
  const auto states = follow(*system, finding.path);
  ASSERT_TRUE(states.has_value());
  std::string marked;
  for (const trace::Field& field : system->describer().describe_property(finding.property, states->back()))
    marked += field.name + " ";
  EXPECT_EQ(marked, "left1 left2 left3 ");
}

TEST(NetSearch, SaysThatABoundMadeItIncomplete) {
  const NetSystem system = system_of("place p bound p 5 transition grow: -> p");
  const SearchResult result = search(system);
  EXPECT_EQ(result.verdict, Verdict::Unknown);
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.counters.states, 7U) << "0 to 5, and 6, which is not continued";
  EXPECT_THAT(system.describer().growth(), testing::ElementsAre("place 'p' held up to 6 tokens, at the start 0"));
}

TEST(NetSearch, PassesOnTheErrorOfAnOverflow) {
  const NetSystem system = system_of("place p 4294967294 transition grow: -> p");
  EXPECT_THROW(search(system), ModelError);
}

// Transitions that give away at least as many tokens as they put keep the random nets finite.
RC_GTEST_PROP(NetSearch, AgreesWithTheOracleOnRandomNets, ()) {
  Net net = random_net();
  net.properties.clear();
  for (std::size_t i = 0; i < net.places.size(); ++i) net.places[i].name = "p" + std::to_string(i);
  for (std::size_t i = 0; i < net.transitions.size(); ++i) {
    Transition& transition = net.transitions[i];
    transition.name = "t" + std::to_string(i);
    std::int64_t balance = 0;
    for (const Arc& arc : transition.inputs) balance += arc.weight;
    std::erase_if(transition.outputs, [&](const Arc& arc) { return (balance -= arc.weight) < 0; });
  }
  const NetSystem system(net);
  const Explored oracle = explore(system);
  std::set<SlotVector> deadlocks;
  SearchOptions options;
  options.on_deadlock = [&](std::span<const Slot> state) { deadlocks.emplace(state.begin(), state.end()); };
  const SearchResult result = search(system, options);
  RC_ASSERT(result.counters.states == oracle.states.size());
  RC_ASSERT(result.counters.transitions == oracle.steps);
  RC_ASSERT(deadlocks == oracle.deadlocks);
}

}  // namespace
}  // namespace heddle::net::net_search_test
