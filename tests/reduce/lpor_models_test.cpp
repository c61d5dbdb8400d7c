// LPOR and splits on the protocols of Bokor's thesis: own counts, with the first transition by priority or the
// smallest set.
#include <gtest/gtest.h>

#include <set>

#include "actor/actor_system.h"
#include "explore/search.h"
#include "heddle/model.h"
#include "reduce/stubborn_selector.h"
#include "stateless/stateless_nodes.h"
#include "support/explored.h"

namespace heddle::lpor_models_test {
namespace {

using Start = StubbornOptions::Start;
using Parameters = std::map<std::string, std::string>;

std::unique_ptr<TransitionSystem> system_of(const std::string& name, const Parameters& parameters, Split split) {
  ActorOptions options;
  options.split = split;
  return make_actor_system(Model(*find_model(name), parameters), options);
}

// Returns the transitions whose name contains one of the parts.
BitSet named(const TransitionSystem& system, const std::vector<std::string>& parts) {
  BitSet set(system.transition_count());
  for (std::uint32_t t = 0; t < system.transition_count(); ++t) {
    for (const std::string& part : parts) {
      if (system.transition_name(t).find(part) != std::string::npos) set.set(t);
    }
  }
  return set;
}

StubbornOptions options_for(const TransitionSystem& system, const std::vector<std::string>& visible, bool net,
                            Start start) {
  StubbornOptions options{.start = start};
  options.lpor.net = net;
  options.visible = named(system, visible);
  return options;
}

Explored reduce(const TransitionSystem& system, const StubbornOptions& options) {
  SearchOptions search_options;
  search_options.selector = stubborn_selector(system, options);
  return explore(system, search_options);
}

struct Case {
  std::string model;
  Parameters parameters;
  std::vector<std::string> visible;
  Split split;
  bool net;
  Start start;
  std::size_t states, transitions;  // transitions 0: not given
  std::uint64_t nodes;              // of a stateless search; 0: not given
};

void check(const Case& c, const Explored& unreduced) {
  const auto system = system_of(c.model, c.parameters, c.split);
  const StubbornOptions options = options_for(*system, c.visible, c.net, c.start);
  const Explored reduced = reduce(*system, options);
  std::string what = c.model + " split " + std::to_string(static_cast<int>(c.split)) + (c.net ? " net" : "");
  for (const auto& [name, value] : c.parameters) what += " " + name + "=" + value;
  EXPECT_EQ(reduced.result.counters.states, c.states) << what;
  if (c.transitions != 0) {
    EXPECT_EQ(reduced.result.counters.transitions, c.transitions) << what;
  }
  if (c.nodes != 0) {
    EXPECT_EQ(stateless_nodes(*system, stubborn_selector(*system, options)().get()), c.nodes) << what;
  }
  EXPECT_EQ(reduced.finals, unreduced.finals) << what;
  EXPECT_EQ(reduced.result.counters.deadlocks, unreduced.result.counters.deadlocks) << what;
}

TEST(LporModels, PaxosCounts) {
  const auto system = system_of("paxos", {}, Split::None);
  const Explored unreduced = explore(*system);
  ASSERT_EQ(unreduced.result.counters.states, 15804U);
  EXPECT_EQ(stateless_nodes(*system), 652'809'818U);
  for (const Case& c : {
           Case{"paxos", {}, {".learn"}, Split::None, false, Start::Best, 5655, 8901, 15'115'554},
           Case{"paxos", {}, {".learn"}, Split::None, true, Start::Best, 5655, 8901, 15'115'554},
           Case{"paxos", {}, {".learn"}, Split::Quorum, true, Start::Best, 5618, 8706, 6'843'499},
           Case{"paxos", {}, {".learn"}, Split::Reply, true, Start::Best, 5555, 8615, 2'632'346},
           Case{"paxos", {}, {".learn"}, Split::Combined, false, Start::Best, 5555, 8615, 2'632'346},
           Case{"paxos", {}, {".learn"}, Split::Combined, true, Start::Best, 5473, 8265, 1'126'186},
           Case{"paxos", {}, {".learn"}, Split::Combined, true, Start::Smallest, 5010, 6858, 306'830},
       }) {
    check(c, unreduced);
  }
}

// For each model: unreduced, combined split without NET, combined split with NET.
TEST(LporModels, OtherCounts) {
  const auto multicast = [](int hr, int hi, int br, int bi) {
    return Parameters{
        {"hr", std::to_string(hr)}, {"hi", std::to_string(hi)}, {"br", std::to_string(br)}, {"bi", std::to_string(bi)}};
  };
  const std::vector<std::string> learn{".learn"}, deliver{".deliver"}, monitor{".end", "eader.begin"};
  struct Row {
    std::string model;
    Parameters parameters;
    std::vector<std::string> visible;
    std::size_t full, without, with;
    std::uint64_t full_nodes = 0, nodes_without = 0, nodes_with = 0;
  };
  for (const Row& r :
       {Row{"paxos", {{"proposers", "1"}}, learn, 120, 60, 59}, Row{"paxos", {{"acceptors", "2"}}, learn, 100, 63, 53},
        Row{"echo_multicast", multicast(3, 1, 1, 0), deliver, 33, 26, 21},
        Row{"echo_multicast", multicast(4, 1, 1, 0), deliver, 65, 50, 34, 0, 9711, 1616},
        Row{"echo_multicast", multicast(3, 0, 1, 1), deliver, 25, 22, 17},
        Row{"echo_multicast", multicast(2, 1, 0, 1), deliver, 45, 34, 31},
        Row{"storage", {}, monitor, 595, 581, 573, 254783, 127392, 98699}}) {
    const auto plain = system_of(r.model, r.parameters, Split::None);
    const Explored unreduced = explore(*plain);
    EXPECT_EQ(unreduced.result.counters.states, r.full);
    if (r.full_nodes != 0) {
      EXPECT_EQ(stateless_nodes(*plain), r.full_nodes);
    }
    check({r.model, r.parameters, r.visible, Split::Combined, false, Start::Best, r.without, 0, r.nodes_without},
          unreduced);
    check({r.model, r.parameters, r.visible, Split::Combined, true, Start::Best, r.with, 0, r.nodes_with}, unreduced);
  }
  // The quorum split has no effect on (2,1,0,1), the reply split has.
  const Explored unreduced = explore(*system_of("echo_multicast", multicast(2, 1, 0, 1), Split::None));
  for (const auto& [split, without, with] :
       {std::tuple{Split::None, 42U, 37U}, {Split::Quorum, 42U, 37U}, {Split::Reply, 34U, 31U}}) {
    check({"echo_multicast", multicast(2, 1, 0, 1), deliver, split, false, Start::Best, without, 0, 0}, unreduced);
    check({"echo_multicast", multicast(2, 1, 0, 1), deliver, split, true, Start::Best, with, 0, 0}, unreduced);
  }
}

TEST(LporModels, SplitsGiveTheTransitionsOfTheThesis) {
  // Only handlers count: what happens to a process is counted apart.
  const auto handlers = [](Split split) {
    const auto system = system_of("paxos", {}, split);
    std::size_t n = 0;
    for (std::uint32_t t = 0; t < system->transition_count(); ++t)
      n += system->transition_name(t).find('.') != std::string::npos;
    return n;
  };
  EXPECT_EQ(handlers(Split::None), 11U);
  EXPECT_EQ(handlers(Split::Quorum), 17U);
  EXPECT_EQ(handlers(Split::Reply), 14U);
  EXPECT_EQ(handlers(Split::Combined), 23U);
}

}  // namespace
}  // namespace heddle::lpor_models_test
