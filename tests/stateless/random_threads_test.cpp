// Random schedules of threads: their promises, and that seeds repeat them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "stateless/random_threads.h"
#include "support/check_random.h"
#include "support/long_run.h"
#include "support/random_thread_program.h"
#include "support/thread_program.h"

namespace heddle::random_threads_test {
namespace {

using testing::count_of;
using testing::Instruction;
using testing::Program;
using testing::ThreadSystem;

// x0 is 1 for an instant. The other thread has to look just then, after many steps of its own: two orderings of steps
// that must come together, so a bug of depth 2. Drawing each step uniformly hardly ever does that.
Program an_instant(std::size_t steps_before) {
  using enum Instruction::Op;
  Program p;
  p.threads = {{{Store, 0, 0, 1}, {Store, 0, 0, 0}}, {}};
  p.threads[1].assign(steps_before, {Private, 0});
  p.threads[1].push_back({Load, 0, 0});
  p.threads[1].push_back({Assert, 0, 0, 1});
  return p;
}

std::size_t found(const ThreadSystem& system, const ThreadSamplingOptions& options, std::size_t runs) {
  const ThreadSampling sampling(system, options);
  std::size_t n = 0;
  for (std::uint64_t seed = 1; seed <= runs; ++seed) n += sampling.run(seed).false_property == 0 ? 1 : 0;
  return n;
}

TEST(RandomThreads, PrioritiesKeepTheirPromise) {
  const ThreadSystem system(an_instant(20));
  const std::size_t runs = count_of(4'000, 100'000);
  // n threads, k steps, depth 2: at least one in n k.
  const double expected = static_cast<double>(runs) / (2.0 * 24);
  const double slack = 4 * std::sqrt(expected);
  EXPECT_GE(static_cast<double>(found(system, {.strategy = ThreadStrategy::Priorities, .depth = 2}, runs)),
            expected - slack);
  // Without a change of priorities one thread runs to its end before the other begins.
  EXPECT_EQ(found(system, {.strategy = ThreadStrategy::Priorities, .depth = 1}, runs), 0);
  EXPECT_GT(found(system, {.strategy = ThreadStrategy::PartialOrders}, runs), runs / 200);
  EXPECT_LT(found(system, {.strategy = ThreadStrategy::Uniform}, runs), runs / 1'000);
}

TEST(RandomThreads, SeedsRepeatRuns) {
  const ThreadSystem system(an_instant(5));
  for (const auto strategy : {ThreadStrategy::Uniform, ThreadStrategy::Priorities, ThreadStrategy::PartialOrders}) {
    const ThreadSampling one(system, {.strategy = strategy}), another(system, {.strategy = strategy});
    another.run(1'000);
    std::set<std::vector<std::uint32_t>> schedules;
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      const SampledRun run = one.run(seed), again = another.run(seed);
      EXPECT_EQ(run.path.steps, again.path.steps);
      EXPECT_EQ(run.last, again.last);
      std::vector<std::uint32_t> schedule;
      for (const Step& step : run.path.steps) schedule.push_back(step.transition);
      schedules.insert(schedule);
    }
    EXPECT_GT(schedules.size(), 1);  // another seed, another run
  }
}

// Whatever is sampled is a run: its steps are enabled, and its end is one.
TEST(RandomThreads, RunsAreRunsOfTheProgram) {
  testing::check_random(count_of(100, 5'000), [] {
    const Program program = *testing::random_program(false);
    const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000);
    const ThreadSystem system(program);
    for (const auto strategy : {ThreadStrategy::Uniform, ThreadStrategy::Priorities, ThreadStrategy::PartialOrders}) {
      const SampledRun run = ThreadSampling(system, {.strategy = strategy, .steps = 200}).run(seed);
      const auto states = follow(system, run.path);
      RC_ASSERT(states.has_value());
      RC_ASSERT(states->back() == run.last);
      StepBuffer steps;
      system.expand(run.last, steps);
      RC_ASSERT((steps.size() == 0) == run.ended);
      RC_ASSERT(run.ended || run.false_property || run.path.steps.size() == 200);
      if (run.false_property) {
        RC_ASSERT((system.evaluate(run.last, ~std::uint64_t{0}) >> *run.false_property & 1) == 0);
      }
    }
  });
}

}  // namespace
}  // namespace heddle::random_threads_test
