// Stubborn sets on place/transition nets: the example of Bokor's thesis (figure 4.2), and random nets against the
// unreduced search.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "explore/search.h"
#include "net/load_net.h"
#include "net/net_parser.h"
#include "net/net_system.h"
#include "net/random_net.h"
#include "reduce/stubborn_selector.h"

namespace heddle::stubborn_net_test {
namespace {

using Start = StubbornOptions::Start;

std::set<SlotVector> deadlocks(const TransitionSystem& system, SearchOptions options, SearchResult& result) {
  std::set<SlotVector> found;
  options.on_deadlock = [&](std::span<const Slot> s) { found.insert({s.begin(), s.end()}); };
  result = search(system, options);
  return found;
}

// Own counts: 11 states and 16 edges in full; with the first enabled transition as a start 11/15 without NET and
// 9/11 with; with the smallest set 6/5.
TEST(StubbornNet, CountsOfTheThesisExample) {
  const auto system = net::load_net(std::filesystem::path(HEDDLE_SOURCE_DIR) / "examples/nets/seed.net");
  struct Case {
    Start start;
    bool net;
    std::size_t states, transitions;
  };
  for (const Case& c : {Case{Start::Best, false, 11, 15}, {Start::Best, true, 9, 11}, {Start::Smallest, true, 6, 5}}) {
    SearchOptions options;
    StubbornOptions stubborn{.preserve = Preserved::Deadlocks, .start = c.start};
    stubborn.lpor.net = c.net;
    options.selector = stubborn_selector(*system, stubborn);
    SearchResult result;
    EXPECT_EQ(deadlocks(*system, options, result).size(), 2U);
    EXPECT_EQ(result.counters.states, c.states);
    EXPECT_EQ(result.counters.transitions, c.transitions);
  }
}

// A loop and an independent step: a search that always turned the loop would never take the step.
TEST(StubbornNet, TheCycleProvisoKeepsStepsFromBeingPutOffForEver) {
  const net::NetSystem system(
      net::parse_net("place a, c 1 place b, d transition ab: a -> b transition ba: b -> a "
                     "transition cd: c -> d always no_d: d == 0",
                     "test.net"));
  for (const auto start : {Start::Best, Start::First, Start::Smallest}) {
    for (const unsigned threads : {1u, 2u}) {
      SearchOptions options;
      options.threads = threads;
      options.selector = stubborn_selector(system, {.start = start});
      EXPECT_EQ(search(system, options).verdict, Verdict::Violated);
    }
  }
}

}  // namespace
}  // namespace heddle::stubborn_net_test
