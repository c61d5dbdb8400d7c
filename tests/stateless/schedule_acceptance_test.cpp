// Checks relations between the schedulers' counts on the four models. The counts themselves depend on the finest detail
// of a protocol. bench/schedules.cpp measures how fast the schedulers are.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>

#include "actor/actor_system.h"
#include "core/facets/histories.h"
#include "explain/minimise.h"
#include "heddle/heddle.h"
#include "stateless/exclusions.h"
#include "stateless/optimal_dpor.h"
#include "stateless/scheduler.h"
#include "stateless/source_dpor.h"

namespace heddle::schedule::acceptance_test {
namespace {

using Parameters = std::map<std::string, std::string>;

std::unique_ptr<TransitionSystem> library_system(const std::string& name, const std::string& harness,
                                                 Parameters parameters = {}) {
  parameters["harness"] = harness;
  return make_actor_system(Model(*find_model(name), parameters));
}

ScheduleResult run(const TransitionSystem& system, std::string_view name, std::uint64_t cutoff = 50'000) {
  ReceiveGraph graph(system);
  ScheduleOptions options;
  options.cutoff = cutoff;
  return run_scheduler(graph, *find_scheduler(name), options);
}

std::uint64_t schedules(const TransitionSystem& system, std::string_view name) {
  return run(system, name, 1'000'000).metrics.schedules;
}

TEST(OpenChord, EverySchedulerButRandomOnesFindsTheStaleRead) {
  const auto system = library_system("open_chord", "2R+1W");
  for (const char* name : {"EX", "DB", "DP", "TD", "IR", "LV", "SL"}) {
    const ScheduleResult r = run(*system, name, 1'000'000);
    EXPECT_TRUE(r.metrics.ended) << name;
    EXPECT_GT(r.metrics.violations, 0u) << name;
    ASSERT_TRUE(r.violation.has_value()) << name;
    // The path is one of the system itself, clients' steps included.
    const auto states = follow(*system, r.violation->path);
    ASSERT_TRUE(states.has_value()) << name;
    EXPECT_EQ(system->evaluate(states->back()) >> r.violation->property & 1, 0u) << name;
    const Path shortest = explain::minimise(*system, *r.violation);
    EXPECT_LE(shortest.steps.size(), 8u) << name;
  }
}

TEST(OpenChord, LiViolaNeedsAHundredthOfTheSchedules) {
  const auto system = library_system("open_chord", "2R+1W");
  EXPECT_GE(schedules(*system, "EX"), 100 * schedules(*system, "LV"));
}

// The map of Multi-Paxos. Its messages are consumed here, because schedules never end in a soup. Some answers are never
// taken, so clients are not folded.
TEST(MultiPaxosMap, SchedulersFindTheSameHistoriesAndNoViolation) {
  Model model(*find_model("multi_paxos"), {{"harness", "2R+1W"}});
  model.network.order = Network::Order::Multiset;
  const auto system = make_actor_system(std::move(model));
  ReceiveGraph graph(*system, {.fold_clients = false});
  ScheduleOptions options;
  options.cutoff = 3'000'000;
  const ScheduleMetrics all = run_scheduler(graph, *find_scheduler("EX"), options).metrics;
  EXPECT_EQ(all.violations, 0u);
  for (const char* name : {"SL", "SD"}) {
    const ScheduleMetrics sound = run_scheduler(graph, *find_scheduler(name), options).metrics;
    EXPECT_TRUE(sound.ended && !sound.may_miss) << name;
    EXPECT_EQ(sound.violations, 0u) << name;
    EXPECT_EQ(sound.classes, all.classes) << name;
  }
  for (const char* name : {"SR", "DB", "DP", "TD", "IR", "LV"}) {
    options.cutoff = 20'000;
    EXPECT_EQ(run_scheduler(graph, *find_scheduler(name), options).metrics.violations, 0u) << name;
  }
}

TEST(CorrectRegisters, NoSchedulerReportsAViolation) {
  for (const char* model : {"distributed_register", "another_register"}) {
    for (const char* harness : {"2R+1W", "2R+2W"}) {
      const auto system = library_system(model, harness);
      for (const Scheduler& s : schedulers()) {
        const bool dpor = s.kind == Scheduler::Kind::Source || s.kind == Scheduler::Kind::Optimal;
        const ScheduleMetrics m = run(*system, s.name, dpor ? 50 : 2'000).metrics;
        EXPECT_EQ(m.violations, 0u) << model << " " << harness << " " << s.name;
        EXPECT_GT(m.histories, 0u);
      }
    }
  }
}

TEST(ErroneousRegister, EveryDepthFirstSchedulerFindsTheViolation) {
  const auto system = library_system("erroneous_register", "2R+1W");
  for (const char* name : {"EX", "DB", "DP", "TD", "IR", "LV", "SL"}) {
    EXPECT_GT(run(*system, name).metrics.violations, 0u) << name;
  }
}

TEST(ErroneousRegister, EachSchedulerNeedsNoMoreThanTheOneBefore) {
  const auto system = library_system("erroneous_register", "2R+1W");
  const char* names[] = {"EX", "DP", "TD", "IR", "LV"};
  for (std::size_t i = 0; i + 1 < std::size(names); ++i) {
    EXPECT_GE(schedules(*system, names[i]), schedules(*system, names[i + 1])) << names[i];
  }
  EXPECT_GT(schedules(*system, "EX"), schedules(*system, "LV"));
}

// The stateful search with the history as a slot ends for every correct model, on both harnesses.
TEST(CorrectRegisters, AreExploredCompletelyBySoundSearch) {
  const std::pair<const char*, Parameters> models[] = {{"distributed_register", {}},
                                                       {"another_register", {}},
                                                       {"erroneous_register", {{"repaired", "yes"}}},
                                                       {"open_chord", {{"repaired", "yes"}}}};
  for (const auto& [model, parameters] : models) {
    for (const char* harness : {"2R+1W", "2R+2W"}) {
      const auto system = library_system(model, harness, parameters);
      const SearchResult r = search(*system);
      EXPECT_TRUE(r.complete) << model << " " << harness;
      EXPECT_EQ(r.verdict, Verdict::Holds) << model << " " << harness;
    }
  }
}

TEST(Histories, AreJudgedOnceHoweverManySchedulesHaveThem) {
  const auto system = library_system("distributed_register", "2R+1W");
  const ScheduleMetrics m = run(*system, "EX", 1'000'000).metrics;
  // `classes` counts the checks.
  EXPECT_LT(2 * m.classes, m.histories);
  EXPECT_LT(10 * m.histories, m.schedules);
}

// LiViola's exclusions as in the paper: acknowledgements in the correct register (5.8.5), none in the erroneous one
// (5.2).
TEST(Exclusions, LetLiViolaDoWithFewSchedules) {
  const auto correct = library_system("distributed_register", "2R+1W");
  EXPECT_LT(20 * schedules(*correct, "LV"), schedules(*correct, "IR"));
  const auto erroneous = library_system("erroneous_register", "2R+1W");
  EXPECT_EQ(schedules(*erroneous, "LV"), schedules(*erroneous, "IR"));
}

// --- Exclusions.

TEST(Exclusions, OfTheLibraryAreSafe) {
  for (const char* model : {"open_chord", "distributed_register"}) {
    for (const char* harness : {"2R+1W", "2R+2W"}) {
      const auto system = library_system(model, harness);
      ReceiveGraph graph(*system);
      const ExclusionReport e = verify_exclusions(graph, {});
      EXPECT_TRUE(e.any && e.complete) << model;
      EXPECT_EQ(e.lost, 0u) << model << " " << harness;
      EXPECT_GT(e.histories, 5u);
    }
  }
}

// A register whose copy is updated by a message that the model excludes. If the message is received at once, it hides
// every stale read.
struct Client;
struct Copy;
struct Operation {
  bool writes = false;
};
struct Result {
  int value = 0;
};
struct Request {
  Operation operation;
  Id<Client> client;
};
struct Update {};
struct Client {
  Operation operation;
  Id<Copy> copy;
  bool asked = false;
  void ask(Id<Client> self, Invoke<Operation> invoke, To<Copy, Request> out) {
    require(!asked);
    asked = true;
    invoke(operation);
    out.send(copy, {operation, self});
  }
  void finish(const Result& r, Return<Result> result) { result(r); }
  static constexpr auto transitions = heddle::transitions<&Client::ask, &Client::finish>;
};
struct Copy {
  int value = 0;
  void serve(const Request& r, ToAll<Copy, Update> update, To<Client, Result> done) {
    if (r.operation.writes) {
      value = 1;
      update.send({});
    }
    done.send(r.client, {r.operation.writes ? 0 : value});
  }
  void bring_up(const Update&) { value = 1; }
  static constexpr auto transitions = heddle::transitions<&Copy::serve, &Copy::bring_up>;
};
struct Sequential {
  int value = 0;
  Result apply(const Operation& operation) {
    if (!operation.writes) return {value};
    value = 1;
    return {};
  }
};

TEST(Exclusions, ThatHideAViolationAreFound) {
  const auto make = [](bool excluded) {
    return make_actor_system(Model(Definition{.name = "copies", .summary = "", .build = [=](Model& m) {
                                                m.add<Client>(2, [&](std::size_t c) {
                                                  return Client{.operation = {c == 0}, .copy = m.id<Copy>(c)};
                                                });
                                                m.add<Copy>(2);
                                                if (excluded) m.exclude<Update>();
                                                m.linearizable<Sequential, Operation>("linearizability");
                                              }}));
  };
  const auto system = make(true);
  ReceiveGraph graph(*system);
  const ExclusionReport e = verify_exclusions(graph, {});
  EXPECT_TRUE(e.any && e.complete);
  EXPECT_EQ(e.lost, 1u);
  EXPECT_EQ(e.lost_violations, 1u);
  ASSERT_TRUE(e.witness.has_value());
  const auto states = follow(*system, *e.witness);
  ASSERT_TRUE(states.has_value());
  EXPECT_EQ(system->evaluate(states->back()) & history_properties_of(*system), 0u);

  const auto plain = make(false);
  ReceiveGraph nothing(*plain);
  EXPECT_FALSE(verify_exclusions(nothing, {}).any);
}

}  // namespace
}  // namespace heddle::schedule::acceptance_test
