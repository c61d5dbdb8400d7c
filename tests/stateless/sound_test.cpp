// Sound exploration with fewer runs: source and optimal DPOR in which receipts that commute are independent. The oracle
// is the set of final states of all runs, history included. A history's number does not depend on the order of events
// where that order does not matter.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <memory>
#include <set>

#include "actor/actor_system.h"
#include "actor/random_run.h"
#include "heddle/heddle.h"
#include "random_store.h"
#include "stateless/commuting.h"
#include "stateless/optimal_dpor.h"
#include "stateless/scheduler.h"
#include "stateless/source_dpor.h"

namespace heddle::schedule::sound_test {
namespace {

using Search = StatelessResult (*)(const TransitionSystem&, const StatelessOptions&);

struct Ends {
  std::set<SlotVector> states;
  bool violated = false;
  StatelessResult counts;
};

std::set<SlotVector> all_ends(const TransitionSystem& system) {
  std::set<SlotVector> out;
  SearchOptions o;
  o.stop_at_violation = false;
  o.on_deadlock = [&](std::span<const Slot> s) { out.emplace(s.begin(), s.end()); };
  EXPECT_TRUE(search(system, o).complete);
  return out;
}

Ends ends(const TransitionSystem& system, Search run, const Commuting* commuting) {
  Ends out;
  StatelessOptions o;
  o.stop_at_violation = false;
  o.commuting = commuting;
  o.on_deadlock = [&](std::span<const Slot> s) { out.states.emplace(s.begin(), s.end()); };
  out.counts = run(system, o);
  out.violated = !out.counts.violations.empty();
  return out;
}

// On the smallest harness all runs can be walked. Steps of clients are steps like any others here.
TEST(CommutingReceipts, KeepTheFinalStatesOfTheFourModels) {
  for (const char* model : {"distributed_register", "erroneous_register", "another_register", "open_chord"}) {
    const auto system = make_actor_system(Model(*find_model(model), {{"harness", "1R+1W"}}));
    ReceiveGraph graph(*system, {.fold_clients = false});
    std::set<SlotVector> exhaustive;
    ScheduleOptions options;
    options.cutoff = 10'000'000;
    options.on_schedule = [&](std::span<const Slot> last) { exhaustive.emplace(last.begin(), last.end()); };
    const ScheduleResult ex = run_scheduler(graph, *find_scheduler("EX"), options);
    ASSERT_TRUE(ex.metrics.ended) << model;
    const Commuting commuting(*system, {});
    ASSERT_TRUE(commuting.complete());
    for (const Search run : {source_dpor, optimal_dpor}) {
      const Ends refined = ends(*system, run, &commuting);
      EXPECT_EQ(refined.states, exhaustive) << model;
      EXPECT_EQ(refined.violated, ex.metrics.violations > 0) << model;
      EXPECT_LT(refined.counts.executions, ex.metrics.schedules) << model;
    }
  }
}

// On 2R+1W the search of states gives the same set.
TEST(CommutingReceipts, SlowKeepTheFinalStatesOfLargerHarnesses) {
  for (const char* model : {"distributed_register", "another_register", "open_chord"}) {
    const auto system = make_actor_system(Model(*find_model(model), {{"harness", "2R+1W"}}));
    const std::set<SlotVector> all = all_ends(*system);
    const Commuting commuting(*system, {});
    EXPECT_GT(commuting.pairs(), 0u) << model;
    const Ends refined = ends(*system, optimal_dpor, &commuting);
    EXPECT_EQ(refined.states, all) << model;
    EXPECT_EQ(refined.counts.blocked, 0u) << model;
    EXPECT_LT(10 * refined.counts.executions, ends(*system, optimal_dpor, nullptr).counts.executions) << model;
  }
}

RC_GTEST_PROP(CommutingReceipts, KeepTheFinalStatesOfRandomStores, ()) {
  const auto seed = *rc::gen::inRange(0, 1'000'000);
  const std::string harness = *rc::gen::element<std::string>("1R+1W", "2R+1W", "1R+2W");
  const auto system = make_actor_system(random_store::make(seed, 2, harness));
  const std::set<SlotVector> all = all_ends(*system);
  const Commuting commuting(*system, {});
  RC_ASSERT(commuting.complete());
  const Ends plain = ends(*system, optimal_dpor, nullptr);
  RC_ASSERT(plain.states == all);
  for (const Search run : {source_dpor, optimal_dpor}) {
    const Ends refined = ends(*system, run, &commuting);
    RC_ASSERT(refined.states == all);
    RC_ASSERT(refined.violated == plain.violated);
    if (run == optimal_dpor) RC_ASSERT(refined.counts.executions <= plain.counts.executions);
  }
}

RC_GTEST_PROP(CommutingReceipts, KeepTheFinalStatesOfRandomModels, ()) {
  const auto seed = *rc::gen::inRange(0, 1'000'000);
  const auto system = make_actor_system(random_model::make(seed, 2, 1, "nothing", *rc::gen::inRange(0, 2)));
  const std::set<SlotVector> all = all_ends(*system);
  const Commuting commuting(*system, {});
  for (const Search run : {source_dpor, optimal_dpor}) RC_ASSERT(ends(*system, run, &commuting).states == all);
}

// Two steps that together send the same in both orders, but not each by itself.
TEST(CommutingReceipts, AreNotThoseThatSwapWhatTheySend) {
  const auto system = make_actor_system(random_model::make(99873, 2, 1, "nothing"));
  const Commuting commuting(*system, {});
  EXPECT_EQ(ends(*system, optimal_dpor, &commuting).states, all_ends(*system));
}

// Two reads of a server that only answers commute, a read and a write do not.
TEST(CommutingReceipts, AreThoseOneExpects) {
  const auto system = make_actor_system(Model(*find_model("distributed_register"), {{"harness", "2R+1W"}}));
  const Commuting commuting(*system, {});
  const Commuting unfinished(*system, {.bytes = 1});
  EXPECT_GT(commuting.pairs(), 0u);
  EXPECT_FALSE(unfinished.complete());
  EXPECT_EQ(unfinished.pairs(), 0u);
}

}  // namespace
}  // namespace heddle::schedule::sound_test
