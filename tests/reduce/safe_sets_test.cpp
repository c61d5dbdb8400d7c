// Safe sets on thread programs, against the search that leaves nothing out.
#include "reduce/safe_sets.h"

#include <gtest/gtest.h>

#include "core/forwarding_system.h"
#include "reduce/reduced_search.h"
#include "support/check_random.h"
#include "support/random_thread_program.h"
#include "support/reduced_graph.h"

namespace heddle::safe_sets_test {
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

Seen seen(const ThreadSystem& system, Order order, unsigned threads, bool reduced) {
  SearchOptions options;
  options.order = order;
  options.threads = threads;
  if (reduced) options.selector = safe_sets(system);
  return testing::seen(system, options, [&](const SearchOptions& o) { return search(system, o); });
}

// Threads that do some private steps and then write a cell of their own.
Program private_then_write(std::uint32_t threads, std::uint32_t steps) {
  Program p;
  for (std::uint32_t t = 0; t < threads; ++t) {
    p.threads.emplace_back(steps, Instruction{Private});
    p.threads.back().push_back({Store, t, 0, 1});
  }
  p.cells = threads;
  return p;
}

TEST(SafeSets, PrivateStepsAreTakenOneThreadAfterAnother) {
  for (const Order order : {Order::BreadthFirst, Order::DepthFirst}) {
    EXPECT_EQ(seen(ThreadSystem(private_then_write(3, 5)), order, 1, false).result.counters.states, 343u);
    EXPECT_EQ(seen(ThreadSystem(private_then_write(3, 5)), order, 1, true).result.counters.states, 23u);
    EXPECT_EQ(seen(ThreadSystem(private_then_write(4, 4)), order, 1, false).result.counters.states, 1296u);
    EXPECT_EQ(seen(ThreadSystem(private_then_write(4, 4)), order, 1, true).result.counters.states, 32u);
  }
}

// One thread does nothing but spin, without touching anything shared. The other must not be forgotten.
TEST(SafeSets, APrivateLoopDoesNotPutOthersOff) {
  const Program p{.threads = {{{Back, 0, 0, 1, 1}}, {{Store, 0, 0, 1}, {Load, 0, 0}, {Assert, 0, 0, 1}}},
                  .spins = true};
  for (const Order order : {Order::BreadthFirst, Order::DepthFirst}) {
    const Seen full = seen(ThreadSystem(p), order, 1, false), reduced = seen(ThreadSystem(p), order, 1, true);
    EXPECT_TRUE(reduced.violated.contains(0));
    EXPECT_EQ(full.locals, reduced.locals);
  }
}

TEST(SafeSets, AreSkippedWhereThereAreNoThreads) {
  class NoThreads final : public ForwardingSystem {
   public:
    using ForwardingSystem::ForwardingSystem;
    const Threads* threads() const override { return nullptr; }
  };
  const ThreadSystem inner(private_then_write(2, 1));
  NoThreads system(inner);
  ReductionReport report;
  const SearchResult r = reduced_search(system, {}, {.safe = true}, report);
  EXPECT_TRUE(report.applied.empty());
  EXPECT_EQ(report.skipped, std::vector<std::string>{"safe sets: the system has no threads"});
  EXPECT_EQ(r.counters.states, 9u);
}

void compare(bool spins, bool watched) {
  Program program = *random_program(watched);
  program.spins = spins;
  const ThreadSystem system(program);
  const Seen full = seen(system, Order::BreadthFirst, 1, false);
  for (const Order order : {Order::BreadthFirst, Order::DepthFirst}) {
    const Seen reduced = seen(system, order, 1, true);
    RC_ASSERT(reduced.same_findings(full));
    RC_ASSERT(reduced.locals == full.locals);
  }
}

// On a program without cycles a run of every trace is left.
void compare_traces() {
  const Program program = *random_program(false);
  const ThreadSystem system(program);
  testing::Edges all, kept;
  SearchOptions options;
  options.order = Order::DepthFirst;
  options.stop_at_violation = false;
  options.selector = testing::noting_everything(all);
  search(system, options);
  const auto expected = testing::traces(system, all, 5'000);
  RC_PRE(expected.has_value());
  options.selector = [&] { return std::make_unique<testing::NotingSelector>(safe_sets(system)(), kept); };
  search(system, options);
  RC_ASSERT(testing::traces(system, kept, ~std::size_t{0}) == expected);
}

void compare_parallel() {
  Program program = *random_program(true);
  program.spins = true;
  const ThreadSystem system(program);
  SearchOptions options;
  options.stop_at_violation = false;
  const SearchResult full = search(system, options);
  options.threads = 2;
  options.selector = safe_sets(system);
  for (const Order order : {Order::BreadthFirst, Order::DepthFirst}) {
    options.order = order;
    const SearchResult reduced = search(system, options);
    RC_ASSERT(reduced.verdict == full.verdict);
    RC_ASSERT(reduced.violations.size() == full.violations.size());
    RC_ASSERT(reduced.counters.deadlocks == full.counters.deadlocks);
  }
}

TEST(SafeSets, FindWhatTheFullSearchFinds) {
  check_random(count_of(300, 10'000), [] { compare(false, false); }, 11);
}
TEST(SafeSets, FindWhatTheFullSearchFindsOnTheWay) {
  check_random(count_of(200, 10'000), [] { compare(false, true); }, 12);
}
TEST(SafeSets, FindWhatTheFullSearchFindsInLoops) {
  check_random(count_of(200, 10'000), [] { compare(true, true); }, 13);
}

TEST(SafeSets, HaveARunOfEveryTrace) { check_random(count_of(100, 10'000), compare_traces, 15); }

TEST(SafeSets, FindTheSameWithSeveralThreads) { check_random(count_of(50, 3'000), compare_parallel, 14); }

}  // namespace
}  // namespace heddle::safe_sets_test
