#include "report/interleaving.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "golden.h"
#include "report/text.h"
#include "report/utf8.h"

namespace heddle::report::interleaving_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string source = HEDDLE_SOURCE_DIR "/tests/report/sources/race.c";

trace::Place at(std::uint32_t line, const std::string& function, const std::string& file = source) {
  return {file, line, 3, function};
}

trace::Step step(std::uint32_t lane, const trace::Place& place, std::vector<trace::Access> accesses = {}) {
  trace::Step out;
  out.lane = lane;
  out.name = "race.c:" + std::to_string(place.line);
  out.place = place;
  out.accesses = std::move(accesses);
  return out;
}

// Of tests/report/sources/race.c. Two threads write y, one of them while the other notes a value.
trace::Trace race(const std::string& file = source) {
  const auto main = [&](std::uint32_t line) { return at(line, "main", file); };
  const auto add = [&](std::uint32_t line) { return at(line, "add", file); };
  trace::Trace trace;
  trace.model = "race.c";
  for (const std::string name : {"main", "thread 1", "thread 2", "thread 3"})
    trace.lanes.push_back({name, "Thread", name});
  trace.lanes.push_back({"memory", "Memory", "memory"});
  const auto adds = [&](std::uint32_t lane, const std::string& old, const std::string& now) {
    const std::string me = "\"taken by thread " + std::to_string(lane) + "\"";
    trace.steps.push_back(step(lane, add(13)));
    trace.steps.push_back(step(lane, add(15),
                               {{"m", "", "lock", "", me, add(15)},
                                {"x", "", "read", old, "", add(16)},
                                {"x", "", "write", old, now, add(16)},
                                {"x", "", "read", now, "", add(17)},
                                {"buffer", "+4", "write", "0", now, at(9, "note", file)},
                                {"output", "", "print", "", "\"noted " + now + "\\n\"", at(10, "note", file)}}));
    trace.steps.back().output = "noted " + now + "\n";
    trace.steps.push_back(
        step(lane, add(18), {{"m", "", "unlock", me, "\"free\"", add(18)}, {"y", "", "write", "0", "1", add(19)}}));
  };
  trace.steps.push_back(step(0, main(23)));
  trace.steps.push_back(step(0, main(25), {{"thread 1", "", "start", "", "", main(25)}}));
  trace.steps.push_back(step(0, main(26), {{"thread 2", "", "start", "", "", main(26)}}));
  adds(1, "0", "1");
  adds(2, "1", "2");
  trace.verdict = "violated";
  trace.property = "race";
  trace.explanation = {{1, "writes", "\"y at race.c:19\""}, {2, "writes", "\"y at race.c:19\""}};
  return trace;
}

TEST(Interleaving, Race) { expect_golden("interleaving", render_text(race())); }
TEST(Interleaving, RaceInAscii) { expect_golden("interleaving_ascii", render_text(race(), {.ascii = true})); }
TEST(Interleaving, RaceOnANarrowTerminal) { expect_golden("interleaving_60", render_text(race(), {.width = 60})); }
TEST(Interleaving, RaceInColor) { expect_golden("interleaving_color", render_text(race(), {.color = true})); }
TEST(Interleaving, LinesThatAreNotThereAreShownAsPlaces) {
  expect_golden("interleaving_no_source", render_text(race("/nowhere/race.c")));
}

TEST(Interleaving, TooManyThreadsShareAColumn) {
  trace::Trace trace = race();
  trace.lanes.clear();
  trace.steps.clear();
  for (std::uint32_t lane = 0; lane < 12; ++lane) {
    trace.lanes.push_back({"thread " + std::to_string(lane), "Thread", ""});
    trace.steps.push_back(step(lane, at(19, "add"), {{"y", "", "write", "0", "1", at(19, "add")}}));
  }
  expect_golden("interleaving_stacked", render_text(trace, {.width = 60}));
}

TEST(Interleaving, CallsChoicesAndFailures) {
  trace::Trace trace = race();
  trace.steps = {step(1, at(16, "add"),
                      {{"enqueue(1)", "", "call", "", "", {}},
                       {"x", "", "atomic read", "0", "", at(16, "add")},
                       {"enqueue", "", "return", "", "null", {}},
                       {"dequeue()", "", "call", "", "", {}},
                       {"dequeue", "", "return", "", "\"none\"", {}}}),
                 step(2, at(17, "add"),
                      {{"m", "", "try lock", "\"taken by thread 1\"", "", {}},
                       {"object 0.2", "", "free", "", "", at(17, "add")},
                       {"c", "", "notify", "", "", {}},
                       {"something", "", "invent", "", "", {}}}),
                 step(1, at(18, "add"),
                      {{"x", "", "atomic write", "3", "3", {}},
                       {"5 accesses", "", "left out", "", "", {}},
                       {"object 0.2", "", "fail", "", "\"read of a heap object after it was freed\"", at(19, "add")}})};
  trace.steps[1].choice = "[1]";
  trace.property = "memory";
  trace.explanation = {{1, "fails at", "\"race.c:19: read of a heap object after it was freed\""}};
  expect_golden("interleaving_calls", render_text(trace));
}

TEST(Interleaving, StepsWithManyLinesAreCutShort) {
  trace::Trace trace = race();
  std::vector<trace::Access> accesses;
  for (int i = 0; i < 100; ++i) {
    accesses.push_back({"x", "", "write", std::to_string(i), std::to_string(i + 1), at(i % 2 == 0 ? 16 : 17, "add")});
  }
  for (int i = 0; i < 100; ++i) {
    accesses.push_back({"y", "", "write", std::to_string(i), std::to_string(i + 1), at(19, "add")});
  }
  trace.steps = {step(1, at(15, "add"), accesses)};
  const std::string text = render_text(trace);
  EXPECT_LT(std::ranges::count(text, '\n'), 50) << text;
  EXPECT_THAT(text, HasSubstr("(90 lines are not shown)"));
  EXPECT_THAT(text, HasSubstr("(88 more)"));
  EXPECT_THAT(text, HasSubstr("y: 99 → 100"));
}

TEST(Interleaving, LongTracesAreCutShortAndRepeatTheNames) {
  trace::Trace trace = race();
  const std::vector<trace::Step> once = trace.steps;
  for (int i = 0; i < 100; ++i) trace.steps.insert(trace.steps.end(), once.begin(), once.end());
  const std::string text = render_text(trace, {.most_steps = 40});
  EXPECT_THAT(text, HasSubstr("are not shown)"));
  EXPECT_LT(std::ranges::count(text, '\n'), 250);
  EXPECT_GT(text.find("thread 2", text.find("x: ")), text.find("x: "));
}

TEST(Interleaving, FindingsAreSentences) {
  trace::Trace trace = race();
  EXPECT_THAT(finding_parts(trace, false), ElementsAre("thread 1 writes y at race.c:19 while",
                                                       "thread 2 writes y at race.c:19; nothing orders them"));
  EXPECT_THAT(render_text(trace), testing::EndsWith("✗ race: thread 1 writes y at race.c:19 while thread 2 writes y at "
                                                    "race.c:19; nothing orders them\n"));
  trace.property = "deadlock";
  trace.explanation = {{0, "waits", "\"for the end of thread 1 at race.c:27\""},
                       {1, "waits", "\"for m at race.c:15\""}};
  EXPECT_THAT(finding_parts(trace, false),
              ElementsAre("main waits for the end of thread 1 at race.c:27", "thread 1 waits for m at race.c:15"));
  trace.property = "memory";
  trace.explanation = {{2, "fails at", "\"race.c:19: read of a heap object after it was freed\""}};
  trace.steps[3].accesses = {{"object 0.2", "", "free", "", "", at(17, "add")}};
  trace.steps.back().accesses = {{"object 0.2", "", "fail", "", "\"read\"", at(19, "add")}};
  EXPECT_THAT(finding_parts(trace, false),
              ElementsAre("thread 2 fails at race.c:19: read of a heap object after it was freed",
                          "thread 1 freed it at race.c:17"));
  trace.verdict = "unknown";
  EXPECT_THAT(finding_parts(trace, false), IsEmpty());
}

TEST(Interleaving, OnlyForThreadsThatRunSourceText) {
  trace::Trace trace = race();
  EXPECT_TRUE(is_interleaving(trace));
  trace.steps[0].sent = {{"M", 0, 1, "{}"}};
  EXPECT_FALSE(is_interleaving(trace));
  trace.steps[0].sent.clear();
  for (trace::Step& one : trace.steps) one.place = {};
  EXPECT_FALSE(is_interleaving(trace));
}

TEST(Interleaving, FilesThatAreNoSourceAreNotRead) {
  for (const std::string file : {"/dev/zero", "/dev/stdin", "/", ""}) {
    EXPECT_THAT(render_text(race(file)), Not(HasSubstr("pthread_create"))) << file;
  }
}

}  // namespace
}  // namespace heddle::report::interleaving_test
