// Clients that may receive more than their answer, and choose whom to ask. Source and optimal DPOR are compared with
// all runs.
#include <gtest/gtest.h>

#include <memory>
#include <set>

#include "actor/actor_system.h"
#include "core/facets/histories.h"
#include "explore/search.h"
#include "heddle/heddle.h"
#include "stateless/scheduler.h"

namespace heddle::schedule::ignored_messages_test {
namespace {

struct Person;
struct Desk;
struct Ask {
  Id<Person> from;
  bool writes = false;
};
struct Told {
  int value = 0;
};
struct Nudge {};

// A client that asks once and ignores nudges before, while and after it waits. Asking and ignoring commute.
struct Person {
  bool writes = false, asked = false;
  void ask(Id<Person> self, Invoke<Ask> invoke, To<Desk, Ask> out) {
    require(!asked);
    asked = true;
    invoke({self, writes});
    out.send({self, writes});
  }
  void ignore(const Nudge&) {}
  void take(const Told& told, Return<Told> result) { result(told); }
  static constexpr auto transitions = heddle::transitions<&Person::ask, &Person::ignore, &Person::take>;
};
struct Desk {
  int value = 0;
  bool stale = false;  // it is wrong: it answers reads with what it held before
  int before = 0;
  void serve(const Ask& ask, To<Person, Told> out) {
    if (!ask.writes) return out.send(ask.from, {stale ? before : value});
    before = value;
    value = 1;
    out.send(ask.from, {});
  }
  static constexpr auto transitions = heddle::transitions<&Desk::serve>;
};
struct Pest {
  int left = 1;
  void nudge(ToAll<Person, Nudge> out) {
    require(left > 0);
    --left;
    out.send({});
  }
  static constexpr auto transitions = heddle::transitions<&Pest::nudge>;
};
struct Cell {
  int value = 0;
  Told apply(const Ask& ask) {
    if (!ask.writes) return {value};
    value = 1;
    return {};
  }
};

std::unique_ptr<TransitionSystem> nudged(std::size_t readers, int nudges, bool stale) {
  return make_actor_system(Model(Definition{.name = "nudged", .summary = "", .build = [=](Model& m) {
                                              m.add<Person>(readers + 1,
                                                            [&](std::size_t i) { return Person{.writes = i == 0}; });
                                              m.add<Desk>(1, [&](std::size_t) { return Desk{.stale = stale}; });
                                              m.add<Pest>(1, [&](std::size_t) { return Pest{.left = nudges}; });
                                              m.linearizable<Cell, Ask>("linearizability");
                                            }}));
}

struct Found {
  ScheduleMetrics metrics;
  std::set<Slot> histories;
};

Found run(const TransitionSystem& system, const char* name) {
  Found out;
  ReceiveGraph graph(system, {.fold_clients = false});
  ScheduleOptions options;
  options.cutoff = 10'000'000;
  options.on_schedule = [&](std::span<const Slot> last) {
    out.histories.insert(last[system.histories()->history_slot()]);
  };
  out.metrics = run_scheduler(graph, *find_scheduler(name), options).metrics;
  return out;
}

// Returns the histories of all complete runs, by a search of states.
std::set<Slot> all_histories(const TransitionSystem& system) {
  std::set<Slot> out;
  SearchOptions options;
  options.stop_at_violation = false;
  options.on_deadlock = [&](std::span<const Slot> last) { out.insert(last[system.histories()->history_slot()]); };
  EXPECT_TRUE(search(system, options).complete);
  return out;
}

TEST(IgnoredMessages, SlowLeaveSourceAndOptimalDporTheHistoriesOfAllRuns) {
  for (const bool stale : {false, true}) {
    for (const int nudges : {1, 2}) {
      const auto system = nudged(nudges == 1 ? 2 : 1, nudges, stale);
      const Found ex = run(*system, "EX");
      ASSERT_TRUE(ex.metrics.ended);
      EXPECT_EQ(ex.histories, all_histories(*system));
      EXPECT_EQ(ex.metrics.violations > 0, stale);
      for (const char* name : {"SL", "SD", "OD"}) {
        const Found found = run(*system, name);
        EXPECT_TRUE(found.metrics.ended) << name;
        EXPECT_FALSE(found.metrics.may_miss) << name;
        EXPECT_EQ(found.histories, ex.histories) << name << " " << nudges << " " << stale;
        EXPECT_LT(found.metrics.schedules, ex.metrics.schedules) << name;
      }
    }
  }
}

// Stores whose clients choose a replica to ask.
TEST(IgnoredMessages, SlowLeaveTheStoresTheirHistories) {
  for (const char* model : {"multi_paxos", "zab", "viewstamped_replication"}) {
    Model store(*find_model(model), {{"harness", "1R+1W"}});
    store.network.order = Network::Order::Multiset;
    const auto system = make_actor_system(std::move(store));
    const std::set<Slot> all = all_histories(*system);
    for (const char* name : {"SD", "OD"}) {
      const Found found = run(*system, name);
      EXPECT_TRUE(found.metrics.ended) << model << " " << name << ": " << found.metrics.stopped_by;
      EXPECT_EQ(found.histories, all) << model << " " << name;
    }
  }
}

TEST(IgnoredMessages, FoldingSaysWhyItMayMiss) {
  const auto system = nudged(1, 1, false);
  ReceiveGraph graph(*system);
  const ScheduleMetrics folded = run_scheduler(graph, *find_scheduler("EX")).metrics;
  EXPECT_EQ(folded.may_miss, !folded.misses_because.empty());
}

}  // namespace
}  // namespace heddle::schedule::ignored_messages_test
