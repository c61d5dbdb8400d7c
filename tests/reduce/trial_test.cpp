// The trial that chooses among the reductions for threads: small systems need none, large ones get what suits them, and
// whatever is chosen finds what the full search finds.
#include "reduce/trial.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/check_random.h"
#include "support/random_thread_program.h"
#include "support/reduced_graph.h"

namespace heddle::trial_test {
namespace {

using testing::check_random;
using testing::count_of;
using testing::Instruction;
using testing::Program;
using testing::random_threads;
using testing::Seen;
using testing::ThreadSystem;
using enum Instruction::Op;
using ::testing::ElementsAre;
using ::testing::StartsWith;

const ReductionPlan open_plan{.partial_order = true};

// Threads with a cell of their own: one order is enough.
Program apart(std::uint32_t threads, std::size_t steps) {
  Program p;
  p.cells = threads;
  for (std::uint32_t t = 0; t < threads; ++t) p.threads.emplace_back(steps, Instruction{Add, t, 0, 1});
  p.wanted = 9;
  return p;
}
// Threads that all count in one cell, each step with what was there before: every order matters.
Program together(std::uint32_t threads, std::size_t steps) {
  Program p = apart(threads, steps);
  for (auto& thread : p.threads) {
    thread.assign(steps, {Add, 0, 0, 1});
  }
  p.values = 8;
  return p;
}

struct Tried {
  SearchResult result;
  ReductionReport report;
};
Tried tried(const Program& program, SearchOptions options = {}, const ReductionPlan& plan = open_plan) {
  ThreadSystem system(program);
  Tried out;
  out.result = reduced_search(system, std::move(options), plan, out.report);
  return out;
}

TEST(Trial, ASmallSystemNeedsNone) {
  const Tried t = tried(apart(4, 3));
  EXPECT_THAT(t.report.applied, ElementsAre("safe sets"));
  EXPECT_EQ(t.report.chosen, "");
  EXPECT_EQ(t.result.counters.states, 256u);
}

// 32,768 states without reduction.
TEST(Trial, ThreadsThatNeverMeetAreNotInterleaved) {
  const Tried t = tried(apart(5, 7));
  EXPECT_THAT(t.report.applied, ElementsAre("thread futures"));
  EXPECT_THAT(t.report.chosen, StartsWith("chosen by a trial of "));
  EXPECT_LT(t.result.counters.states, 100u);
  EXPECT_EQ(t.result.verdict, Verdict::Holds);
  EXPECT_TRUE(t.result.complete);
}

// Nothing can be left out, so nothing is begun afresh: 8 threads that are at most 3 steps far.
TEST(Trial, SafeSetsGoOnWhereOthersGainNothing) {
  const Tried t = tried(together(7, 3));
  EXPECT_THAT(t.report.applied, ElementsAre("safe sets"));
  EXPECT_THAT(t.report.chosen, StartsWith("chosen by a trial of "));
  EXPECT_EQ(t.result.counters.states, 16'384u);
  EXPECT_EQ(t.report.runs, 1u);
}

TEST(Trial, TheSameIsChosenEachTime) {
  const Tried a = tried(apart(5, 7)), b = tried(apart(5, 7));
  EXPECT_EQ(a.report.chosen, b.report.chosen);
  EXPECT_EQ(a.result.counters.states, b.result.counters.states);
}

TEST(Trial, SourceSetsAreNotChosenForSeveralThreads) {
  SearchOptions two;
  two.threads = 2;
  const Tried t = tried(apart(5, 7), two);
  EXPECT_THAT(t.report.applied, ElementsAre("thread futures"));
  EXPECT_LT(t.result.counters.states, 100u);
  EXPECT_THAT(tried(together(7, 3), two).report.applied, ElementsAre("safe sets"));
}

TEST(Trial, NothingIsTriedWithinBounds) {
  SearchOptions options;
  options.limits.depth = 30;
  const Tried t = tried(apart(5, 7), options);
  EXPECT_THAT(t.report.applied, ElementsAre("safe sets"));
  EXPECT_EQ(t.report.chosen, "");
  SearchOptions lossy;
  lossy.order = SearchOptions::Order::DepthFirst;
  lossy.store = SearchOptions::Store::HashCompact;
  EXPECT_EQ(tried(apart(5, 7), lossy).report.chosen, "");
}

TEST(Trial, WhatThePlanSaysIsNotTried) {
  for (const ReductionPlan& plan :
       {ReductionPlan{.partial_order = true, .safe = true}, ReductionPlan{.futures = true}}) {
    EXPECT_EQ(tried(apart(5, 7), {}, plan).report.chosen, "");
  }
}

TEST(Trial, TheTimeLimitIsThatOfAll) {
  SearchOptions options;
  options.limits.seconds = 0.05;
  const Tried t = tried(together(8, 6), options);
  EXPECT_EQ(t.result.verdict, Verdict::Unknown);
  EXPECT_EQ(t.result.stopped_by, "time limit of 0.05 s");
}

// Programs that are large enough for a trial.
TEST(Trial, SlowWhateverIsChosenFindsWhatTheFullSearchFinds) {
  int large = 0;
  const auto compare = [&] {
    Program program;
    program.threads = *random_threads(5, 9);
    program.cells = 4;
    program.locks = 3;
    program.spins = *rc::gen::arbitrary<bool>();
    // Half of all accesses are to a thread's own.
    for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
      for (std::size_t i = 0; i < program.threads[t].size(); i += 2) program.threads[t][i].target += t;
      program.threads[t].insert(program.threads[t].end(), 2, {Store, t, 0, 1});
    }
    ThreadSystem system(program);
    SearchOptions options;
    options.limits.seconds = 5;
    const Seen full = testing::seen(system, options, [&](const SearchOptions& o) { return search(system, o); });
    RC_PRE(full.result.complete);
    ReductionReport report;
    const Seen seen = testing::seen(
        system, options, [&](const SearchOptions& o) { return reduced_search(system, o, open_plan, report); });
    large += report.chosen.empty() ? 0 : 1;
    RC_ASSERT(seen.same_findings(full));
    RC_ASSERT(seen.locals == full.locals);
  };
  check_random(count_of(10, 300), compare, 43);
  EXPECT_GT(large, 0);
}

}  // namespace
}  // namespace heddle::trial_test
