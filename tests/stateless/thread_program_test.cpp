// Runs every engine on thread programs, a door that has only the core, Events and Threads (support/thread_program.h).
// Compares the full search with a naive explorer, and DPOR with the full search, and checks the contracts of both
// facets in every state.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "brute_force.h"
#include "core/path.h"
#include "explain/make_trace.h"
#include "explain/minimise.h"
#include "explain/replay.h"
#include "reduce/reduced_search.h"
#include "report/trace_json.h"
#include "stateless/dpor_search.h"
#include "stateless/optimal_dpor.h"
#include "stateless/source_dpor.h"
#include "stateless/stateless_nodes.h"
#include "support/check_random.h"
#include "support/long_run.h"
#include "support/random_thread_program.h"
#include "thread_oracle.h"

namespace heddle::thread_program_test {
namespace {

using testing::check_random;
using testing::count_of;
using testing::Instruction;
using testing::Program;
using testing::random_program;
using testing::ThreadOracle;
using testing::ThreadSystem;
using enum Instruction::Op;
using Dpor = SearchOptions::Dpor;
using Order = SearchOptions::Order;
using States = SearchOptions::Store;

constexpr Dpor dpors[] = {Dpor::Source, Dpor::Optimal, Dpor::Classic};

// The properties in the order of ThreadSystem.
enum : std::size_t { no_failure, threads_end, x_finally, x_and_y_meet, x_and_y_differ };

struct Answer {
  Verdict verdict = Verdict::Unknown;
  std::set<std::size_t> violated, reached;
  std::set<SlotVector> finals;
  std::uint64_t final_states = 0;
  bool operator==(const Answer&) const = default;
};

// Whether the run of every finding ends in a state that shows it.
bool is_shown(const TransitionSystem& system, const std::vector<Finding>& findings, bool truth) {
  for (const Finding& f : findings) {
    const auto states = follow(system, f.path);
    if (!states || (system.evaluate(states->back()) >> f.property & 1) != (truth ? 1u : 0u)) return false;
    StepBuffer steps;
    if (system.properties()[f.property].of_final_states()) system.expand(states->back(), steps);
    if (steps.size() != 0) return false;
  }
  return true;
}

Answer ask(TransitionSystem& system, SearchOptions options, SearchResult* result = nullptr) {
  Answer answer;
  options.stop_at_violation = false;
  options.on_deadlock = [&](std::span<const Slot> s) { answer.finals.emplace(s.begin(), s.end()); };
  ReductionReport report;
  const SearchResult r = reduced_search(system, options, {}, report);
  EXPECT_TRUE(is_shown(system, r.violations, false) && is_shown(system, r.witnesses, true));
  answer.verdict = r.verdict;
  answer.final_states = r.counters.deadlocks;
  for (const Finding& f : r.violations) answer.violated.insert(f.property);
  for (const Finding& f : r.witnesses) answer.reached.insert(f.property);
  if (result != nullptr) *result = r;
  return answer;
}

std::string state_text(const TransitionSystem& system, std::span<const Slot> state) {
  std::string out;
  for (const trace::Field& f : system.describer().describe_state(state)) out += f.name + "=" + f.value + " ";
  return out;
}

Program draw(bool watched) {
  Program program = *random_program(watched);
  RC_TAG(watched);
  return program;
}

// --- The full search against the oracle.

void compare_with_oracle() {
  const Program program = draw(true);
  const ThreadOracle oracle(program);
  for (const Order order : {Order::BreadthFirst, Order::DepthFirst}) {
    ThreadSystem system(program);
    SearchOptions options;
    options.order = order;
    SearchResult result;
    const Answer full = ask(system, options, &result);
    std::set<std::string> finals;
    for (const SlotVector& s : full.finals) finals.insert(state_text(system, s));
    RC_ASSERT(result.complete);
    RC_ASSERT(result.counters.states == oracle.states());
    RC_ASSERT(finals == oracle.finals);
    RC_ASSERT(full.violated.contains(no_failure) == oracle.assertion_fails);
    RC_ASSERT(full.violated.contains(threads_end) == oracle.stuck);
    RC_ASSERT(full.violated.contains(x_finally) == oracle.ends_with_wanted);
    RC_ASSERT(full.reached.contains(x_and_y_meet) == oracle.meet);
    RC_ASSERT(full.violated.contains(x_and_y_differ) == oracle.equal);
  }
}

TEST(ThreadPrograms, TheFullSearchAgreesWithANaiveExplorer) {
  check_random(count_of(300, 10'000), compare_with_oracle, 1);
}

// --- DPOR against the full search.

void compare_dpor(bool watched) {
  const Program program = draw(watched);
  ThreadSystem system(program);
  const auto nodes = stateless_nodes(system);
  RC_ASSERT(nodes.has_value());
  RC_PRE(*nodes < (watched ? 20'000u : 200'000u));
  const Answer full = ask(system, {});
  for (const Dpor dpor : dpors) {
    SearchOptions options;
    options.order = Order::Dpor;
    options.dpor = dpor;
    SearchResult result;
    RC_ASSERT(ask(system, options, &result) == full);
    RC_ASSERT(result.complete);
    RC_ASSERT(result.counters.nodes <= *nodes);
  }
}

TEST(ThreadPrograms, SlowDporAgreesWithTheFullSearch) {
  check_random(count_of(2'000, 9'000), [] { compare_dpor(false); }, 2);
}

// After the third thread's first step, the first thread sleeps and the second one takes the lock. There nobody is left
// to be explored, but the third thread waits, and it could have been first.
TEST(ThreadPrograms, DporSeesWhoWaitsWhereAllOthersSleep) {
  const Program program{.threads = {{{Load, 0, 0}}, {{Lock, 0}}, {{Private}, {Lock, 0}, {Store, 0, 0, 1}}}};
  ThreadSystem system(program);
  const Answer full = ask(system, {});
  for (const Dpor dpor : dpors) {
    SearchOptions options;
    options.order = Order::Dpor;
    options.dpor = dpor;
    EXPECT_EQ(ask(system, options), full);
  }
}

TEST(ThreadPrograms, DporAgreesWithTheFullSearchWhereStatesOnTheWayMatter) {
  check_random(count_of(300, 1'000), [] { compare_dpor(true); }, 3);
}

// Without locks, no step disables a step of another thread, and optimal DPOR explores every trace exactly once.
TEST(ThreadPrograms, OptimalDporExploresEveryTraceOnce) {
  const auto compare = [] {
    Program program = draw(false);
    for (auto& thread : program.threads) {
      std::erase_if(thread, [](const Instruction& i) { return i.op == Lock || i.op == TryLock; });
    }
    const ThreadSystem system(program);
    RC_PRE(stateless_nodes(system).value() < 5'000u);
    StatelessOptions options;
    options.stop_at_violation = false;
    const StatelessResult optimal = optimal_dpor(system, options), source = source_dpor(system, options);
    RC_ASSERT(optimal.blocked == 0u);
    RC_ASSERT(optimal.executions == BruteForce(system, false).traces());
    RC_ASSERT(source.executions == optimal.executions);
  };
  check_random(count_of(200, 5'000), compare, 4);
}

// lastzero(n): thread i computes x[i] from x[i-1], and one more thread looks from above for the last cell that is 0. It
// only reads and writes plain memory, so a search that took writes for steps that disable others would explore every
// order.
Program lastzero(std::uint32_t n) {
  Program p{.threads = std::vector<std::vector<Instruction>>(n + 1), .cells = n + 1, .values = n + 1};
  for (std::uint32_t i = n; i > 0; --i) {
    p.threads[0].push_back({Load, i, 0});
    p.threads[0].push_back({Skip, 0, 0, 0, 2 * n});
    p.threads[i] = {{Load, i - 1, 0}, {StoreRegister, i, 0, 1}};
  }
  p.threads[0].push_back({Load, 0, 0});
  return p;
}

// 64 for n = 5 is the number of the evaluation in Abdulla, Aronis, Jonsson, Sagonas: Optimal dynamic partial order
// reduction (POPL 2014); 5 for n = 2 is our own count, by brute force.
TEST(ThreadPrograms, OptimalDporHasTheTracesOfLastzero) {
  for (const auto& [n, traces] : {std::pair{2u, 5u}, {5u, 64u}}) {
    const StatelessResult r = optimal_dpor(ThreadSystem(lastzero(n)), {});
    EXPECT_EQ(r.executions, traces) << n;
    EXPECT_EQ(r.blocked, 0u);
  }
  EXPECT_EQ(BruteForce(ThreadSystem(lastzero(2)), false).traces(), 5u);
}

// --- Every engine.

// Two increments without a lock. The second thread knows from x1 that the first has ended, and sees that an increment
// was lost.
const Program lost_update{
    .threads =
        {{{Choose}, {Load, 0, 0}, {StoreRegister, 0, 0, 1}, {Store, 1, 0, 1}},
         {{Load, 0, 0}, {StoreRegister, 0, 0, 1}, {Load, 1, 1}, {Skip, 0, 1, 0, 2}, {Load, 0, 1}, {Assert, 0, 1, 1}}},
    .wanted = 0};

TEST(ThreadPrograms, EverySearchFindsALostUpdate) {
  struct Search {
    Order order;
    States store;
    unsigned threads;
    Dpor dpor = Dpor::Source;
  };
  for (const Search& s : std::initializer_list<Search>{{Order::BreadthFirst, States::Exact, 1},
                                                       {Order::BreadthFirst, States::Exact, 2},
                                                       {Order::DepthFirst, States::Exact, 2},
                                                       {Order::DepthFirst, States::HashCompact, 1},
                                                       {Order::DepthFirst, States::Bitstate, 1},
                                                       {Order::DepthFirst, States::None, 1},
                                                       {Order::RandomWalk, States::Exact, 1},
                                                       {Order::Dpor, States::None, 1, Dpor::Source},
                                                       {Order::Dpor, States::None, 1, Dpor::Optimal},
                                                       {Order::Dpor, States::None, 1, Dpor::Classic}}) {
    ThreadSystem system(lost_update);
    SearchOptions options;
    options.order = s.order;
    options.store = s.store;
    options.threads = s.threads;
    options.dpor = s.dpor;
    options.bitstate_bytes = 1 << 20;
    ReductionReport report;
    const SearchResult r = reduced_search(system, options, {}, report);
    ASSERT_EQ(r.verdict, Verdict::Violated);
    ASSERT_EQ(r.violations.size(), 1u);
    EXPECT_TRUE(is_shown(system, r.violations, false));
    // The run becomes what a reader gets, and is read back.
    const Path shortest = explain::minimise(system, r.violations[0]);
    EXPECT_EQ(shortest.steps.size(), 10u);
    const trace::Trace trace = explain::make_trace(system, shortest, r.violations[0].property);
    EXPECT_EQ(trace.property, assertion_property);
    const explain::ReplayResult again =
        explain::replay(system, report::trace_from_json(report::to_json(trace), "trace"));
    EXPECT_TRUE(again.shown);
  }
}

TEST(ThreadPrograms, ASystemWithThreadsIsReducedBySafeSets) {
  ThreadSystem system(lost_update);
  ReductionReport report;
  reduced_search(system, {}, {.partial_order = true, .symmetry = true}, report);
  EXPECT_EQ(report.applied, std::vector<std::string>{"safe sets"});
  EXPECT_EQ(report.skipped, std::vector<std::string>{"symmetry: nothing is known of processes that are alike"});
}

// A thread spins until another has written: there are few states, but endless runs.
TEST(ThreadPrograms, DporDoesNotClaimWhatHasCycles) {
  const Program spinning{
      .threads = {{{Load, 0, 0}, {Back, 0, 0, 1, 1}}, {{Store, 0, 0, 1}}}, .spins = true, .wanted = 0};
  ThreadSystem system(spinning);
  EXPECT_EQ(ask(system, {}).verdict, Verdict::Holds);
  for (const Dpor dpor : dpors) {
    SearchOptions options;
    options.order = Order::Dpor;
    options.dpor = dpor;
    SearchResult endless;
    EXPECT_EQ(ask(system, options, &endless).verdict, Verdict::Unknown);
    EXPECT_NE(endless.stopped_by.find("cycles"), std::string::npos) << endless.stopped_by;
    options.limits.depth = 20;
    SearchResult bounded;
    EXPECT_EQ(ask(system, options, &bounded).verdict, Verdict::Unknown);
    EXPECT_GT(bounded.counters.cut_off, 0u);
    EXPECT_FALSE(bounded.exhausted);
  }
}

TEST(ThreadPrograms, DporSaysWhatItCannotHeed) {
  SearchOptions options;
  EXPECT_EQ(conflicts_with_dpor(options), "");
  options.threads = 2;
  EXPECT_NE(conflicts_with_dpor(options).find("--threads"), std::string::npos);
  options = {};
  options.store = States::Bitstate;
  EXPECT_NE(conflicts_with_dpor(options).find("--store"), std::string::npos);
  ThreadSystem system(lost_update);
  EXPECT_THROW(dpor_search(system, options), ModelError);
}

// --- The facets.

bool conflict_of(const std::vector<Access>& a, const std::vector<Access>& b) {
  for (const Access& x : a) {
    for (const Access& y : b) {
      if (x.slot == y.slot && (x.kind != y.kind || x.kind == Access::Kind::Write)) return true;
    }
  }
  return false;
}

bool same_access(const Access& a, const Access& b) { return a.slot == b.slot && a.kind == b.kind; }

void audit_facets() {
  const Program program = draw(false);
  const ThreadSystem system(program);
  const Threads& threads = *system.threads();
  std::vector<SlotVector> states;
  SearchOptions options;
  options.stop_at_violation = false;
  options.on_state = [&](std::span<const Slot> s) { states.emplace_back(s.begin(), s.end()); };
  search(system, options);
  for (const SlotVector& state : states) {
    StepBuffer all;
    system.expand(state, all);
    std::size_t next = 0;
    std::vector<PendingAction> pending(threads.thread_count(state));
    std::vector<bool> has(pending.size());
    for (std::uint32_t t = 0; t < pending.size(); ++t) {
      has[t] = threads.pending(state, t, pending[t]);
      RC_ASSERT(has[t] || pending[t].steps.empty());
      RC_ASSERT(!has[t] || pending[t].blocked == pending[t].steps.empty());
      for (const Step& step : pending[t].steps) {
        RC_ASSERT(next < all.size());
        RC_ASSERT(all.step(next) == step);
        Effects effects;
        effects_of(system, state, step, effects);
        RC_ASSERT(effects.process == t);
        RC_ASSERT(effects.disables_others == pending[t].disables_others);
        SlotVector alone;
        RC_ASSERT(system.execute(state, step, alone));
        RC_ASSERT(alone == apply_changes(state, all.changes(next)));
        ++next;
      }
    }
    RC_ASSERT(next == all.size());
    for (std::uint32_t t = 0; t < pending.size(); ++t) {
      for (std::uint32_t u = 0; u < pending.size(); ++u) {
        if (t == u || !has[t] || !has[u] || pending[t].steps.empty()) continue;
        SlotVector after;
        system.execute(state, pending[t].steps[0], after);
        PendingAction then;
        // Other threads do not change what a thread is about to do.
        RC_ASSERT(threads.pending(after, u, then));
        if (!pending[t].disables_others) RC_ASSERT(pending[u].blocked || then.steps == pending[u].steps);
        if (conflict_of(pending[t].accesses, pending[u].accesses)) {
          RC_ASSERT(!pending[t].safe);
          continue;
        }
        RC_ASSERT(then.steps == pending[u].steps);
        RC_ASSERT(std::ranges::equal(then.accesses, pending[u].accesses, same_access));
        if (pending[u].steps.empty()) continue;
        SlotVector one, other, between;
        RC_ASSERT(system.execute(after, pending[u].steps[0], one));
        RC_ASSERT(system.execute(state, pending[u].steps[0], between));
        RC_ASSERT(system.execute(between, pending[t].steps[0], other));
        RC_ASSERT(one == other);
      }
    }
  }
}

TEST(ThreadPrograms, FacetsKeepTheirContracts) { check_random(count_of(100, 3'000), audit_facets, 5); }

}  // namespace
}  // namespace heddle::thread_program_test
