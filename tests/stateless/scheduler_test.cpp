// Compares the schedulers with counts by brute force, with each other, and with systems small enough to count by hand.
#include "stateless/scheduler.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "actor/actor_system.h"
#include "actor/random_run.h"
#include "explore/search.h"
#include "heddle/heddle.h"
#include "random_store.h"

namespace heddle::schedule::scheduler_test {
namespace {

using Parameters = std::map<std::string, std::string>;

std::unique_ptr<TransitionSystem> library_system(const std::string& name, const Parameters& parameters = {},
                                                 const std::string& bug = "") {
  return make_actor_system(Model(*find_model(name), parameters, bug));
}

struct Explored {
  ScheduleMetrics metrics;
  std::set<SlotVector> last;
};

Explored run(const TransitionSystem& system, std::string_view name, bool fold = true,
             std::uint64_t cutoff = 1'000'000) {
  ReceiveGraph graph(system, {.fold_clients = fold});
  Explored out;
  ScheduleOptions options;
  options.cutoff = cutoff;
  options.on_schedule = [&](std::span<const Slot> last) { out.last.emplace(last.begin(), last.end()); };
  out.metrics = run_scheduler(graph, *find_scheduler(name), options).metrics;
  return out;
}

// Counts the complete runs of the system itself, one by one.
std::uint64_t count_runs(const TransitionSystem& system, const SlotVector& state, std::set<SlotVector>& last) {
  StepBuffer steps;
  system.expand(state, steps);
  if (steps.size() == 0) last.insert(state);
  std::uint64_t runs = steps.size() == 0 ? 1 : 0;
  for (std::size_t k = 0; k < steps.size(); ++k)
    runs += count_runs(system, apply_changes(state, steps.changes(k)), last);
  return runs;
}

TEST(Exhaustive, ExploresEveryRunOnce) {
  for (const char* model : {"another_register", "erroneous_register", "single_copy_register"}) {
    const auto system =
        library_system(model, model == std::string("single_copy_register") ? Parameters{{"clients", "2"}}
                                                                           : Parameters{{"harness", "1R+1W"}});
    std::set<SlotVector> last;
    const std::uint64_t runs = count_runs(*system, system->initial_states()[0], last);
    const Explored ex = run(*system, "EX", false);
    EXPECT_EQ(ex.metrics.schedules, runs) << model;
    EXPECT_EQ(ex.last, last) << model;
    EXPECT_TRUE(ex.metrics.ended);
  }
}

// Counts of the tables A2, A4 and A6 of Al-Mahfoudh, Stutsman, Gopalakrishnan (2023). They are the orders of the
// messages of three requests: 10!/(4! 3! 3!) if one request is forwarded, 6 * 7!/5! if a write spreads to five
// messages, and 9!/(3! 3! 3!) if each request takes three messages.
TEST(Exhaustive, FindsAsManySchedulesAsThePaper) {
  const std::pair<const char*, std::uint64_t> counts[] = {
      {"distributed_register", 4200}, {"erroneous_register", 252}, {"another_register", 1680}};
  for (const auto& [model, schedules] : counts) {
    const auto system = library_system(model);
    EXPECT_EQ(run(*system, "EX").metrics.schedules, schedules) << model;
    EXPECT_EQ(run(*system, "DB").metrics.schedules, schedules) << model;
  }
}

// --- Sleep sets.

TEST(SleepSets, KeepTheFinalStatesOfTheFourModels) {
  for (const char* model : {"distributed_register", "erroneous_register", "another_register", "open_chord"}) {
    const auto system = library_system(model);
    const Explored ex = run(*system, "EX"), sleep = run(*system, "SL");
    ASSERT_TRUE(ex.metrics.ended) << model;
    ASSERT_TRUE(sleep.metrics.ended) << model;
    EXPECT_EQ(sleep.last, ex.last) << model;
    EXPECT_LT(sleep.metrics.schedules, ex.metrics.schedules / 5) << model;
  }
}

RC_GTEST_PROP(SleepSets, KeepTheFinalStatesOfRandomStores, ()) {
  const auto seed = *rc::gen::inRange(0, 1'000'000);
  const bool fold = *rc::gen::arbitrary<bool>();
  const std::string harness =
      *rc::gen::element<std::string>("1R+1W", fold ? "2R+1W" : "1R+1W", fold ? "1R+2W" : "1R+1W");
  const auto system = make_actor_system(random_store::make(seed, *rc::gen::inRange(2, 4), harness));
  const Explored ex = run(*system, "EX", fold, 20'000);
  if (!ex.metrics.ended) return;
  const Explored sleep = run(*system, "SL", fold);
  RC_ASSERT(sleep.metrics.ended);
  RC_ASSERT(sleep.last == ex.last);
  RC_ASSERT(sleep.metrics.schedules <= ex.metrics.schedules);
}

// --- Folding.

// Folded histories are the strictest: if the unfolded system violates linearizability, so does the folded one.
RC_GTEST_PROP(Folding, KeepsTheVerdictOfRandomStores, ()) {
  const auto seed = *rc::gen::inRange(0, 1'000'000);
  const std::string harness = *rc::gen::element<std::string>("1R+1W", "2R+1W", "1R+2W");
  const auto system = make_actor_system(random_store::make(seed, 2, harness));
  SearchOptions options;
  const bool violated = search(*system, options).verdict == Verdict::Violated;
  const Explored folded = run(*system, "SL");
  RC_ASSERT(folded.metrics.ended);
  RC_ASSERT((folded.metrics.violations > 0) == violated);
}

// A client that may ask again, and a server that may answer twice.
struct Asker;
struct Server;
struct Question {
  Id<Asker> from;
};
struct Reading {
  int value = 0;
};
struct Asker {
  bool asked = false, answered = false;
  unsigned again = 0;
  void ask(Id<Asker> self, Invoke<Question> invoke, To<Server, Question> out) {
    require(!asked);
    asked = true;
    invoke({self});
    out.send({self});
  }
  void ask_again(Timeout, Id<Asker> self, To<Server, Question> out) {
    require(asked && !answered && again > 0);
    --again;
    out.send({self});
  }
  void finish(const Reading& r, Return<Reading> result) {
    require(!answered);
    answered = true;
    result(r);
  }
  static constexpr auto transitions = heddle::transitions<&Asker::ask, &Asker::ask_again, &Asker::finish>;
};
struct Server {
  int answers = 2;
  void answer(const Question& q, To<Asker, Reading> out) {
    for (int i = 0; i < answers; ++i) out.send(q.from, {i});
  }
  static constexpr auto transitions = heddle::transitions<&Server::answer>;
};
struct Zero {
  int value = 0;
  Reading apply(const Question&) { return {0}; }
};

std::unique_ptr<TransitionSystem> asking(int answers, unsigned again) {
  return make_actor_system(Model(Definition{.name = "asking", .summary = "", .build = [=](Model& m) {
                                              m.add<Asker>(1, [&](std::size_t) { return Asker{.again = again}; });
                                              m.add<Server>(1, [&](std::size_t) { return Server{.answers = answers}; });
                                              m.linearizable<Zero, Question>("linearizability");
                                            }}));
}

TEST(Folding, SaysWhereItMayLeaveOut) {
  EXPECT_FALSE(run(*asking(1, 0), "EX").metrics.may_miss);
  // Both answers are there at once, and the client is not folded.
  const ScheduleMetrics both = run(*asking(2, 0), "EX").metrics;
  EXPECT_FALSE(both.may_miss);
  EXPECT_EQ(both.violations, 1u);
  // The answer to the second question comes when the first was taken.
  EXPECT_TRUE(run(*asking(1, 1), "EX").metrics.may_miss);
  EXPECT_FALSE(run(*asking(1, 1), "EX", false).metrics.may_miss);
}

// The second question of a client that may ask again could be heard before the first: asking is then a separate step.
TEST(Folding, LeavesImpatientClientsAlone) {
  const auto steps = [](const TransitionSystem& system) {
    ReceiveGraph graph(system);
    return graph.steps(graph.receives(graph.initial())[0]).size();
  };
  EXPECT_EQ(steps(*asking(1, 0)), 3u);  // asked, answered, finished
  EXPECT_EQ(steps(*asking(1, 1)), 1u);
}

// --- The paper's two examples of races (figures 5 and 6): a takes m1 and then sends m3 to itself; b takes m1 and sends
// nothing.

struct B;
struct A;
struct M1 {};
struct M3 {};
struct Kick {
  void start(To<A, M1> a, To<B, M1> b) {
    require(!done);
    done = true;
    a.send({});
    b.send({});
  }
  bool done = false;
  static constexpr auto transitions = heddle::transitions<&Kick::start>;
};
struct A {
  int got = 0;
  void first(const M1&, Id<A> self, To<A, M3> out) {
    ++got;
    out.send(self, {});
  }
  void third(const M3&) { got += 2; }
  static constexpr auto transitions = heddle::transitions<&A::first, &A::third>;
};
struct B {
  int got = 0;
  void first(const M1&) { ++got; }
  static constexpr auto transitions = heddle::transitions<&B::first>;
};

TEST(Races, OnePartialOrderNeedsOneSchedule) {
  const auto system = make_actor_system(Model(Definition{.name = "figure", .summary = "", .build = [](Model& m) {
                                                           m.add<Kick>();
                                                           m.add<A>();
                                                           m.add<B>();
                                                           m.start_after<&Kick::start>();
                                                         }}));
  EXPECT_EQ(run(*system, "EX").metrics.schedules, 3u);
  EXPECT_EQ(run(*system, "SL").metrics.schedules, 1u);
  // m3 is caused by m1, so there is no race at a.
  for (const char* name : {"DP", "TD", "IR", "LV"}) EXPECT_EQ(run(*system, name).metrics.schedules, 1u) << name;
}

// --- Predicates of users.

TEST(Predicates, CanBeReplaced) {
  const auto system = library_system("distributed_register");
  const auto count = [&](std::string_view name, Predicate dependent, Predicate enable) {
    ReceiveGraph graph(*system);
    ScheduleOptions options;
    options.cutoff = 1'000'000;
    options.are_dependent = std::move(dependent);
    options.did_enable = std::move(enable);
    return run_scheduler(graph, *find_scheduler(name), options).metrics.schedules;
  };
  // Nothing depends on anything: one schedule is enough. If nothing enables anything, there is no root.
  EXPECT_EQ(count("DP", [](const Receive&, const Receive&) { return false; }, nullptr), 1u);
  EXPECT_EQ(count("IR", same_receiver, sender_was_receiver), run(*system, "IR").metrics.schedules);
  EXPECT_LT(count("IR", nullptr, [](const Receive&, const Receive&) { return false; }),
            run(*system, "IR").metrics.schedules);
}

// --- Histories.

// Operations of abd_register are under way in the initial state, and all of them end. An operation whose request is
// never received does not end.
TEST(Histories, AreCompleteOnceEveryOperationHasReturned) {
  EXPECT_EQ(run(*library_system("abd_register"), "SL").metrics.incomplete, 0u);
  const auto early = library_system("distributed_register", {{"leader", "announced"}, {"harness", "1R+1W"}});
  EXPECT_EQ(run(*early, "EX").metrics.incomplete, 0u);
  const auto lossy = [] {
    Model model(*find_model("distributed_register"), {{"harness", "1R+1W"}});
    model.network.losses = 1;
    return make_actor_system(std::move(model));
  }();
  const ScheduleMetrics m = run(*lossy, "EX").metrics;
  EXPECT_GT(m.incomplete, 0u);
  EXPECT_LT(m.incomplete, m.schedules);
}

// --- Budgets.

TEST(Schedulers, StopAtTheirCutOffAndSaySo) {
  const auto system = library_system("distributed_register", {{"harness", "2R+2W"}});
  for (const Scheduler& s : schedulers()) {
    const Explored r = run(*system, s.name, true, 500);
    EXPECT_EQ(r.metrics.schedules, 500u) << s.name;
    EXPECT_FALSE(r.metrics.ended) << s.name;
    EXPECT_NE(r.metrics.stopped_by.find("500 schedules"), std::string::npos) << s.name;
  }
}

struct Spinner {
  bool on = false;
  void flip() { on = !on; }
  static constexpr auto transitions = heddle::transitions<&Spinner::flip>;
};

TEST(Schedulers, GiveUpOnCycles) {
  const auto system = make_actor_system(
      Model(Definition{.name = "spinner", .summary = "", .build = [](Model& m) { m.add<Spinner>(); }}));
  for (const Scheduler& s : schedulers()) {
    ReceiveGraph graph(*system);
    ScheduleOptions options;
    options.limits.depth = 100;
    const ScheduleMetrics m = run_scheduler(graph, s, options).metrics;
    EXPECT_FALSE(m.ended) << s.name;
    EXPECT_NE(m.stopped_by.find("cycles"), std::string::npos) << s.name;
  }
}

TEST(Schedulers, AreReproducible) {
  const auto system = library_system("open_chord");
  for (const Scheduler& s : schedulers()) {
    const Explored a = run(*system, s.name, true, 2000), b = run(*system, s.name, true, 2000);
    EXPECT_EQ(a.metrics.histories, b.metrics.histories) << s.name;
    EXPECT_EQ(a.metrics.steps, b.metrics.steps) << s.name;
    EXPECT_EQ(a.last, b.last) << s.name;
  }
}

}  // namespace
}  // namespace heddle::schedule::scheduler_test
