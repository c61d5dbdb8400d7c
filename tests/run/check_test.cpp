// Checking as a library: every door, what the listener hears, and how often a model is built.
#include "run/check.h"

#include <gmock/gmock.h>

#include <atomic>

#include "report/trace_json.h"
#include "run/actor_door.h"
#include "run/doors.h"
#include "run/errors.h"
#include "run/findings.h"
#include "run/recorder.h"
#include "run/replay.h"

namespace heddle::run::check_test {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

CheckResult checked(const Source& source, const CheckRequest& request = {}) {
  Listener nobody;
  return check(source, request, nobody);
}

TEST(RunCheck, ALibraryModelHolds) {
  const CheckResult result = checked(open("two_phase_commit"));
  EXPECT_EQ(result.verdict, Verdict::Holds);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.stopped_by, "");
  EXPECT_FALSE(result.properties.empty());
  for (const auto& property : result.properties) EXPECT_EQ(property.result, Verdict::Holds) << property.name;
  EXPECT_TRUE(result.coverage.has_value());
}

// The published count, with nothing left out.
TEST(RunCheck, CountsAreThoseOfTheModelsOwnTable) {
  const Definition& definition = *find_model("paxos");
  ASSERT_FALSE(definition.expected.empty());
  for (const Expected& expected : definition.expected) {
    if (expected.states > 20'000) continue;
    CheckRequest request;
    request.settings.parameters = expected.parameters;
    request.plan = {};
    EXPECT_EQ(checked(open("paxos"), request).counters.states, expected.states);
  }
}

TEST(RunCheck, AViolationHasATraceThatReplays) {
  CheckRequest request;
  request.settings.bug = "accept_always";
  const Source source = open("paxos");
  const CheckResult result = checked(source, request);
  ASSERT_EQ(result.verdict, Verdict::Violated);
  EXPECT_EQ(result.property, "agreement");
  ASSERT_EQ(result.violations.size(), 1u);
  const Violation& violation = result.violations[0];
  EXPECT_EQ(violation.path.steps.size(), violation.trace.steps.size());
  EXPECT_LE(violation.path.steps.size(), violation.found);
  EXPECT_EQ(result.search.violations[0].path.steps, violation.path.steps);
  const auto states = follow(*result.system, violation.path);
  ASSERT_TRUE(states.has_value());
  EXPECT_EQ(states->back(), violation.last);
  EXPECT_EQ(result.system->evaluate(violation.last) >> violation.property & 1, 0u);

  // Through the file format, as a user would.
  const trace::Trace recorded = report::trace_from_json(report::to_json(violation.trace), "t.json");
  const ReplayResult again =
      replay(open_recorded(recorded, "t.json").instance(settings_of(recorded)), recorded, {.name = "t.json"});
  EXPECT_EQ(again.verdict, Verdict::Violated);
  EXPECT_EQ(again.property, "agreement");
  EXPECT_EQ(report::to_json(again.trace), report::to_json(violation.trace));

  trace::Trace other = recorded;
  other.steps.erase(other.steps.begin());
  EXPECT_THROW(replay(source.instance(settings_of(other)), other), ModelError);
}

TEST(RunCheck, TheListenerHearsInOrder) {
  Recorder recorder;
  CheckRequest request;
  request.settings.bug = "accept_always";
  const CheckResult result = check(open("paxos"), request, recorder);
  ASSERT_EQ(result.verdict, Verdict::Violated);
  EXPECT_THAT(recorder.events, ElementsAre("built paxos", StartsWith("begins paxos ("), "searching", "searched",
                                           "judged violated", "shows 1 agreement", "shown"));
}

TEST(RunCheck, TheListenerIsToldWhatWasKnownWhenItFailed) {
  Recorder recorder;
  CheckRequest request;
  request.needs_refinement = true;
  EXPECT_THROW(check(open("two_phase_commit"), request, recorder), UsageError);
  EXPECT_THAT(recorder.events, ElementsAre("built two_phase_commit", "failed"));
}

TEST(RunCheck, ReductionsAreVerified) {
  Recorder recorder;
  CheckRequest request;
  request.verify_reduction = true;
  const CheckResult result = check(open("two_phase_commit"), request, recorder);
  EXPECT_THAT(result.reductions, testing::Contains("partial order"));
  EXPECT_THAT(recorder.events, testing::Contains(StartsWith("says reduction verified: ")));
}

// What was asked for was not finished, so it is not claimed. A run that breaks a property breaks it all the same.
TEST(RunCheck, AVerificationThatIsCutOffLeavesTheVerdictOpen) {
  class Stopping final : public Listener {
   public:
    explicit Stopping(std::atomic<bool>& stop) : stop_(stop) {}
    void searched() override { stop_ = true; }
    void says(const std::string& sentence) override { said += sentence; }
    std::string said;

   private:
    std::atomic<bool>& stop_;
  };
  const auto run = [](const char* bug, std::string& said) {
    std::atomic<bool> stop = false;
    Limits limits;
    limits.stop = &stop;
    Budget budget(limits);
    Stopping listener(stop);
    CheckRequest request;
    request.settings.bug = bug;
    request.verify_reduction = true;
    request.search.limits = limits;
    request.budget = &budget;
    CheckResult result = check(open("paxos"), request, listener);
    said = listener.said;
    return result;
  };
  std::string said;
  const CheckResult open_one = run("", said);
  EXPECT_EQ(open_one.verdict, Verdict::Unknown);
  EXPECT_FALSE(open_one.complete);
  EXPECT_THAT(open_one.stopped_by, EndsWith(" while the reduction was verified"));
  EXPECT_THAT(said, HasSubstr("reduction not verified: the search without it did not end"));
  for (const auto& property : open_one.properties) EXPECT_EQ(property.result, Verdict::Unknown) << property.name;
  EXPECT_TRUE(open_one.growth.empty()) << "the search with reductions did end";

  const CheckResult violated = run("accept_always", said);
  EXPECT_EQ(violated.verdict, Verdict::Violated);
  EXPECT_THAT(violated.note, HasSubstr("reduction not verified"));
}

TEST(RunCheck, WithoutExplanationsThereAreNoTraces) {
  CheckRequest request;
  request.settings.bug = "accept_always";
  request.explain = false;
  const CheckResult result = checked(open("paxos"), request);
  EXPECT_EQ(result.verdict, Verdict::Violated);
  EXPECT_TRUE(result.violations.empty());
  EXPECT_TRUE(follow(*result.system, result.search.violations[0].path).has_value());
}

TEST(RunCheck, SettingsThatDoNotExistAreErrorsWithTheNamesThatDo) {
  const auto error = [](const RunSettings& settings) -> std::string {
    try {
      open("paxos").instance(settings);
    } catch (const UsageError& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_THAT(error({.parameters = {{"acceptor", "3"}}}), HasSubstr("did you mean acceptors?"));
  EXPECT_THAT(error({.bug = "accept_alway"}), HasSubstr("did you mean accept_always?"));
  EXPECT_THAT(error({.switches = {{"network", "postal"}}}), HasSubstr("none of multiset, soup, fifo"));
}

// --- How often the user's code runs.

struct Counter {
  int n = 0;
  Auxiliary<int> log;
  void count() {
    require(n < 3);
    ++n;
  }
  static constexpr auto transitions = heddle::transitions<&Counter::count>;
};

// Two systems, one without auxiliary data, of one model.
TEST(RunCheck, BuildRunsOnce) {
  int builds = 0;
  const Definition definition{.name = "counter", .summary = "", .build = [&](Model& m) {
                                ++builds;
                                m.add<Counter>();
                                m.always("small", [](const View& v) { return v.all<Counter>()[0].n <= 3; });
                              }};
  const CheckResult result = checked(open_definition(definition));
  EXPECT_EQ(result.verdict, Verdict::Holds);
  EXPECT_THAT(result.reductions, testing::Contains("auxiliary data"));
  EXPECT_EQ(builds, 1);
}

struct Failing {
  int n = 0;
  void count() {
    if (n == 2) throw std::runtime_error("two is too much");
    ++n;
  }
  static constexpr auto transitions = heddle::transitions<&Failing::count>;
};

// A handler that throws needs a state for that, so there is a second system; the model is still the same.
TEST(RunCheck, AFailedHandlerIsShownByASecondRunOfTheSameModel) {
  int builds = 0;
  Recorder recorder;
  const Definition definition{.name = "failing", .summary = "", .build = [&](Model& m) {
                                ++builds;
                                m.add<Failing>();
                              }};
  try {
    const CheckResult result = check(open_definition(definition), {}, recorder);
    EXPECT_NE(result.verdict, Verdict::Holds);
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("two is too much"));
  }
  EXPECT_EQ(builds, 1);
  EXPECT_EQ(std::ranges::count_if(recorder.events, [](const auto& e) { return e.starts_with("begins "); }), 1);
}

// --- Files.

using RunFiles = InADirectory;

TEST_F(RunFiles, AModelsFileIsCompiledOnce) {
  // Every compiler run writes a line.
  const std::string log = (home / "log").string();
  const std::string compiler =
      write("cxx", "#!/bin/sh\ncase \"$*\" in *-shared*) echo x >> '" + log + "';; esac\nexec g++ \"$@\"\n");
  std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
  const std::string file = write("tiny.cpp", R"(#define MOST 3  // before the header: it is not worth a precompiled one
#include <heddle/heddle.h>
struct Counter {
  int n = 0;
  heddle::Auxiliary<int> log;
  void count() { heddle::require(n < MOST); ++n; }
  static constexpr auto transitions = heddle::transitions<&Counter::count>;
};
const heddle::Register r({.name = "tiny", .summary = "counts", .build = [](heddle::Model& m) {
  m.add<Counter>();
  m.always("small", [](const heddle::View& v) { return v.all<Counter>()[0].n <= 2; });
}});
)");
  ::setenv("CXX", compiler.c_str(), 1);
  ::setenv("XDG_CACHE_HOME", (home / "cache").c_str(), 1);
  const CheckResult result = checked(open(file));
  ::unsetenv("CXX");
  EXPECT_EQ(result.verdict, Verdict::Violated);
  EXPECT_EQ(result.property, "small");
  EXPECT_EQ(result.violations.at(0).trace.options.at("file"), file);
  std::ifstream lines(log);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(lines), {}), "x\n");
}

TEST_F(RunFiles, ANetIsChecked) {
  const std::string file = write("room.net",
                                 "place free 1\nplace a, b\n"
                                 "transition enter_a: free -> a\ntransition leave_a: a -> free\n"
                                 "transition enter_b: free -> b\n");
  const CheckResult plain = checked(open(file));
  EXPECT_EQ(plain.counters.deadlocks, 1u);
  EXPECT_FALSE(plain.states_properties);
  CheckRequest request;
  request.settings.switches = {{"deadlock", "true"}};
  const CheckResult result = checked(open(file), request);
  EXPECT_EQ(result.verdict, Verdict::Violated);
  EXPECT_EQ(result.property, "deadlock_free");
  EXPECT_EQ(result.violations.at(0).path.steps.size(), 1u);
}

}  // namespace
}  // namespace heddle::run::check_test
