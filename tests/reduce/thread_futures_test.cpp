// Thread futures on thread programs, against the search that leaves nothing out.
#include "reduce/thread_futures.h"

#include <gtest/gtest.h>

#include "core/facets/assumptions.h"
#include "reduce/reduced_search.h"
#include "support/check_random.h"
#include "support/random_thread_program.h"
#include "support/reduced_graph.h"

namespace heddle::thread_futures_test {
namespace {

using testing::check_random;
using testing::count_of;
using testing::Edges;
using testing::Instruction;
using testing::Program;
using testing::random_program;
using testing::Seen;
using testing::ThreadSystem;
using enum Instruction::Op;
using Order = SearchOptions::Order;

Seen full_search(ThreadSystem& system) {
  return testing::seen(system, {}, [&](const SearchOptions& o) { return search(system, o); });
}

Seen futures(ThreadSystem& system, Order order, unsigned threads = 1, ReductionReport* told = nullptr) {
  SearchOptions options;
  options.order = order;
  options.threads = threads;
  ReductionReport report;
  // What a run that was mistaken has seen exists as well.
  const Seen out = testing::seen(
      system, options, [&](const SearchOptions& o) { return reduced_search(system, o, {.futures = true}, report); });
  if (told != nullptr) *told = report;
  return out;
}

// Threads that write to cells of their own: one order is enough.
TEST(ThreadFutures, ThreadsThatNeverMeetGoOneAfterAnother) {
  Program p;
  p.cells = 5;
  for (std::uint32_t t = 0; t < 5; ++t) p.threads.emplace_back(3, Instruction{Store, t, 0, 1});
  ThreadSystem system(p);
  ReductionReport report;
  EXPECT_EQ(full_search(system).result.counters.states, 1024u);
  EXPECT_EQ(futures(system, Order::DepthFirst, 1, &report).result.counters.states, 16u);
  EXPECT_EQ(report.applied, std::vector<std::string>{"thread futures"});
}

// One thread writes x; others write a cell of their own and then read x. The writer is dangerous to the readers only.
TEST(ThreadFutures, ReadersWriteTheirCellsOneAfterAnother) {
  const std::pair<std::uint32_t, std::uint64_t> counts[] = {{2, 14}, {4, 68}};
  for (const auto& [readers, states] : counts) {
    Program p;
    p.cells = readers + 1;
    p.threads.push_back({{Store, 0, 0, 1}});
    for (std::uint32_t r = 1; r <= readers; ++r) p.threads.push_back({{Store, r, 0, 1}, {Load, 0, 0}});
    ThreadSystem system(p);
    for (const Order order : {Order::BreadthFirst, Order::DepthFirst}) {
      const Seen found = futures(system, order);
      EXPECT_EQ(found.result.counters.states, states);
      EXPECT_TRUE(found.same_findings(full_search(system)));
    }
  }
}

// Thread 0 looks at the cell only if thread 1 was quick, so a first run may know too little.
TEST(ThreadFutures, ASearchThatReliedOnTooLittleBeginsAgain) {
  const Program p{.threads = {{{Load, 0, 0}, {Skip, 0, 0, 0, 1}, {Store, 1, 0, 1}},
                              {{Store, 0, 0, 1}, {Load, 1, 1}, {Assert, 1, 1, 1}}}};
  ThreadSystem system(p);
  SearchOptions options;
  options.order = Order::DepthFirst;
  ThreadFutures learned(system);
  options.selector = learned.selector();
  for (int run = 0; run < 10; ++run) {
    try {
      search(system, options);
    } catch (const Mistaken&) {
      EXPECT_TRUE(learned.mistaken());
    }
    if (!learned.mistaken()) break;
    learned.reconsider();
    EXPECT_FALSE(learned.mistaken());
  }
  EXPECT_GT(learned.nodes(), 0u);
  const Seen found = futures(system, Order::DepthFirst);
  EXPECT_TRUE(found.violated.contains(0));
  EXPECT_TRUE(found.same_findings(full_search(system)));
}

// Two pairs of threads, each with a lock. One of a pair waits for the other, so the pair can go on without the others.
TEST(ThreadFutures, ABlockedThreadIsAMemberWithTheOneItWaitsFor) {
  Program p;
  for (const std::uint32_t lock : {0u, 0u, 1u, 1u}) p.threads.push_back({{Lock, lock}, {Unlock, lock}});
  ThreadSystem system(p);
  const Seen found = futures(system, Order::DepthFirst), full = full_search(system);
  EXPECT_TRUE(found.same_findings(full));
  EXPECT_EQ(full.result.counters.states, 64u);   // 8 of each pair
  EXPECT_EQ(found.result.counters.states, 15u);  // one pair after the other
}

// The second thread starts the third one, which disturbs the first one.
TEST(ThreadFutures, AThreadThatIsNotStartedIsRepresentedByTheOneThatStartsIt) {
  Program p;
  p.threads = {{{Store, 0, 0, 1}}, {{Spawn, 3}}, {{Store, 1, 0, 1}, {Load, 1, 1}}, {{Load, 0, 0}}};
  p.asleep = 1;
  ThreadSystem system(p);
  const Seen found = futures(system, Order::DepthFirst), full = full_search(system);
  EXPECT_TRUE(found.same_findings(full));
  EXPECT_LT(found.result.counters.states, full.result.counters.states / 2);
}

void compare(bool spins, bool watched, bool parallel = false) {
  Program program = *random_program(watched);
  program.spins = spins;
  ThreadSystem system(program);
  const Seen full = full_search(system);
  for (const Order order : {Order::BreadthFirst, Order::DepthFirst}) {
    if (parallel) {
      SearchOptions options;
      options.order = order;
      options.threads = 2;
      options.stop_at_violation = false;
      ReductionReport report;
      const SearchResult r = reduced_search(system, options, {.futures = true}, report);
      RC_ASSERT(r.verdict == full.result.verdict);
      RC_ASSERT(r.counters.deadlocks == full.result.counters.deadlocks);
      continue;
    }
    const Seen reduced = futures(system, order);
    RC_ASSERT(reduced.same_findings(full));
    RC_ASSERT(reduced.locals == full.locals);
  }
}

// On a program without cycles a search over persistent sets has a run of every trace.
void compare_traces() {
  const Program program = *random_program(false);
  ThreadSystem system(program);
  Edges all, kept;
  SearchOptions options;
  options.order = Order::DepthFirst;
  options.stop_at_violation = false;
  options.selector = testing::noting_everything(all);
  search(system, options);
  const auto expected = testing::traces(system, all, 5'000);
  RC_PRE(expected.has_value());
  ThreadFutures learned(system);
  options.selector = [&] { return std::make_unique<testing::NotingSelector>(learned.selector()(), kept); };
  for (bool again = true; again;) {
    kept.clear();
    try {
      search(system, options);
    } catch (const Mistaken&) {  // NOLINT(bugprone-empty-catch): told by mistaken()
    }
    again = learned.mistaken();
    if (again) learned.reconsider();
  }
  RC_ASSERT(testing::traces(system, kept, ~std::size_t{0}) == expected);
}

TEST(ThreadFutures, FindWhatTheFullSearchFinds) {
  check_random(count_of(300, 10'000), [] { compare(false, false); }, 21);
}
TEST(ThreadFutures, FindWhatTheFullSearchFindsOnTheWay) {
  check_random(count_of(100, 10'000), [] { compare(false, true); }, 22);
}
TEST(ThreadFutures, FindWhatTheFullSearchFindsInLoops) {
  check_random(count_of(200, 10'000), [] { compare(true, false); }, 23);
}
TEST(ThreadFutures, FindTheSameWithSeveralThreads) {
  check_random(count_of(50, 3'000), [] { compare(true, false, true); }, 24);
}
TEST(ThreadFutures, HaveARunOfEveryTrace) { check_random(count_of(200, 10'000), compare_traces, 25); }

}  // namespace
}  // namespace heddle::thread_futures_test
