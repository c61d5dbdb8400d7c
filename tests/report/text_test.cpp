#include "report/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <sstream>

#include "golden.h"
#include "random_trace.h"
#include "report/refinement_text.h"
#include "report/utf8.h"
#include "sample_traces.h"

namespace heddle::report::text_test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::stringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

TEST(RenderText, Paxos) { expect_golden("paxos", render_text(samples::paxos())); }
TEST(RenderText, PaxosOnANarrowTerminal) { expect_golden("paxos_80", render_text(samples::paxos(), {.width = 80})); }
TEST(RenderText, PaxosInAscii) { expect_golden("paxos_ascii", render_text(samples::paxos(), {.ascii = true})); }
TEST(RenderText, PaxosTooWideForItsTerminal) {
  expect_golden("paxos_60", render_text(samples::paxos(), {.width = 60}));
}
TEST(RenderText, Crashes) { expect_golden("crashes", render_text(samples::crashes())); }
TEST(RenderText, CrashesOnANarrowTerminal) {
  expect_golden("crashes_60", render_text(samples::crashes(), {.width = 60}));
}
TEST(RenderText, CrashesInAscii) { expect_golden("crashes_ascii", render_text(samples::crashes(), {.ascii = true})); }
TEST(RenderText, Operations) { expect_golden("operations", render_text(samples::operations())); }
TEST(RenderText, OperationsInColor) {
  expect_golden("operations_color", render_text(samples::operations(), {.color = true}));
}
TEST(RenderText, Refinement) { expect_golden("refinement", render_text(samples::refinement())); }
TEST(RenderText, RefinementInAscii) {
  expect_golden("refinement_ascii", render_text(samples::refinement(), {.ascii = true}));
}
TEST(RenderText, TheTreeForGraphviz) { expect_golden("refinement_dot", tree_dot(samples::refinement())); }

TEST(RenderText, ObjectsThatAreNoTreesAreShownAsValues) {
  EXPECT_EQ(object_lines(R"({"value":3})", false), std::vector<std::string>{"{value=3}"});
  EXPECT_EQ(object_lines("[]", false), std::vector<std::string>{"0"});
  EXPECT_EQ(object_lines("not json", false), std::vector<std::string>{"not json"});
  EXPECT_LT(object_lines(R"([{"round":"0","value":1,"parent":"0","status":"ADDED"}])", false).size(), 50u)
      << "a node that is its own parent";
  EXPECT_THAT(object_lines(R"([{"instance":2,"round":"1.1","value":"x","parent":"0","status":"ADDED"}])", true),
              testing::ElementsAre("[2] 0", "`- 1.1 ADDED = x"));
}

TEST(RenderText, LanesWithoutPartAreLeftOut) { expect_golden("left_out", render_text(samples::ring(12, 4))); }
TEST(RenderText, TooManyLanesGiveAList) { expect_golden("list", render_text(samples::ring(12, 12))); }
TEST(RenderText, AListInANarrowWindowHasDetailsBelow) {
  expect_golden("list_40", render_text(samples::paxos(), {.width = 40}));
}
TEST(RenderText, LongTracesRepeatTheNames) { expect_golden("long", render_text(samples::ring(5, 30))); }

TEST(RenderText, TheMiddleOfAVeryLongTraceIsLeftOut) {
  trace::Trace trace = samples::ring(3, 1000);
  trace.steps[500] = samples::step(1, "crash", "crash");
  expect_golden("very_long", render_text(trace, {.most_steps = 8}));
  expect_golden("very_long_list", render_text(samples::ring(20, 1000), {.most_steps = 21}));
  EXPECT_LT(std::ranges::count(render_text(samples::ring(3, 10000)), '\n'), 2000);
}

TEST(RenderText, AnArrowFromTheRightThatDoesNotFitBesideTheTitleGetsARowOfItsOwn) {
  trace::Trace trace = samples::operations();
  trace.steps = {samples::step(0, "take the answer").receives(1, "Value", R"({"value":0})"),
                 samples::step(0, "take").receives(1, "Value", R"({"value":0})")};
  trace.parameters.clear();
  trace.explanation.clear();
  EXPECT_EQ(render_text(trace, {.width = 64}), R"(register

     client 1          client 2   replica 1   replica 2
     │                 │          │           │
  1  │◀─ Value(0) ─────┤          │           │
     ● take the answer │          │           │
  2  ● take ◀ Value(0) ┤          │           │
     │                 │          │           │
✗ linearizable is violated
)");
}

TEST(RenderText, AClientEndsOneOperationBeforeItBeginsTheNext) {
  trace::Trace trace = samples::operations();
  trace.steps = {samples::step(0, "next").returns("1").invokes(R"({"op":"read"})").changes("count", "1", "2")};
  const std::string text = render_text(trace);
  EXPECT_LT(text.find("return 1"), text.find("invoke read"));
  EXPECT_LT(text.find("invoke read"), text.find("count 1"));
}

TEST(RenderText, TheTitleCanBeLeftOut) {
  const std::string with = render_text(samples::operations());
  const std::string without = render_text(samples::operations(), {.title = false});
  ASSERT_NE(with.find("\n\n"), with.npos);
  EXPECT_EQ(without, with.substr(with.find("\n\n") + 2));
}

TEST(RenderText, FaultsOnTheNetwork) {
  trace::Trace trace = samples::crashes();
  trace.lanes.push_back({"network", "", "network"});
  trace.steps = {
      samples::step(4, "partition", "partition"),
      samples::step(4, "drop", "lose"),
      samples::step(4, "copy", "duplicate"),
      samples::step(2, "lie", "byzantine"),
      samples::step(4, "heal", "heal"),
      samples::step(2, "note to self").sends({2}, "Tick", "{}"),
      samples::step(2, "tick").receives(2, "Tick", "{}"),
  };
  trace.steps[0].choice = R"(["coordinator, log, participant 1","participant 2"])";
  trace.steps[1].received = {{"Vote", 3, 0, R"({"yes":true})"}};
  trace.steps[2].received = {{"Vote", 2, 3, R"({"yes":false})"}};
  // The same message from two senders is two notes.
  trace.steps[4].sent = {{"Late", 2, 0, "{}"}, {"Late", 3, 0, "{}"}, {"Late", 3, 1, "{}"}};
  expect_golden("network_faults", render_text(trace));
}

TEST(RenderText, LongValuesAreToldByWhatChanged) {
  trace::Trace trace = samples::operations();
  const std::string entries = R"({"term":1,"command":"put x 1"},{"term":1,"command":"put y 2"})";
  trace.steps = {samples::step(2, "append")
                     .changes("log", "[" + entries + "]", "[" + entries + R"(,{"term":2,"command":"put z 3"}])")
                     .changes("leader", R"({"term":1,"name":"replica 1","votes":[1,2]})",
                              R"({"term":2,"name":"replica 1","votes":[1,2,3]})")
                     .changes("text", "\"" + std::string(400, 'a') + "\"", "\"" + std::string(400, 'b') + "\"")};
  expect_golden("long_values", render_text(trace));
}

TEST(RenderText, EveryVerdictHasALastLine) {
  trace::Trace trace = samples::operations();
  trace.explanation.clear();
  const auto last = [&](const std::string& verdict, const std::string& property) {
    trace.verdict = verdict;
    trace.property = property;
    return lines_of(render_text(trace)).back();
  };
  EXPECT_EQ(last("violated", "p"), "✗ p is violated");
  EXPECT_EQ(last("violated", ""), "✗ violated");
  EXPECT_EQ(last("holds", "p"), "✓ p is reached");
  EXPECT_EQ(last("holds", ""), "✓ nothing is violated");
  EXPECT_EQ(last("unknown", "p"), "? unknown: p");
  EXPECT_THAT(render_text(trace), testing::HasSubstr("unknown"));
  trace.property.clear();  // a random run shows nothing in particular
  EXPECT_THAT(render_text(trace), testing::Not(testing::HasSubstr("unknown")));
}

TEST(RenderText, NothingToDrawIsNoProblem) {
  EXPECT_EQ(render_text(trace::Trace{}).back(), '\n');
  trace::Trace lanes_only = samples::paxos();
  lanes_only.steps.clear();
  EXPECT_THAT(render_text(lanes_only), HasSubstr("learner 1"));
}

RC_GTEST_PROP(RenderText, EveryPictureFitsAndIsHarmless, ()) {
  const trace::Trace trace = random_trace();
  const int width = *rc::gen::inRange(30, 200);
  const bool ascii = *rc::gen::arbitrary<bool>();
  const std::string text = render_text(trace, {.width = width, .ascii = ascii});
  for (const std::string& line : lines_of(text)) {
    RC_LOG(line);
    RC_ASSERT(display_width(line) <= std::max(width, 40));
    RC_ASSERT(printable(line, ascii) == line);
    RC_ASSERT(!line.ends_with(' '));
  }
}

RC_GTEST_PROP(RenderText, ColorsChangeNothingElse, ()) {
  const trace::Trace trace = random_trace();
  std::string colored = render_text(trace, {.color = true});
  for (std::size_t at = 0; (at = colored.find("\x1b[", at)) != std::string::npos;) {
    colored.erase(at, colored.find('m', at) + 1 - at);
  }
  RC_ASSERT(colored == render_text(trace));
}

}  // namespace
}  // namespace heddle::report::text_test
