#include "explain/replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "explain/compatible_json.h"
#include "explain/make_trace.h"
#include "explain/toy_system.h"
#include "report/trace_json.h"

namespace heddle::explain::replay_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Process 1 sends an A or a B to process 2, which accepts either; only B is bad.
ToySystem messenger(std::string body_of_b = R"({"value":2})") {
  ToySystem system(2,
                   {{"idle", 1},
                    {.name = "M", .message = true, .from = 0, .to = 1, .body = R"({"value":1})"},
                    {.name = "M", .message = true, .from = 0, .to = 1, .body = std::move(body_of_b)},
                    {"good", 0},
                    {"bad", 0}},
                   {{0, "send", {0}, {1}}, {0, "send", {0}, {2}}, {1, "accept", {1}, {3}}, {1, "accept", {2}, {4}}});
  system.property("never bad", Property::Kind::Always, [](const auto& m) { return m[4] == 0; });
  return system;
}

const Path bad_path{0, {{1, 0}, {3, 0}}};

trace::Trace through_json(const trace::Trace& trace) {
  return report::trace_from_json(report::to_json(trace), "test.json");
}

TEST(MakeTrace, SaysWhatHappenedAndWhy) {
  const ToySystem system = messenger();
  const trace::Trace trace = make_trace(system, bad_path, 0);
  ASSERT_EQ(trace.steps.size(), 2u);
  EXPECT_EQ(trace.steps[1].name, "accept");
  EXPECT_EQ(trace.verdict, "violated");
  EXPECT_EQ(trace.property, "never bad");
  EXPECT_EQ(trace.initial.size(), 5u);
  EXPECT_EQ(trace.final[4].value, "1");
  EXPECT_FALSE(trace.explanation.empty());
  EXPECT_EQ(make_trace(system, Path{0, {{0, 0}}}, std::nullopt).verdict, "unknown");
}

TEST(MakeTrace, RefusesAPathThatCannotBeFollowed) {
  EXPECT_THROW(make_trace(messenger(), Path{0, {{3, 0}}}, 0), ModelError);
}

TEST(Replay, ExecutesTheSameRunAgain) {
  const ToySystem system = messenger();
  const ReplayResult result = replay(system, through_json(make_trace(system, bad_path, 0)));
  EXPECT_TRUE(result.fits);
  EXPECT_EQ(result.path.steps, bad_path.steps);
  EXPECT_TRUE(result.shown);
  EXPECT_EQ(result.property, 0u);
}

TEST(Replay, TakesAWrongGuessBack) {
  // What was sent is no longer recorded, so the first `send` fits as well; only its consequence tells them apart.
  const ToySystem system = messenger();
  trace::Trace trace = make_trace(system, bad_path, 0);
  trace.steps[0].sent.clear();
  const ReplayResult result = replay(system, trace);
  EXPECT_TRUE(result.fits);
  EXPECT_EQ(result.path.steps, bad_path.steps);
}

// Every coin is kept, so every guess leads to another state: 2^40 of them before the step that is not there any more.
TEST(Replay, DoesNotTryGuessesForEver) {
  constexpr std::uint32_t coins = 40;
  std::vector<ToyPlace> places;
  std::vector<ToyRule> transitions;
  for (std::uint32_t i = 0; i <= coins; ++i) {
    places.push_back({"turn" + std::to_string(i), i == 0 ? 1u : 0u});
    places.push_back({"heads" + std::to_string(i), 0});
  }
  for (std::uint32_t i = 0; i < coins; ++i) {
    transitions.push_back({0, "flip", {2 * i}, {2 * i + 2}});
    transitions.push_back({0, "flip", {2 * i}, {2 * i + 2, 2 * i + 1}});
  }
  transitions.push_back({0, "stop", {2 * coins}, {}});
  const ToySystem system(1, places, transitions);
  Path path{0, {}};
  for (std::uint32_t i = 0; i < coins; ++i) path.steps.push_back({2 * i + 1, 0});
  path.steps.push_back({2 * coins, 0});
  trace::Trace trace = make_trace(system, path, std::nullopt);
  EXPECT_TRUE(replay(system, trace).fits);
  trace.steps.back().name = "halt";
  const ReplayResult result = replay(system, trace);
  EXPECT_FALSE(result.fits);
  EXPECT_TRUE(result.gave_up);
  EXPECT_EQ(result.step, coins);
}

TEST(Replay, PrefersARunThatShowsTheViolation) {
  const ToySystem system = messenger();
  trace::Trace trace = make_trace(system, bad_path, 0);
  trace.steps[0].sent.clear();
  trace.steps[1].received[0].body = "{}";  // both fit now
  const ReplayResult result = replay(system, trace);
  EXPECT_TRUE(result.fits && result.shown);
}

TEST(Replay, SurvivesFieldsThatCameAndWent) {
  const trace::Trace old = make_trace(messenger(R"({"value":2,"gone":7})"), bad_path, 0);
  const ReplayResult result = replay(messenger(R"({"value":2,"added":[1,2]})"), through_json(old));
  EXPECT_TRUE(result.fits && result.shown);
}

TEST(Replay, SaysWhichStepDoesNotFitAndWhatWouldBePossible) {
  const trace::Trace old = make_trace(messenger(R"({"value":5})"), bad_path, 0);
  const ReplayResult result = replay(messenger(), old);
  EXPECT_FALSE(result.fits);
  EXPECT_EQ(result.step, 1u);
  EXPECT_EQ(result.path.steps.size(), 1u);
  EXPECT_THAT(result.expected, HasSubstr("process 2: accept, receiving M(5) from process 1"));
  EXPECT_THAT(result.enabled, ElementsAre(HasSubstr("accept, receiving M(")));
}

TEST(Replay, SaysThatNothingIsPossibleAtADeadEnd) {
  const ToySystem system = messenger();
  trace::Trace trace = make_trace(system, bad_path, 0);
  trace.steps.push_back(trace.steps[0]);
  const ReplayResult result = replay(system, trace);
  EXPECT_FALSE(result.fits);
  EXPECT_EQ(result.step, 2u);
  EXPECT_TRUE(result.enabled.empty());
}

TEST(Replay, AFalsifiedInitialStateDoesNotFit) {
  const ToySystem system = messenger();
  trace::Trace trace = make_trace(system, bad_path, 0);
  trace.initial[3].value = "7";
  const ReplayResult result = replay(system, through_json(trace));
  EXPECT_FALSE(result.fits);
  EXPECT_EQ(result.difference, "at the start, process 1's good is 7 in the trace and 0 in the model");
  trace.initial[3].name = "gone";  // a field that was removed since
  EXPECT_TRUE(replay(system, trace).fits);
}

TEST(Replay, AFalsifiedSentMessageDoesNotFit) {
  const ToySystem system = messenger();
  trace::Trace trace = make_trace(system, bad_path, 0);
  ASSERT_EQ(trace.steps[0].sent.size(), 1u);
  trace.steps[0].sent[0].body = R"({"value":9})";
  const ReplayResult result = replay(system, trace);
  EXPECT_FALSE(result.fits);
  EXPECT_THAT(result.difference, HasSubstr("step 1, process 1: send, does not send what the trace says"));
}

TEST(Replay, ATraceMayNoLongerViolate) {
  ToySystem mended = messenger();
  const trace::Trace trace = make_trace(mended, bad_path, 0);
  ToySystem now(2,
                {{"idle", 1},
                 {.name = "M", .message = true, .from = 0, .to = 1, .body = R"({"value":1})"},
                 {.name = "M", .message = true, .from = 0, .to = 1, .body = R"({"value":2})"},
                 {"good", 0},
                 {"bad", 0}},
                {{0, "send", {0}, {1}}, {0, "send", {0}, {2}}, {1, "accept", {1}, {3}}, {1, "accept", {2}, {3}}});
  now.property("never bad", Property::Kind::Always, [](const auto& m) { return m[4] == 0; });
  const ReplayResult result = replay(now, trace);
  EXPECT_TRUE(result.fits);
  EXPECT_FALSE(result.shown);
}

TEST(Replay, NamesWhatTheModelDoesNotHave) {
  const ToySystem system = messenger();
  trace::Trace trace = make_trace(system, bad_path, 0);
  trace.property = "never ugly";
  EXPECT_THAT([&] { replay(system, trace); }, testing::ThrowsMessage<ModelError>(HasSubstr("never ugly")));
  trace = make_trace(system, bad_path, 0);
  trace.lanes[1].name = "process 9";
  EXPECT_THAT([&] { replay(system, trace); }, testing::ThrowsMessage<ModelError>(HasSubstr("process 9")));
}

TEST(Replay, ATraceWithoutPropertyMayEndInAViolation) {
  const ToySystem system = messenger();
  const ReplayResult bad = replay(system, make_trace(system, bad_path, std::nullopt));
  EXPECT_TRUE(bad.fits && bad.shown);
  EXPECT_EQ(bad.property, 0u);
  const ReplayResult good = replay(system, make_trace(system, Path{0, {{0, 0}}}, std::nullopt));
  EXPECT_TRUE(good.fits);
  EXPECT_FALSE(good.property);
}

TEST(Replay, LongTracesDoNotExhaustTheStack) {
  ToySystem system(1, {{"here", 1}, {"there", 0}}, {{0, "go", {0}, {1}}, {0, "return", {1}, {0}}});
  Path path;
  for (std::uint32_t i = 0; i < 50'000; ++i) path.steps.push_back({i % 2, 0});
  const ReplayResult result = replay(system, make_trace(system, path, std::nullopt));
  EXPECT_TRUE(result.fits);
  EXPECT_EQ(result.path.steps.size(), path.steps.size());
}

TEST(CompatibleJson, IgnoresWhatOnlyOneSideHas) {
  EXPECT_TRUE(compatible_json(R"({"a":1})", R"({"a":1,"b":2})"));
  EXPECT_TRUE(compatible_json(R"({"a":{"x":[1,{"y":1}]}})", R"({"a":{"x":[1,{"y":1,"z":2}]}})"));
  EXPECT_FALSE(compatible_json(R"({"a":1})", R"({"a":2})"));
  EXPECT_FALSE(compatible_json(R"([1])", R"([1,2])"));
  EXPECT_FALSE(compatible_json(R"("1")", R"(1)"));
  EXPECT_TRUE(compatible_json("no json", "no json"));
  EXPECT_FALSE(compatible_json("no json", "other"));
}

}  // namespace
}  // namespace heddle::explain::replay_test
