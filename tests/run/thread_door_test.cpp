// A door that has only the core, Events and Threads (support/thread_program.h), from its row in the table of doors
// through every call of this folder: a call does its work, or says what the door lacks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "report/trace_json.h"
#include "run/audit.h"
#include "run/check.h"
#include "run/doors.h"
#include "run/errors.h"
#include "run/replay.h"
#include "run/schedules.h"
#include "run/simulate.h"
#include "support/check_random.h"
#include "support/random_thread_program.h"

namespace heddle::run::thread_door_test {
namespace {

using heddle::testing::check_random;
using heddle::testing::count_of;
using heddle::testing::Instruction;
using heddle::testing::Program;
using heddle::testing::random_program;
using heddle::testing::ThreadSystem;
using ::testing::HasSubstr;
using enum Instruction::Op;
using Order = SearchOptions::Order;
using Dpor = SearchOptions::Dpor;

// Two increments without a lock: one of them may be lost.
const Program increments{
    .threads = {{{Load, 0, 0}, {StoreRegister, 0, 0, 1}}, {{Load, 0, 0}, {StoreRegister, 0, 0, 1}}}, .wanted = 1};

Instance instance_of(const Program& program) {
  Instance instance;
  instance.door = "threads";
  instance.model = "increments";
  instance.build = [program](const BuildOptions&) { return std::make_unique<ThreadSystem>(program); };
  return instance;
}

std::vector<Door> table() {
  return {
      {.name = "threads",
       .commands = "check simulate replay audit schedules",
       .takes = "two increments",
       .reads = "",
       .accepts = [](const std::string& given) { return given == "increments"; },
       .open =
           [](const Given&) { return Source{{}, {}, [](const RunSettings&) { return instance_of(increments); }}; }}};
}

const Source& source() {
  static const Source opened = open({"increments"}, table());
  return opened;
}

CheckResult checked(const Instance& instance, const CheckRequest& request) {
  Listener nobody;
  return check(instance, request, nobody);
}

TEST(ThreadDoor, IsChecked) {
  struct Way {
    const char* name;
    ReductionPlan plan = {};
    Order order = Order::BreadthFirst;
    Dpor dpor = Dpor::Source;
    bool portfolio = false, verify = false;
  };
  for (const Way& way : std::initializer_list<Way>{{"none"},
                                                   {"auto", every_reduction()},
                                                   {"verified", {.safe = true}, Order::BreadthFirst, {}, false, true},
                                                   {"futures", {.futures = true}},
                                                   {"lazy", {.lazy = true}, Order::DepthFirst},
                                                   {"eager", {.eager = true}, Order::DepthFirst},
                                                   {"random", {}, Order::RandomWalk},
                                                   {"portfolio", {}, Order::BreadthFirst, {}, true},
                                                   {"dpor", {}, Order::Dpor},
                                                   {"optimal", {}, Order::Dpor, Dpor::Optimal},
                                                   {"classic", {}, Order::Dpor, Dpor::Classic}}) {
    SCOPED_TRACE(way.name);
    CheckRequest request;
    request.plan = way.plan;
    request.search.order = way.order;
    request.search.dpor = way.dpor;
    request.search.stop_at_violation = !way.verify;
    request.portfolio = way.portfolio;
    request.verify_reduction = way.verify;
    const CheckResult result = checked(source().instance({}), request);
    EXPECT_EQ(result.verdict, Verdict::Violated);
    EXPECT_EQ(result.property, "x0 finally");
    ASSERT_EQ(result.violations.size(), 1u);
    EXPECT_EQ(result.violations[0].path.steps.size(), 4u);
  }
}

TEST(ThreadDoor, WhatItLacksIsSaid) {
  CheckRequest request;
  request.plan = {.partial_order = true, .symmetry = true, .dead = true, .auxiliary = true};
  const CheckResult result = checked(source().instance({}), request);
  EXPECT_EQ(result.reductions, std::vector<std::string>{"safe sets"});
  EXPECT_EQ(result.skipped, std::vector<std::string>{"symmetry: nothing is known of processes that are alike"});
}

TEST(ThreadDoor, ItsTracesAreReplayed) {
  const CheckResult result = checked(source().instance({}), {});
  ASSERT_EQ(result.violations.size(), 1u);
  const trace::Trace recorded = report::trace_from_json(report::to_json(result.violations[0].trace), "t.json");
  EXPECT_EQ(recorded.model, "increments");
  const ReplayResult again = replay(source().instance(settings_of(recorded)), recorded);
  EXPECT_EQ(again.verdict, Verdict::Violated);
  EXPECT_EQ(again.property, "x0 finally");
  EXPECT_EQ(report::to_json(again.trace), report::to_json(result.violations[0].trace));
}

TEST(ThreadDoor, IsSimulated) {
  const SimulateResult one = simulate(source(), {.seed = 3});
  EXPECT_EQ(one.path.steps.size(), 4u);
  for (const ThreadStrategy strategy :
       {ThreadStrategy::Uniform, ThreadStrategy::Priorities, ThreadStrategy::PartialOrders}) {
    const SimulateResult many = simulate(source(), {.runs = 1'000, .strategy = strategy});
    EXPECT_EQ(many.verdict, Verdict::Violated);
    EXPECT_EQ(many.property, "x0 finally");
    EXPECT_LT(many.runs, 1'000u);
  }
}

class Nobody final : public AuditListener {
  void begins(const Instance&, const std::vector<std::string>&) override {}
  void relations(const TransitionSystem&, const AuditResult&) override {}
  void symmetry(const AuditResult&) override {}
  void auxiliary(const AuditResult&) override {}
  void inferred(const AuditResult&) override {}
};

template <class F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "no error";
}

TEST(ThreadDoor, WhatItCannotBeAskedIsAnErrorThatSaysWhy) {
  Nobody nobody;
  EXPECT_THAT(error_of([&] { audit(source().instance({}), {}, nobody); }),
              HasSubstr("there is nothing to audit: no two threads are alike"));
  Listener silent;
  const SchedulesRequest request{.schedulers = schedulers_named("EX")};
  EXPECT_NE(error_of([&] { schedules(source().instance({}), request, silent); }), "no error");
}

// What `heddle check` does by default gives the verdict and the properties of a search with nothing left out, and every
// violation that it shows is one.
TEST(ThreadDoor, RandomProgramsHaveTheSameFindings) {
  check_random(
      count_of(100, 2'000),
      [] {
        const Program program = *random_program(false);
        const Instance instance = instance_of(program);
        CheckRequest request;
        request.search.stop_at_violation = false;
        const CheckResult reduced = checked(instance, request);
        request.plan = {};
        request.explain = false;
        const CheckResult full = checked(instance, request);
        RC_ASSERT(reduced.verdict == full.verdict);
        for (std::size_t i = 0; i < full.properties.size(); ++i) {
          RC_ASSERT(reduced.properties.at(i).name == full.properties[i].name);
          RC_ASSERT(reduced.properties[i].result == full.properties[i].result);
        }
        for (const Violation& one : reduced.violations) {
          const ReplayResult again = replay(instance, one.trace);
          RC_ASSERT(again.verdict == Verdict::Violated);
          RC_ASSERT(again.property == one.trace.property);
        }
      },
      31);
}

}  // namespace
}  // namespace heddle::run::thread_door_test
