// Portfolios: searches side by side that agree, the first verdict, and what happens if they do not.
#include "reduce/portfolio.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/forwarding_system.h"
#include "support/check_random.h"
#include "support/random_thread_program.h"
#include "support/reduced_graph.h"

namespace heddle::portfolio_test {
namespace {

using testing::check_random;
using testing::count_of;
using testing::Instruction;
using testing::Program;
using testing::random_program;
using testing::ThreadSystem;
using enum Instruction::Op;
using ::testing::HasSubstr;

const ReductionPlan nothing;

auto making(const Program& program) {
  return [program] { return std::make_unique<ThreadSystem>(program); };
}

Program writers(std::size_t threads, std::size_t steps, std::uint32_t wanted) {
  Program p;
  p.threads.assign(threads, std::vector<Instruction>(steps, {Add, 0, 0, 1}));
  p.values = 8;
  p.wanted = wanted;
  return p;
}

TEST(Portfolio, HasEveryReductionAndSeveralOrders) {
  std::vector<std::string> names;
  for (const PortfolioMember& m : portfolio_members(nothing)) names.push_back(m.name());
  EXPECT_EQ(names, (std::vector<std::string>{"safe sets", "thread futures", "lazy source sets",
                                             "lazy source sets, last thread first",
                                             "lazy source sets, threads in random order, seed 1",
                                             "lazy source sets, threads in random order, seed 2"}));
}

TEST(Portfolio, TheFirstVerdictCounts) {
  const PortfolioResult r = portfolio_search(making(writers(3, 2, 9)), {}, portfolio_members(nothing));
  EXPECT_TRUE(r.decided);
  EXPECT_EQ(r.search.verdict, Verdict::Holds);
  EXPECT_TRUE(r.members[r.winner].decided);
  EXPECT_TRUE(r.search.complete);
  ASSERT_NE(r.system, nullptr);
  EXPECT_THAT(r.report.chosen, HasSubstr("the first of 6 searches side by side"));
}

// Six is what all three threads add up to, at the end of every run.
TEST(Portfolio, AViolationCanBeFollowedInTheSystemOfTheWinner) {
  const PortfolioResult r = portfolio_search(making(writers(3, 2, 6)), {}, portfolio_members(nothing));
  EXPECT_EQ(r.search.verdict, Verdict::Violated);
  ASSERT_FALSE(r.search.violations.empty());
  const Path& path = r.search.violations[0].path;
  EXPECT_EQ(path.steps.size(), 6u);
  SlotVector state = r.system->initial_states()[path.initial], next;
  for (const Step& step : path.steps) {
    ASSERT_TRUE(r.system->execute(state, step, next));
    state = next;
  }
}

// One member is given another program than all others.
TEST(Portfolio, WhoeverDisagreesIsNamed) {
  int made = 0;
  const auto make = [&] { return std::make_unique<ThreadSystem>(writers(2, 2, ++made == 2 ? 4 : 9)); };
  try {
    portfolio_search(make, {}, portfolio_members(nothing), {.wait_for_all = true, .on_deadlock = {}});
    FAIL() << "they disagree";
  } catch (const std::logic_error& e) {
    EXPECT_THAT(e.what(), HasSubstr("disagree"));
    EXPECT_THAT(e.what(), HasSubstr("thread futures"));
    EXPECT_THAT(e.what(), HasSubstr("violated"));
    EXPECT_THAT(e.what(), HasSubstr("holds"));
  }
}

TEST(Portfolio, FinalStatesAreCompared) {
  int made = 0;
  const auto make = [&] {
    Program p = writers(2, 1, 9);
    if (++made == 4) p.threads[0].insert(p.threads[0].begin(), {Choose, 0, 0, 1});
    return std::make_unique<ThreadSystem>(p);
  };
  EXPECT_THROW(portfolio_search(make, {}, portfolio_members(nothing), {.wait_for_all = true, .on_deadlock = {}}),
               std::logic_error);
}

TEST(Portfolio, TheBudgetIsThatOfAll) {
  SearchOptions options;
  options.limits.seconds = 0.2;
  const PortfolioResult r = portfolio_search(making(writers(6, 6, 9)), options, portfolio_members(nothing));
  EXPECT_EQ(r.search.verdict, Verdict::Unknown);
  EXPECT_FALSE(r.decided);
  EXPECT_EQ(r.search.stopped_by, "time limit of 0.2 s");
  options.limits.seconds = 60;
  options.limits.bytes = 1 << 21;
  EXPECT_THAT(portfolio_search(making(writers(6, 6, 9)), options, portfolio_members(nothing)).search.stopped_by,
              HasSubstr("memory limit"));
}

TEST(Portfolio, IsAboutThreads) {
  class NoThreads final : public ForwardingSystem {
   public:
    using ForwardingSystem::ForwardingSystem;
    const Threads* threads() const override { return nullptr; }
  };
  const ThreadSystem inner(writers(2, 1, 9));
  const auto make = [&] { return std::make_unique<NoThreads>(inner); };
  EXPECT_THROW(portfolio_search(make, {}, portfolio_members(nothing)), ModelError);
}

TEST(Portfolio, AllMembersAgreeWithTheFullSearch) {
  const auto compare = [] {
    Program program = *random_program(*rc::gen::arbitrary<bool>());
    program.spins = *rc::gen::arbitrary<bool>();
    const ThreadSystem system(program);
    SearchOptions options;
    options.stop_at_violation = *rc::gen::arbitrary<bool>();
    const SearchResult full = search(system, options);
    std::set<SlotVector> finals;
    PortfolioOptions how;
    how.wait_for_all = true;
    how.on_deadlock = [&](const TransitionSystem&, std::span<const Slot> s) { finals.emplace(s.begin(), s.end()); };
    const PortfolioResult r = portfolio_search(making(program), options, portfolio_members(nothing), how);
    RC_ASSERT(r.decided);
    RC_ASSERT(r.search.verdict == full.verdict);
    if (options.stop_at_violation) return;
    RC_ASSERT(r.search.violations.size() == full.violations.size());
    RC_ASSERT(finals.size() == full.counters.deadlocks);
    for (const PortfolioResult::Member& m : r.members) RC_ASSERT(m.decided);
  };
  check_random(count_of(60, 3'000), compare, 42);
}

}  // namespace
}  // namespace heddle::portfolio_test
