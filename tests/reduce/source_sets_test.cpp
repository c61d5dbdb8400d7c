// Lazy and eager source sets on thread programs, against the search that leaves nothing out.
#include <gtest/gtest.h>

#include "reduce/backtrack_set.h"
#include "reduce/eager_source_sets.h"
#include "reduce/future_sets.h"
#include "reduce/lazy_source_sets.h"
#include "reduce/reduced_search.h"
#include "support/check_random.h"
#include "support/random_thread_program.h"
#include "support/reduced_graph.h"

namespace heddle::source_sets_test {
namespace {

using testing::check_random;
using testing::count_of;
using testing::Edges;
using testing::Instruction;
using testing::Program;
using testing::random_program;
using testing::random_threads;
using testing::Seen;
using testing::ThreadSystem;
using testing::Trace;
using enum Instruction::Op;

enum class Way : std::uint8_t { Full, Lazy, Traversal, Eager };
constexpr Way reduced_ways[] = {Way::Lazy, Way::Traversal, Way::Eager};

struct Result {
  Seen seen;
  Edges edges;
  std::vector<SlotVector> states;  // in the order in which they were found
  std::uint64_t lookups = 0, walked = 0;

  std::uint64_t count() const { return seen.result.counters.states; }
  std::uint64_t steps() const { return seen.result.counters.transitions; }
};

Result run(const ThreadSystem& system, Way way, SourceSetOptions how = {}) {
  Result out;
  SearchOptions options;
  if (way == Way::Full) options.selector = testing::noting_everything(out.edges);
  how.on_step = [&](std::span<const Slot> state, Step step) {
    out.edges[SlotVector(state.begin(), state.end())].push_back(step);
  };
  out.seen = testing::seen(system, options, [&](SearchOptions o) {
    const auto note = o.on_state;
    o.on_state = [&](std::span<const Slot> state) {
      out.states.emplace_back(state.begin(), state.end());
      note(state);
    };
    if (way == Way::Full) return search(system, o);
    if (way == Way::Eager) return eager_source_sets(system, o, how);
    const auto futures = way == Way::Lazy ? LazyOptions::Futures::Sets : LazyOptions::Futures::Traversal;
    return lazy_source_sets(system, o, {futures, how, &out.lookups, &out.walked});
  });
  return out;
}

std::size_t traces(const ThreadSystem& system, const Result& r) {
  return testing::traces(system, r.edges, 100'000)->size();
}

// The threads that were explored in the initial state.
std::set<std::uint32_t> explored_first(const ThreadSystem& system, const Result& r) {
  std::set<std::uint32_t> out;
  const SlotVector initial = system.initial_states()[0];
  for (std::uint32_t t = 0; t < system.threads()->thread_count(initial); ++t) {
    PendingAction action;
    if (!system.threads()->pending(initial, t, action)) continue;
    const std::vector<Step>& steps = r.edges.at(initial);
    if (std::ranges::find(steps, action.steps[0]) != steps.end()) out.insert(t);
  }
  return out;
}

// --- When a state has been explored far enough.

constexpr std::uint64_t mask(std::initializer_list<int> threads) {
  std::uint64_t out = 0;
  for (const int t : threads) out |= std::uint64_t{1} << t;
  return out;
}

TEST(BacktrackSet, APersistentSubsetIsEnough) {
  std::uint64_t current[64] = {};
  current[1] = mask({1, 2, 3});
  EXPECT_EQ(extended_backtrack(mask({1, 2, 3}), mask({1}), mask({1}), current), mask({1, 2, 3}));
  current[2] = mask({2});
  EXPECT_EQ(extended_backtrack(mask({1, 2, 3}), mask({1, 2}), mask({1, 2, 3}), current), mask({1, 2}));
}

TEST(BacktrackSet, TheSubsetNeedNotHaveTheFirstThread) {
  const std::uint64_t all = mask({1, 2, 3, 4, 5});
  std::uint64_t current[64] = {};
  current[1] = all;
  current[2] = mask({2, 3});
  current[3] = mask({3, 4});
  EXPECT_EQ(extended_backtrack(all, mask({1, 2, 3}), all, current), all);
  current[4] = mask({2, 3, 4});
  EXPECT_EQ(closed_subset(mask({1, 2, 3, 4}), current), mask({2, 3, 4}));
  EXPECT_EQ(extended_backtrack(all, mask({1, 2, 3, 4}), all, current), mask({1, 2, 3, 4}));
}

TEST(BacktrackSet, NobodyIsNotASet) {
  std::uint64_t current[64] = {};
  current[0] = mask({0, 1});
  EXPECT_EQ(closed_subset(mask({0}), current), 0u);
  EXPECT_EQ(extended_backtrack(mask({0, 1, 2}), mask({0}), mask({0}), current), mask({0, 1}));
}

TEST(BacktrackSet, AThreadThatIsNotEnabledMakesAllBeExploredForGood) {
  std::uint64_t current[64] = {};
  current[0] = mask({0, 5});
  const std::uint64_t enabled = mask({0, 1, 2});
  EXPECT_EQ(extended_backtrack(enabled, mask({0}), mask({0}), current), enabled);
  current[1] = mask({1, 0});
  EXPECT_EQ(extended_backtrack(enabled, mask({0, 1}), enabled, current), enabled);
  current[0] = mask({0, 1});
  current[1] = mask({1, 2});
  EXPECT_EQ(extended_backtrack(enabled, mask({0, 1}), enabled, current), enabled);
}

// --- Sets of accesses.

TEST(FutureSets, KnowWhoConflicts) {
  using enum Access::Kind;
  FutureSets sets(6);
  const std::vector<Access> write{{2, Write}}, read{{2, Read}}, append{{5, Append}, {seen_by_properties, Write}};
  const auto a = sets.unite(sets.single(0, write), sets.single(1, read));
  const auto b = sets.unite(sets.single(3, append), a);
  EXPECT_EQ(sets.conflicting_threads(a, read), mask({0}));
  EXPECT_EQ(sets.conflicting_threads(a, write), mask({0, 1}));
  EXPECT_EQ(sets.conflicting_threads(a, append), 0u);
  EXPECT_EQ(sets.conflicting_threads(b, append), mask({3}));
  EXPECT_EQ(sets.conflicting_threads(b, std::vector<Access>{{5, Append}}), 0u);
  EXPECT_EQ(sets.conflicting_threads(b, std::vector<Access>{{5, Read}}), mask({3}));
  EXPECT_EQ(sets.unite(a, b), b);
  EXPECT_EQ(sets.unite(sets.single(1, read), sets.unite(sets.single(3, append), sets.single(0, write))), b);
  EXPECT_EQ(sets.unite(b, FutureSets::everything), FutureSets::everything);
  EXPECT_EQ(sets.conflicting_threads(FutureSets::everything, read), ~std::uint64_t{0});
}

// --- Counts.

// One thread writes x; two write a cell of their own and then read x (Cirisci 2022, Fig. 2.1).
Program one_writer(std::uint32_t readers) {
  Program p;
  p.threads.push_back({{Store, 0, 0, 1}});
  for (std::uint32_t r = 1; r <= readers; ++r) p.threads.push_back({{Store, r, 0, 1}, {Load, 0, 0}});
  p.cells = readers + 1;
  return p;
}

TEST(SourceSets, ASourceSetIsSmallerThanEveryPersistentOne) {
  const ThreadSystem system(one_writer(2));
  const Result full = run(system, Way::Full);
  EXPECT_EQ(full.count(), 25u);
  EXPECT_EQ(full.steps(), 37u);
  EXPECT_EQ(traces(system, full), 4u);
  for (const Way way : {Way::Lazy, Way::Traversal}) {
    const Result lazy = run(system, way);
    EXPECT_EQ(lazy.count(), 19u);
    EXPECT_EQ(lazy.steps(), 23u);
    EXPECT_EQ(traces(system, lazy), 4u);
    EXPECT_EQ(explored_first(system, lazy), (std::set<std::uint32_t>{0, 1}));
    SourceSetOptions how;
    how.persistent = true;
    const Result persistent = run(system, way, how);
    EXPECT_EQ(persistent.count(), 20u);
    EXPECT_EQ(persistent.steps(), 25u);
    EXPECT_EQ(explored_first(system, persistent), (std::set<std::uint32_t>{0, 1, 2}));
  }
  EXPECT_EQ(traces(system, run(system, Way::Eager)), 4u);
}

TEST(SourceSets, OneWriterAndFourReaders) {
  const ThreadSystem system(one_writer(4));
  EXPECT_EQ(run(system, Way::Full).count(), 337u);
  EXPECT_EQ(run(system, Way::Lazy).count(), 111u);
}

TEST(SourceSets, ThreadsThatNeverMeetGoOneAfterAnother) {
  Program p;
  p.cells = 5;
  for (std::uint32_t t = 0; t < 5; ++t) p.threads.emplace_back(3, Instruction{Store, t, 0, 1});
  const ThreadSystem system(p);
  EXPECT_EQ(run(system, Way::Full).count(), 1024u);
  for (const Way way : reduced_ways) EXPECT_EQ(run(system, way).count(), 16u);
}

TEST(SourceSets, SafeSetsAreBelow) {
  const auto program = [](std::uint32_t threads, std::uint32_t steps) {
    Program p;
    p.cells = threads;
    for (std::uint32_t t = 0; t < threads; ++t) {
      p.threads.emplace_back(steps, Instruction{Private});
      p.threads.back().push_back({Store, t, 0, 1});
    }
    return p;
  };
  for (const Way way : reduced_ways) {
    EXPECT_EQ(run(ThreadSystem(program(3, 5)), way).count(), 19u);
    EXPECT_EQ(run(ThreadSystem(program(4, 4)), way).count(), 21u);
  }
}

// The smallest program on which charging a step to the last dependent step alone loses runs.
TEST(SourceSets, BothOrdersOfALockAreExplored) {
  const std::vector<Instruction> a{{Lock, 0}, {Store, 0, 0, 2}, {Unlock, 0}}, b{{Lock, 0}, {Unlock, 0}, {Load, 0, 0}};
  for (const auto& threads : {std::vector{a, b}, std::vector{b, a}}) {
    Program p;
    p.threads = threads;
    const ThreadSystem system(p);
    for (const Way way : {Way::Full, Way::Lazy, Way::Traversal, Way::Eager}) {
      const Result r = run(system, way);
      EXPECT_EQ(traces(system, r), 3u);
      EXPECT_EQ(r.seen.finals.size(), 2u);
    }
  }
}

// --- The cuts.

TEST(LazySourceSets, Cut1AsksNothingForTheLastThread) {
  Program p;
  p.threads = {{{Store, 0, 0, 1}}, {{Store, 0, 0, 1}}};
  EXPECT_EQ(run(ThreadSystem(p), Way::Lazy).lookups, 1u);
  p.threads.pop_back();
  EXPECT_EQ(run(ThreadSystem(p), Way::Lazy).lookups, 0u);
}

// All subsets of three threads are states. Where only the last thread has moved, both others lead to known states.
TEST(LazySourceSets, Cut2AsksNothingWhereAllThatRemainsIsKnown) {
  Program p;
  p.threads = {{{Store, 0, 0, 1}}, {{Store, 0, 0, 1}}, {{Store, 0, 0, 1}}};
  const Result r = run(ThreadSystem(p), Way::Lazy);
  EXPECT_EQ(r.count(), 8u);
  EXPECT_EQ(r.steps(), 12u);
  EXPECT_EQ(r.lookups, 4u);
}

// After the first thread's step, the next step shows that the second thread depends on it. What comes after that is
// walked only where the second thread has made this step already.
TEST(LazySourceSets, Cut3EndsAWalkWhenAllThreadsAreFound) {
  for (const std::size_t more : {1u, 10u}) {
    Program p;
    p.threads = {{{Store, 0, 0, 1}}, {{Store, 0, 0, 1}}};
    p.threads[1].insert(p.threads[1].end(), more, {Load, 1, 1});
    EXPECT_EQ(run(ThreadSystem(p), Way::Traversal).walked, 1 + more);
  }
}

// The second thread starts a third one, which is not enabled before and depends on the first one. What comes after that
// is walked only where the third thread has made this step already.
TEST(LazySourceSets, Cut4EndsAWalkWhenAThreadIsFoundThatIsNotEnabled) {
  for (const std::size_t more : {1u, 10u}) {
    Program p;
    p.threads = {{{Store, 0, 0, 1}}, {{Spawn, 2}}, {{Store, 0, 0, 1}}};
    p.threads[2].insert(p.threads[2].end(), more, {Load, 1, 1});
    p.asleep = 1;
    EXPECT_EQ(run(ThreadSystem(p), Way::Traversal).walked, 3 + more);
  }
}

// --- Cycles.

// The first thread takes the lock and spins, so the second one waits forever and no run ends. That it waits has to be
// seen on the way: it could have been first.
TEST(SourceSets, AThreadThatWaitsForeverCouldHaveBeenFirst) {
  Program p;
  p.threads = {{{Lock, 0}, {Cas, 0, 0, 0}, {Back, 0, 0, 2, 1}}, {{Lock, 0}}};
  p.fuel = 0;
  p.spins = true;
  p.wanted = 0;
  const ThreadSystem system(p);
  const Result full = run(system, Way::Full);
  SourceSetOptions backwards, any;
  backwards.order.first = {1, 0};
  backwards.safe_sets = false;
  any.order.seed = 7;
  for (const Way way : reduced_ways) {
    for (const SourceSetOptions& how : {SourceSetOptions{}, backwards, any}) {
      const Result r = run(system, way, how);
      EXPECT_TRUE(r.seen.same_findings(full.seen));
      EXPECT_EQ(r.seen.locals, full.seen.locals);
    }
  }
}

// What lies below a state of a cycle is known when the whole cycle is. Whoever takes it for known earlier, or notes for
// each state what was seen below that state alone, explores other states than whoever walks the steps each time.
TEST(SourceSets, AComponentIsFinalWhenAllOfItIs) {
  const std::vector<std::vector<std::vector<Instruction>>> programs = {
      {{{Load, 0, 1}},
       {{Store, 1, 0, 0}, {Load, 1, 0}, {Back, 0, 1, 1, 2}},
       {{Store, 0, 0, 1}, {Assert, 0, 0, 1}, {Assert, 0, 1, 2}}},
      {{{Store, 0, 0, 0}},
       {{Load, 1, 1}, {Back, 0, 0, 1, 1}, {Store, 1, 0, 2}, {Store, 0, 0, 2}},
       {{Load, 0, 1}, {Skip, 0, 0, 1, 3}, {Back, 0, 0, 2, 2}, {Load, 1, 1}, {Store, 1, 0, 1}}}};
  for (const auto& threads : programs) {
    Program p;
    p.threads = threads;
    p.locks = 1;
    p.fuel = 0;
    p.spins = true;
    const ThreadSystem system(p);
    const Result full = run(system, Way::Full), lazy = run(system, Way::Lazy), traversal = run(system, Way::Traversal);
    EXPECT_EQ(lazy.states, traversal.states);
    EXPECT_EQ(lazy.edges, traversal.edges);
    EXPECT_TRUE(lazy.seen.same_findings(full.seen));
    EXPECT_EQ(lazy.seen.locals, full.seen.locals);
  }
}

// --- Random programs.

Program draw(bool watched, bool wide = false) {
  Program program = *random_program(watched);
  if (wide) program.threads = *random_threads(4, 3);
  return program;
}

void compare(const Program& program) {
  const ThreadSystem system(program);
  const Result full = run(system, Way::Full);
  const Result lazy = run(system, Way::Lazy), traversal = run(system, Way::Traversal), eager = run(system, Way::Eager);
  SourceSetOptions backwards, any;
  for (std::uint32_t t = 4; t-- > 0;) backwards.order.first.push_back(t);
  backwards.safe_sets = false;
  any.order.seed = 7;
  const Result other = run(system, Way::Lazy, backwards), random = run(system, Way::Eager, any);
  for (const Result* r : {&lazy, &traversal, &eager, &other, &random}) {
    RC_ASSERT(r->seen.same_findings(full.seen));
    RC_ASSERT(r->seen.locals == full.seen.locals);
    RC_ASSERT(r->count() <= full.count());
  }
  RC_ASSERT(lazy.states == traversal.states);
  RC_ASSERT(lazy.edges == traversal.edges);
  if (program.spins) return;
  const auto expected = testing::traces(system, full.edges, 3'000);
  if (!expected) return;
  for (const Result* r : {&lazy, &eager, &other, &random}) {
    RC_ASSERT(testing::traces(system, r->edges, ~std::size_t{0}) == expected);
  }
}

TEST(SourceSets, FindWhatTheFullSearchFinds) {
  check_random(count_of(200, 10'000), [] { compare(draw(false)); }, 31);
}
TEST(SourceSets, FindWhatTheFullSearchFindsOnTheWay) {
  check_random(count_of(50, 10'000), [] { compare(draw(true)); }, 32);
}
TEST(SourceSets, FindWhatTheFullSearchFindsInLoops) {
  const auto spinning = [] {
    Program program = draw(false);
    program.spins = true;
    compare(program);
  };
  check_random(count_of(200, 10'000), spinning, 33);
}
TEST(SourceSets, FindWhatTheFullSearchFindsWithFourThreads) {
  check_random(count_of(100, 10'000), [] { compare(draw(false, true)); }, 34);
}

TEST(SourceSets, AreChosenByThePlan) {
  for (const ReductionPlan& plan : {ReductionPlan{.lazy = true}, ReductionPlan{.eager = true}}) {
    Program program = one_writer(2);
    program.wanted = 2;
    ThreadSystem system(program);
    ReductionReport report;
    const SearchResult r = reduced_search(system, {}, plan, report);
    EXPECT_EQ(report.applied, std::vector<std::string>{plan.lazy ? "lazy source sets" : "eager source sets"});
    EXPECT_LT(r.counters.states, 25u);
    EXPECT_TRUE(r.complete);
    EXPECT_GT(r.counters.left_out, 0u);
    SearchOptions two;
    two.threads = 2;
    EXPECT_THROW(reduced_search(system, two, plan, report), ModelError);
  }
}

// Without remembering states every run of a source set is walked. Traces are those of the full search, and so are
// findings.
void compare_stateless(const Program& program) {
  ThreadSystem system(program);
  const Result full = run(system, Way::Full);
  RC_PRE(full.count() < 2'000u);
  SearchOptions stateless;
  stateless.order = SearchOptions::Order::DepthFirst;
  stateless.store = SearchOptions::Store::None;
  for (const ReductionPlan& plan : {ReductionPlan{.lazy = true}, ReductionPlan{.eager = true}}) {
    Edges edges;
    ReductionPlan noting = plan;
    noting.source_sets.on_step = [&](std::span<const Slot> state, Step step) {
      std::vector<Step>& steps = edges[SlotVector(state.begin(), state.end())];
      if (std::ranges::find(steps, step) == steps.end()) steps.push_back(step);
    };
    ReductionReport report;
    const Seen seen = testing::seen(system, stateless,
                                    [&](const SearchOptions& o) { return reduced_search(system, o, noting, report); });
    RC_ASSERT(seen.result.complete);
    RC_ASSERT(seen.result.counters.states == 0u);
    RC_ASSERT(seen.result.counters.nodes > 0u);
    RC_ASSERT(seen.finals == full.seen.finals);
    RC_ASSERT(seen.violated == full.seen.violated);
    RC_ASSERT(seen.locals == full.seen.locals);
    const auto expected = testing::traces(system, full.edges, 3'000);
    if (expected) RC_ASSERT(testing::traces(system, edges, ~std::size_t{0}) == expected);
  }
}
TEST(SourceSets, FindWhatTheFullSearchFindsWithoutRememberingStates) {
  check_random(count_of(30, 3'000), [] { compare_stateless(draw(false)); }, 35);
}

TEST(SourceSets, TraversalIsAPartOfThePlan) {
  Program program = one_writer(4);
  program.wanted = 2;
  ThreadSystem system(program);
  ReductionReport report;
  EXPECT_EQ(reduced_search(system, {}, {.lazy = true, .traversal = true}, report).counters.states, 111u);
  SearchOptions stateless;
  stateless.order = SearchOptions::Order::DepthFirst;
  stateless.store = SearchOptions::Store::None;
  EXPECT_THROW(reduced_search(system, stateless, {.lazy = true, .traversal = true}, report), ModelError);
}

// A search that is cut off claims nothing, and whatever was not followed counts as everything.
TEST(SourceSets, ALimitOfDepthIsHeeded) {
  SearchOptions options;
  options.limits.depth = 3;
  const ThreadSystem system(one_writer(3));
  for (const SearchResult& r : {lazy_source_sets(system, options), eager_source_sets(system, options)}) {
    EXPECT_EQ(r.verdict, Verdict::Unknown);
    EXPECT_GT(r.counters.cut_off, 0u);
    EXPECT_EQ(r.counters.depth, 3u);
  }
}

}  // namespace
}  // namespace heddle::source_sets_test
