// Reductions for threads on programs of C and C++: what they leave out of the client of Cirisci 2022, Fig. 2.21, and
// that they find what the search without them finds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "cli/program.h"
#include "native/client.h"
#include "native/system.h"
#include "reduce/reduced_search.h"
#include "run/client_outcomes.h"
#include "run/lower_program.h"
#include "support/checked_program.h"
#include "support/reduced_graph.h"

namespace heddle::cli::thread_reductions_test {
namespace {

using heddle::testing::Edges;
using Order = SearchOptions::Order;
using Image = std::shared_ptr<const native::Image>;

struct Way {
  const char* name;
  ReductionPlan plan = {};
  Order order = Order::DepthFirst;
  SearchOptions::Dpor dpor = SearchOptions::Dpor::Source;
};

const Way full{"none"}, safe{"safe", {.safe = true}}, spor{"spor", {.spor = true}},
    futures{"futures", {.futures = true}}, lazy{"lazy", {.lazy = true}}, eager{"eager", {.eager = true}},
    source{"source-DPOR", {}, Order::Dpor}, optimal{"optimal DPOR", {}, Order::Dpor, SearchOptions::Dpor::Optimal};

struct Answer {
  Verdict verdict = Verdict::Unknown;
  std::set<std::string> violated, outcomes;
  std::uint64_t states = 0, steps = 0;
};

class ThreadReductions : public ProgramTest {
 protected:
  static Image image_of(const fs::path& file, const std::vector<std::string>& flags = {}) {
    return run::lower_program({.sources = {file}, .flags = flags});
  }
  static fs::path example(const char* name) { return fs::path(HEDDLE_SOURCE_DIR) / "examples" / "native" / name; }
  static native::SystemOptions client(const Image& image, const char* text) { return options_of_client(*image, text); }
  void SetUp() override {
    ProgramTest::SetUp();
    ASSERT_EQ(::setenv("XDG_CACHE_HOME", environment.at("XDG_CACHE_HOME").c_str(), 1), 0);
  }
  static Answer ask(const Image& image, const native::SystemOptions& options, const Way& way) {
    SearchOptions search;
    search.order = way.order;
    search.dpor = way.dpor;
    ProgramAnswer found = checked_program(image, options, way.plan, search);
    const SearchResult& r = found.check.search;
    EXPECT_TRUE(r.complete) << way.name;
    return {r.verdict, std::move(found.violated), std::move(found.outcomes), r.counters.states, r.counters.transitions};
  }
  static void expect_same(const Image& image, const native::SystemOptions& options) {
    const Answer expected = ask(image, options, full);
    for (const Way& way : {safe, spor, futures, lazy, eager, source, optimal}) {
      const Answer found = ask(image, options, way);
      EXPECT_EQ(found.verdict, expected.verdict) << way.name;
      EXPECT_EQ(found.violated, expected.violated) << way.name;
      EXPECT_EQ(found.outcomes, expected.outcomes) << way.name;
    }
  }
};

// Without calls and returns as steps, the client has 435 states with and without safe sets, and 288 with lazy source
// sets; with them 1,630, 828 and 514. That is a model of the algorithm: memory, and of each thread its place, live
// variables and results. A program has more states, and fewer:
//   + 1    before the first thread has started the others
//   + 3    safe sets let threads begin one after the other. Without reduction they begin in any order: 534 and 1,879
//   - 10   where all threads have ended nobody knows the stack any more, and it is dropped: 9 states, not 19
//   + 18   when the first thread has waited for the others, and when the process has ended: 9 outcomes each
TEST_F(ThreadReductions, TheStatesOfTheStackAreThoseOfItsModel) {
  const Image image = image_of(example("afek_stack.cpp"), {"-DBUG_READ_THEN_CLEAR"});
  native::SystemOptions options = client(image, "push(1) | push(2); pop() | pop()");
  constexpr std::uint64_t more = 1 + 3 - 10 + 18;
  EXPECT_EQ(ask(image, options, full).states, 534u + 1 - 10 + 18);
  EXPECT_EQ(ask(image, options, safe).states, 435 + more);
  EXPECT_EQ(ask(image, options, lazy).states, 288 + more);
  EXPECT_EQ(ask(image, options, eager).states, 288 + more);
  EXPECT_EQ(ask(image, options, full).outcomes.size(), 9u);
  expect_same(image, options);
  options.calls = native::Calls::Visible;
  EXPECT_EQ(ask(image, options, full).states, 1'879u + 1 - 10 + 18);
  EXPECT_EQ(ask(image, options, safe).states, 828 + more);
  EXPECT_EQ(ask(image, options, lazy).states, 514 + more);
  expect_same(image, options);
}

// Looks at single steps of the searches, so it calls them itself.
TEST_F(ThreadReductions, TheStackHas155Traces) {
  const Image image = image_of(example("afek_stack.cpp"), {"-DBUG_READ_THEN_CLEAR"});
  const native::SystemOptions options = client(image, "push(1) | push(2); pop() | pop()");
  const std::set<std::string> admitted = run::sequential_outcomes(image, options).at(0);
  native::System system(image, options);
  Edges all, kept;
  SearchOptions search;
  search.stop_at_violation = false;
  search.selector = heddle::testing::noting_everything(all);
  ReductionReport report;
  reduced_search(system, search, {}, report);
  search.selector = nullptr;
  ReductionPlan plan{.lazy = true};
  plan.source_sets.on_step = [&](std::span<const Slot> state, Step step) {
    kept[SlotVector(state.begin(), state.end())].push_back(step);
  };
  reduced_search(system, search, plan, report);
  const auto traces = heddle::testing::ended_traces(system, all, 1'000'000).value();
  EXPECT_EQ(traces.size(), 155u);
  EXPECT_EQ(std::ranges::count_if(traces, [&](const auto& t) { return admitted.contains(*system.outcome(t.second)); }),
            93);
  EXPECT_EQ(heddle::testing::traces(system, kept, 1'000'000), heddle::testing::traces(system, all, 1'000'000));
}

TEST_F(ThreadReductions, ProgramsHaveTheSameFindings) {
  const Image lists = image_of(example("hand_over_hand_list.cpp"));
  expect_same(lists, client(lists, "add(1); remove(2) | add(2); remove(1) | add(3)"));
  const Image queue = image_of(example("michael_scott_queue.cpp"));
  expect_same(queue, client(queue, "enqueue(1); dequeue() | enqueue(2) | dequeue()"));
  expect_same(image_of(example("lastzero.c"), {"-DN=3"}), {});
  expect_same(image_of(example("lastzero.c"), {"-DN=3", "-DBUG_NO_ZERO"}), {});
}

// By the rule of the thesis a release is never safe, so more orders of steps are tried.
TEST_F(ThreadReductions, ReleasesMayBeSafe) {
  const Image image = image_of(example("hand_over_hand_list.cpp"));
  native::SystemOptions options = client(image, "add(1); remove(2) | add(2); remove(1)");
  options.races = native::Races::Allow;
  EXPECT_LT(ask(image, options, safe).steps, ask(image, options, spor).steps);
  EXPECT_LT(ask(image, options, spor).steps, ask(image, options, full).steps);
}

// Whoever waits for a condition registers while it lets the lock go. A signal before that is lost.
TEST_F(ThreadReductions, ASignalMayBeLost) {
  std::ofstream(home / "lost.c") << R"(
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static atomic_int ready;
static void* waits(void* argument) {
  pthread_mutex_lock(&mutex);
  if (!ready) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  return argument;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, waits, 0);
  ready = 1;
  pthread_cond_signal(&condition);
  pthread_join(thread, 0);
  return 0;
}
)";
  const Image image = image_of(home / "lost.c");
  EXPECT_EQ(ask(image, {}, full).violated, std::set<std::string>{"deadlock"});
  expect_same(image, {});
}

// Whoever destroys a lock sees whether it has been released.
TEST_F(ThreadReductions, ALockMayBeDestroyedTooEarly) {
  std::ofstream(home / "early.c") << R"(
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int done;
static void* work(void* argument) {
  pthread_mutex_lock(&mutex);
  done = 1;
  pthread_mutex_unlock(&mutex);
  return argument;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  while (!done) {
  }
  pthread_mutex_destroy(&mutex);
  pthread_join(thread, 0);
  return 0;
}
)";
  const Image image = image_of(home / "early.c");
  EXPECT_EQ(ask(image, {}, full).violated, std::set<std::string>{"assertion"});
  expect_same(image, {});
}

}  // namespace
}  // namespace heddle::cli::thread_reductions_test
