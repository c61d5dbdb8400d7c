// Orders of threads: depth-first searches take the threads in the order that was asked for, and find the same.
#include "reduce/thread_order.h"

#include <gtest/gtest.h>

#include "reduce/reduced_search.h"
#include "support/check_random.h"
#include "support/random_thread_program.h"
#include "support/reduced_graph.h"

namespace heddle::thread_order_test {
namespace {

using testing::check_random;
using testing::count_of;
using testing::Instruction;
using testing::Program;
using testing::random_program;
using testing::Seen;
using testing::ThreadSystem;
using enum Instruction::Op;
using Order = SearchOptions::Order;

// Three threads that count together.
Program counting(std::uint32_t steps = 1) {
  Program p;
  for (int t = 0; t < 3; ++t) p.threads.emplace_back(steps, Instruction{Add, 0, 0, 1});
  p.wanted = 7;
  return p;
}

ReductionPlan with_order(ReductionPlan plan, ThreadOrder order) {
  plan.order = std::move(order);
  return plan;
}

// The threads in the order in which the first run takes them.
std::vector<std::uint32_t> first_run(const ReductionPlan& plan) {
  ThreadSystem system(counting());
  std::vector<std::uint32_t> out;
  SlotVector before = system.initial_states()[0];
  SearchOptions options;
  options.order = Order::DepthFirst;
  options.on_state = [&](std::span<const Slot> state) {
    for (std::uint32_t t = 0; t < 3 && out.size() < 3; ++t) {
      if (state[t] != before[t]) out.push_back(t);
    }
    before.assign(state.begin(), state.end());
  };
  ReductionReport report;
  reduced_search(system, options, plan, report);
  return out;
}

TEST(ThreadOrder, ThreadsGoInTheOrderThatWasAskedFor) {
  using Threads = std::vector<std::uint32_t>;
  for (const ReductionPlan& plan : {ReductionPlan{}, ReductionPlan{.safe = true}, ReductionPlan{.futures = true},
                                    ReductionPlan{.lazy = true}, ReductionPlan{.eager = true}}) {
    EXPECT_EQ(first_run(plan), (Threads{0, 1, 2}));
    EXPECT_EQ(first_run(with_order(plan, {.first = {2, 0, 1}})), (Threads{2, 0, 1}));
    EXPECT_EQ(first_run(with_order(plan, {.first = {1}})), (Threads{1, 0, 2}));
    EXPECT_EQ(first_run(with_order(plan, {.descending = true})), (Threads{2, 1, 0}));
  }
}

TEST(ThreadOrder, ASeedGivesOneOrderAndAnotherSeedAnotherOne) {
  for (const ReductionPlan& plan : {ReductionPlan{.safe = true}, ReductionPlan{.lazy = true}}) {
    std::set<std::vector<std::uint32_t>> orders;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto order = first_run(with_order(plan, {.seed = seed}));
      EXPECT_EQ(first_run(with_order(plan, {.seed = seed})), order);
      orders.insert(order);
    }
    EXPECT_GT(orders.size(), 2u);
  }
}

TEST(ThreadOrder, SaysWhatItIs) {
  EXPECT_EQ((ThreadOrder{}).text(), "");
  EXPECT_EQ((ThreadOrder{.first = {2, 0}}).text(), "threads 2, 0 first");
  EXPECT_EQ((ThreadOrder{.first = {2}}).text(), "thread 2 first");
  EXPECT_EQ((ThreadOrder{.descending = true}).text(), "last thread first");
  EXPECT_EQ((ThreadOrder{.seed = 7}).text(), "threads in random order, seed 7");
}

TEST(ThreadOrder, IsAnErrorWhereItMeansNothing) {
  ThreadSystem system(counting());
  ReductionReport report;
  const ReductionPlan safe = with_order({.safe = true}, {.descending = true});
  EXPECT_THROW(reduced_search(system, {}, safe, report), ModelError);
  SearchOptions two;
  two.order = Order::DepthFirst;
  EXPECT_NO_THROW(reduced_search(system, two, safe, report));
  two.threads = 2;
  EXPECT_THROW(reduced_search(system, two, safe, report), ModelError);
}

TEST(ThreadOrder, EveryOrderFindsTheSame) {
  const auto compare = [] {
    Program program = *random_program(*rc::gen::arbitrary<bool>());
    program.spins = *rc::gen::arbitrary<bool>();
    ThreadSystem system(program);
    const Seen full = testing::seen(system, {}, [&](const SearchOptions& o) { return search(system, o); });
    SearchOptions options;
    options.order = Order::DepthFirst;
    for (const ThreadOrder& order : {ThreadOrder{.first = {1, 2}}, {.descending = true}, {.seed = 3}}) {
      for (const ReductionPlan& plan : {ReductionPlan{}, ReductionPlan{.safe = true}, ReductionPlan{.futures = true},
                                        ReductionPlan{.lazy = true}, ReductionPlan{.eager = true}}) {
        const Seen seen = testing::seen(system, options, [&](const SearchOptions& o) {
          ReductionReport report;
          return reduced_search(system, o, with_order(plan, order), report);
        });
        RC_ASSERT(seen.same_findings(full));
        RC_ASSERT(seen.locals == full.locals);
      }
    }
  };
  check_random(count_of(60, 10'000), compare, 41);
}

}  // namespace
}  // namespace heddle::thread_order_test
