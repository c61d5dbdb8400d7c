// LPOR and splits on the protocols of the digest (seed-002 §12.4): its prototype's counts for policy "prio" and "min".
#include <gtest/gtest.h>

#include <set>

#include "actor/actor_system.h"
#include "explore/search.h"
#include "heddle/model.h"
#include "reduce/stubborn_selector.h"
#include "support/explored.h"

namespace heddle {
namespace {

using Start = StubbornOptions::Start;
using Parameters = std::map<std::string, std::string>;

struct Reduced {
  SearchResult result;
  std::set<std::string> finals;
};

std::unique_ptr<TransitionSystem> system_of(const std::string& name, const Parameters& parameters, Split split) {
  ActorOptions options;
  options.split = split;
  return make_actor_system(Model(*find_model(name), parameters), options);
}

// The transitions whose name contains one of the parts.
BitSet named(const TransitionSystem& system, const std::vector<std::string>& parts) {
  BitSet set(system.transition_count());
  for (std::uint32_t t = 0; t < system.transition_count(); ++t) {
    for (const std::string& part : parts) {
      if (system.transition_name(t).find(part) != std::string::npos) set.set(t);
    }
  }
  return set;
}

Reduced reduce(const TransitionSystem& system, const std::vector<std::string>& visible, bool net, Start start) {
  StubbornOptions options{.start = start};
  options.lpor.net = net;
  options.visible = named(system, visible);
  SearchOptions search_options;
  search_options.selector = stubborn_selector(system, options);
  Reduced out;
  const Explored e = explore(system, search_options);
  return {e.result, e.finals};
}

struct Case {
  std::string model;
  Parameters parameters;
  std::vector<std::string> visible;
  Split split;
  bool net;
  Start start;
  std::size_t states, transitions;
};

const Parameters paxos231;

TEST(LporModels, PaxosCountsOfTheDigest) {
  const auto unreduced = explore(*system_of("paxos", {}, Split::None));
  ASSERT_EQ(unreduced.result.counters.states, 15804U);
  for (const Case& c : {
           Case{"paxos", {}, {".learn"}, Split::None, false, Start::Best, 5655, 8901},
           Case{"paxos", {}, {".learn"}, Split::None, true, Start::Best, 5655, 8901},
           Case{"paxos", {}, {".learn"}, Split::Quorum, true, Start::Best, 5618, 8706},
           Case{"paxos", {}, {".learn"}, Split::Reply, true, Start::Best, 5555, 8615},
           Case{"paxos", {}, {".learn"}, Split::Combined, false, Start::Best, 5555, 8615},
           Case{"paxos", {}, {".learn"}, Split::Combined, true, Start::Best, 5473, 8265},
           Case{"paxos", {}, {".learn"}, Split::Combined, true, Start::Smallest, 5010, 6858},
       }) {
    const auto system = system_of(c.model, c.parameters, c.split);
    const Reduced r = reduce(*system, c.visible, c.net, c.start);
    const std::string what = "split " + std::to_string(static_cast<int>(c.split)) + (c.net ? " net" : "");
    EXPECT_EQ(r.result.counters.states, c.states) << what;
    EXPECT_EQ(r.result.counters.transitions, c.transitions) << what;
    EXPECT_EQ(r.finals, unreduced.finals) << what;
    EXPECT_EQ(r.result.counters.deadlocks, 1647U) << what;
  }
}

TEST(LporModels, SplitsGiveTheTransitionsOfTheThesis) {
  // Handlers only: what befalls a process is counted apart.
  const auto handlers = [](Split split) {
    const auto system = system_of("paxos", {}, split);
    std::size_t n = 0;
    for (std::uint32_t t = 0; t < system->transition_count(); ++t) n += system->transition_name(t).find('.') != std::string::npos;
    return n;
  };
  EXPECT_EQ(handlers(Split::None), 11U);
  EXPECT_EQ(handlers(Split::Quorum), 17U);
  EXPECT_EQ(handlers(Split::Reply), 14U);
  EXPECT_EQ(handlers(Split::Combined), 23U);
}

}  // namespace
}  // namespace heddle
