#include "report/trace_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <tuple>

#include "random_trace.h"
#include "sample_traces.h"

namespace heddle::report::trace_json_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

auto tied(const trace::Lane& x) { return std::tie(x.name, x.role, x.process); }
auto tied(const trace::Field& x) { return std::tie(x.lane, x.name, x.value); }
auto tied(const trace::Diff& x) { return std::tie(x.lane, x.name, x.before, x.after); }
auto tied(const trace::Message& x) { return std::tie(x.type, x.from, x.to, x.body); }
auto tied(const trace::Call& c) { return std::tie(c.object, c.call, c.answer); }
auto tied(const trace::Operation& x) { return std::tie(x.kind, x.lane, x.value); }

auto tied(const trace::Place& x) { return std::tie(x.file, x.line, x.column, x.function); }
auto tied(const trace::Access& x) {
  return std::tuple_cat(std::tie(x.object, x.part, x.kind, x.before, x.after), tied(x.place));
}

template <class Element>
bool same(const std::vector<Element>& a, const std::vector<Element>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Element& x, const Element& y) { return tied(x) == tied(y); });
}

bool same_step(const trace::Step& a, const trace::Step& b) {
  return std::tie(a.lane, a.name, a.kind, a.choice) == std::tie(b.lane, b.name, b.kind, b.choice) &&
         same(a.received, b.received) && same(a.sent, b.sent) && same(a.operations, b.operations) &&
         same(a.calls, b.calls) && same(a.diffs, b.diffs) && tied(a.place) == tied(b.place) &&
         same(a.place.stack, b.place.stack) && same(a.accesses, b.accesses) && a.output == b.output;
}

bool same_trace(const trace::Trace& a, const trace::Trace& b) {
  return std::tie(a.model, a.parameters, a.bug, a.options, a.verdict, a.property) ==
             std::tie(b.model, b.parameters, b.bug, b.options, b.verdict, b.property) &&
         same(a.lanes, b.lanes) && same(a.initial, b.initial) && same(a.final, b.final) &&
         same(a.explanation, b.explanation) &&
         std::equal(a.steps.begin(), a.steps.end(), b.steps.begin(), b.steps.end(), same_step);
}

std::string complaint(const std::string& text) {
  try {
    trace_from_json(text, "t.json");
  } catch (const ReportError& error) {
    return error.what();
  }
  return "accepted";
}

// A trace with one lane that is valid but for what `extra` adds.
std::string small_trace(const std::string& extra) {
  return R"({"format": "heddle-trace", "version": 1, "model": "m",
 "lanes": [{"name": "a"}], "verdict": "holds",
 )" + extra +
         "}";
}

RC_GTEST_PROP(TraceJson, ReadingWhatWasWrittenGivesTheSameTrace, ()) {
  const trace::Trace trace = random_trace();
  const std::string text = to_json(trace);
  RC_LOG(text);
  const trace::Trace again = trace_from_json(text, "t.json");
  RC_ASSERT(same_trace(trace, again));
  RC_ASSERT(to_json(again) == text);
}

RC_GTEST_PROP(TraceJson, AFileCutOffAnywhereIsRefusedWithAPosition, ()) {
  const std::string text = to_json(random_trace());
  // The last two characters are the closing brace and a newline.
  const auto length = *rc::gen::inRange<std::size_t>(0, text.size() - 2);
  const std::string answer = complaint(text.substr(0, length));
  RC_LOG(answer);
  RC_ASSERT(answer.starts_with("t.json:"));
  RC_ASSERT(answer.find("malformed JSON") != std::string::npos);
}

TEST(TraceJson, ValuesAreEmbeddedAsJson) {
  const std::string text = to_json(samples::paxos());
  EXPECT_THAT(text, StartsWith("{\n  \"format\": \"heddle-trace\",\n  \"version\": 1,\n  \"model\": \"paxos\",\n"));
  EXPECT_THAT(text, HasSubstr(R"({"type": "Accept", "from": 0, "to": 2, "body": {"n":1,"v":7}})"));
  EXPECT_THAT(text, HasSubstr(R"({"lane": 0, "name": "phase", "before": "idle", "after": "preparing"})"));
  EXPECT_THAT(text, HasSubstr(R"("parameters": {"acceptors": 3, "learners": 1, "proposers": 2})"));
}

TEST(TraceJson, StepsSayWhereTheyAreAndWhatTheyAccess) {
  trace::Trace trace = samples::operations();
  trace.steps = {samples::step(0, "race.c:5")};
  trace.steps[0].place = {"race.c", 5, 3, "add", {{"race.c", 9, 0, "main"}}};
  trace.steps[0].accesses = {{"buf", "+8", "write", "0", "1", {"race.c", 6, 7, "add"}}, {"m", "", "lock", "", "", {}}};
  trace.steps[0].output = "one\n";
  const std::string text = to_json(trace);
  EXPECT_THAT(text, HasSubstr(R"("place": {"file": "race.c", "line": 5, "column": 3, "function": "add", "stack": )"
                              R"([{"file": "race.c", "line": 9, "function": "main"}]})"));
  EXPECT_THAT(text, HasSubstr(R"({"object": "buf", "part": "+8", "kind": "write", "before": 0, "after": 1, )"
                              R"("place": {"file": "race.c", "line": 6, "column": 7, "function": "add"}})"));
  EXPECT_THAT(text, HasSubstr(R"({"object": "m", "kind": "lock"})"));
  EXPECT_THAT(text, HasSubstr(R"("output": "one\n")"));
  EXPECT_TRUE(same_trace(trace, trace_from_json(text, "t.json")));
}

TEST(TraceJson, NumbersKeepTheirSpelling) {
  const trace::Trace trace = trace_from_json(
      small_trace(R"("steps": [], "final": [{"lane": 0, "value": [ 0.10, 123456789012345678901234567890 ]}])"), "t");
  EXPECT_EQ(trace.final.at(0).value, "[0.10,123456789012345678901234567890]");
}

TEST(TraceJson, UnknownFieldsAreIgnoredAtEveryLevel) {
  const std::string text = small_trace(R"("news": {"a": [1, {"b": null}]},
    "initial": [{"lane": 0, "value": 1, "news": 1}],
    "steps": [{"lane": 0, "name": "s", "news": [], "kind": "tomorrow",
      "received": [{"type": "M", "from": 0, "to": 0, "news": "x"}],
      "operations": [{"kind": "return", "lane": 0, "value": 2, "news": {}}],
      "diffs": [{"lane": 0, "before": 1, "after": 2, "news": true}]}])");
  const trace::Trace trace = trace_from_json(text, "t.json");
  ASSERT_EQ(trace.steps.size(), 1U);
  EXPECT_EQ(trace.steps[0].kind, "tomorrow");
  EXPECT_EQ(trace.steps[0].received.at(0).type, "M");
  EXPECT_EQ(trace.steps[0].received.at(0).body, "{}");
  EXPECT_EQ(trace.steps[0].operations.at(0).value, "2");
  EXPECT_EQ(trace.steps[0].diffs.at(0).after, "2");
  EXPECT_EQ(trace.initial.at(0).value, "1");
}

TEST(TraceJson, LanesMayComeAfterTheStepsThatUseThem) {
  const trace::Trace trace = trace_from_json(
      R"({"steps": [{"lane": 1, "name": "s"}], "lanes": [{"name": "a"}, {"name": "b", "process": "p"}],
          "verdict": "holds", "model": "m", "version": 1, "format": "heddle-trace"})",
      "t.json");
  EXPECT_EQ(trace.steps.at(0).lane, 1U);
  EXPECT_EQ(trace.lanes.at(0).process, "a");
  EXPECT_EQ(trace.lanes.at(1).process, "p");
}

TEST(TraceJson, LanesHaveNamesOfTheirOwnAndAByteOrderMarkIsLeftOut) {
  const auto with = [](const std::string& second) {
    return R"({"format": "heddle-trace", "version": 1, "model": "m", "verdict": "holds", "steps": [],)"
           R"( "lanes": [{"name": "a"}, {"name": ")" +
           second + R"("}]})";
  };
  EXPECT_EQ(trace_from_json("\xEF\xBB\xBF" + with("b"), "t.json").lanes.size(), 2u);
  try {
    trace_from_json(with("a"), "t.json");
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(), HasSubstr("two lanes are called 'a'"));
  }
}

TEST(TraceJson, ComplaintsNameThePlaceAndTheRemedy) {
  const struct {
    std::string text, place, message;
  } cases[] = {
      {"", "t.json:1:1: ", "let heddle write the trace again"},
      {"{\n  \"format\": oops}", "t.json:2:13: ", "malformed JSON"},
      {"{}x", "t.json:1:3: ", "malformed JSON"},
      {"[1]", "t.json:1:1: ", "expected an object, found an array"},
      {"{}", "t.json:1:1: ", "a trace needs the field \"format\"; docs/trace-format.md"},
      {R"({"format": "other"})", "t.json:1:12: ", "not a heddle trace"},
      {R"({"format": 7})", "t.json:1:12: ", "not a heddle trace"},
      {R"({"format": "heddle-trace", "version": 2, "lanes": 7})", "t.json:1:39: ", "use a newer heddle"},
      {R"({"format": "heddle-trace", "version": 1.5})", "t.json:1:39: ", "\"version\" must be a whole number"},
      {R"({"format": "heddle-trace", "version": 0})", "t.json:1:39: ", "no version 0"},
      {small_trace(R"("steps": {})"), "t.json:3:11: ", "expected an array, found an object"},
      {small_trace(R"("steps": [ 1 ])"), "t.json:3:13: ", "expected an object, found a number"},
      {small_trace(R"("steps": [{"name": "s"}])"), "t.json:3:12: ", "a step needs the field \"lane\""},
      {small_trace(R"("steps": [{"lane": 0}])"), "t.json:3:12: ", "a step needs the field \"name\""},
      {small_trace(R"("steps": [{"lane": 1, "name": "s"}])"),
       "t.json:3:21: ", "lane 1 does not exist: the trace has 1 "},
      {small_trace(R"("steps": [{"lane": -1, "name": "s"}])"), "t.json:3:21: ", "not negative"},
      {small_trace(R"("steps": [{"lane": 4294967296, "name": "s"}])"), "t.json:3:21: ", "whole number"},
      {small_trace(R"("steps": [{"lane": 0, "name": 5}])"), "t.json:3:32: ", "expected a string, found a number"},
      {small_trace(R"("steps": [{"lane": 0, "name": "s", "choice": 1}])"), "t.json:3:47: ", "expected an array"},
      {small_trace(R"("steps": [{"lane": 0, "name": "s", "sent": [{"type": "M", "from": 0, "to": 3}]}])"),
       "t.json:3:77: ", "lane 3 does not exist"},
      {small_trace(R"("steps": [{"lane": 0, "name": "s", "diffs": [{"lane": 0, "before": 1}]}])"),
       "t.json:3:47: ", "a difference needs the field \"after\""},
      {small_trace(R"("steps": [{"lane": 0, "name": "s", "operations": [{"kind": "x", "lane": 0, "value": 1}]}])"),
       "t.json:3:61: ", "\"invoke\" or \"return\""},
      {small_trace(R"("steps": [{"lane": 0, "name": "s", "place": 5}])"), "t.json:3:46: ", "expected an object"},
      {small_trace(R"("steps": [{"lane": 0, "name": "s", "place": {"line": "5"}}])"),
       "t.json:3:55: ", "\"line\" must be a whole number"},
      {small_trace(R"("steps": [{"lane": 0, "name": "s", "accesses": [{"object": "x"}]}])"),
       "t.json:3:50: ", "an access needs the field \"kind\""},
      {small_trace(R"("steps": [], "parameters": {"n": []})"), "t.json:3:35: ", "\"n\" in \"parameters\""},
      {small_trace(R"("steps": [], "verdict": "maybe")"), "t.json:3:26: ", "\"verdict\" must be"},
      // Columns are counted in characters, not in bytes.
      {small_trace(R"("é→": 1, "steps": 2)"), "t.json:3:20: ", "expected an array"},
  };
  for (const auto& one : cases) {
    const std::string answer = complaint(one.text);
    EXPECT_THAT(answer, StartsWith(one.place)) << one.text;
    EXPECT_THAT(answer, HasSubstr(one.message)) << one.text;
  }
}

TEST(TraceJson, DepthIsBounded) {
  const auto nested = [](std::size_t depth) {
    return small_trace("\"steps\": [], \"extra\": " + std::string(depth, '[') + std::string(depth, ']'));
  };
  EXPECT_EQ(complaint(nested(100)), "accepted");
  EXPECT_THAT(complaint(nested(200)), HasSubstr("nested deeper than 128"));
  EXPECT_THAT(complaint(nested(1000000)), HasSubstr("nested deeper than 128"));
}

TEST(TraceJson, WhatIsNotJsonIsKeptAsAString) {
  trace::Trace trace = samples::operations();
  trace.final = {
      {0, "broken", "{oops"}, {0, "missing", ""}, {0, "bytes", "\"\xff\""}, {0, "deep", std::string(200, '[')}};
  trace.model = "\xff";
  trace.verdict = "";
  const trace::Trace again = trace_from_json(to_json(trace), "t.json");
  EXPECT_EQ(again.final.at(0).value, "\"{oops\"");
  EXPECT_EQ(again.final.at(1).value, "null");
  EXPECT_EQ(again.final.at(2).value, "\"\\\"\xEF\xBF\xBD\\\"\"");
  EXPECT_EQ(again.final.at(3).value, "\"" + std::string(200, '[') + "\"");
  EXPECT_EQ(again.model, "\xEF\xBF\xBD");
  EXPECT_EQ(again.verdict, "unknown");
}

}  // namespace
}  // namespace heddle::report::trace_json_test
