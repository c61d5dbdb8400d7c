#include "report/run_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "report/closing_line.h"
#include "report/numbers.h"

namespace heddle::report::run_json_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

RunReport paxos_run() {
  RunReport report;
  report.version = "0.1.0";
  report.command = "check";
  report.model = "paxos";
  report.parameters = {{"acceptors", "3"}, {"code", "007"}, {"huge", "99999999999999999999"}, {"topology", "ring"}};
  report.search = "breadth-first";
  report.store = "exact";
  report.verdict = Verdict::Holds;
  report.complete = true;
  report.counters.states = 15804;
  report.counters.transitions = 39693;
  report.counters.deadlocks = 1647;
  report.counters.depth = 18;
  report.counters.store_bytes = 224417;
  report.seconds = 0.02;
  report.peak_bytes = 3250586;
  return report;
}

TEST(RunJson, IsOneObjectWithNumbersForIntegers) {
  const boost::json::object run = boost::json::parse(to_json(paxos_run())).as_object();
  EXPECT_EQ(run.at("verdict").as_string(), "holds");
  EXPECT_EQ(run.at("states").to_number<int>(), 15804);
  EXPECT_EQ(run.at("deadlocks").to_number<int>(), 1647);
  EXPECT_EQ(run.at("seconds").to_number<double>(), 0.02);
  EXPECT_EQ(run.at("bytes_per_state").to_number<double>(), 14.2);
  EXPECT_TRUE(run.at("complete").as_bool());
  EXPECT_TRUE(run.at("property").is_null());
  EXPECT_TRUE(run.at("trace").is_null());
  EXPECT_TRUE(run.at("error").is_null());
  EXPECT_TRUE(run.at("reductions").as_array().empty());
  const boost::json::object& parameters = run.at("parameters").as_object();
  EXPECT_EQ(parameters.at("acceptors").to_number<int>(), 3);
  EXPECT_EQ(parameters.at("code").as_string(), "007");
  EXPECT_EQ(parameters.at("huge").as_string(), "99999999999999999999");
  EXPECT_EQ(parameters.at("topology").as_string(), "ring");
}

TEST(RunJson, HasEveryCounterOfTheTable) {
  RunReport report;
  std::uint64_t next = 100;
#define HEDDLE_SET(name, text) report.counters.name = next++;
  HEDDLE_COUNTERS(HEDDLE_SET)
#undef HEDDLE_SET
  const boost::json::object run = boost::json::parse(to_json(report)).as_object();
  report.counters.for_each([&](std::string_view name, std::string_view, std::uint64_t value) {
    EXPECT_EQ(run.at({name.data(), name.size()}).to_number<std::uint64_t>(), value) << name;
  });
}

TEST(RunJson, OddNumbersStayJson) {
  RunReport report;
  report.seconds = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(boost::json::parse(to_json(report)).at("seconds").is_null());
}

TEST(ClosingLine, Holds) {
  EXPECT_EQ(closing_line(paxos_run()),
            "holds: 15,804 states, 39,693 transitions, 1,647 final states, depth 18, complete; 0.02 s, 3.1 MiB "
            "(14.2 B/state)");
}

// A state without a step is a deadlock only where somebody said that it should not be there.
TEST(ClosingLine, FinalStatesAreDeadlocksWhereTheyAreWrong) {
  RunReport report = paxos_run();
  report.properties = {{"deadlock freedom", Property::Kind::DeadlockFree, Verdict::Holds}};
  EXPECT_THAT(closing_line(report), HasSubstr(", 1,647 final states, "));  // where the model says it may stop
  report.counters.deadlocks = 0;
  EXPECT_THAT(closing_line(report), HasSubstr(", 0 deadlocks, "));
  report.properties[0].result = report.verdict = Verdict::Violated;
  report.counters.deadlocks = 1;
  EXPECT_THAT(closing_line(report), HasSubstr(", 1 deadlock, "));
  report.properties[0].kind = Property::Kind::Finally;
  EXPECT_THAT(closing_line(report), HasSubstr(", 1 final state, "));
}

TEST(ClosingLine, PartialOrderIsMentionedWhereItLeftSomethingOut) {
  RunReport report = paxos_run();
  report.counters.transitions = 1000;
  report.reductions = {"partial order", "symmetry"};
  report.counters.left_out = 10;
  EXPECT_THAT(closing_line(report), HasSubstr("complete; reduced by symmetry; 0.02 s"));
  report.counters.left_out = 11;
  EXPECT_THAT(closing_line(report), HasSubstr("; reduced by partial order (1 % of the steps left out) and symmetry; "));
  report.reductions = {"partial order"};
  report.counters.left_out = 0;
  EXPECT_THAT(closing_line(report), HasSubstr("complete; 0.02 s"));
}

TEST(ClosingLine, HoldsWithANote) {
  RunReport report = paxos_run();
  report.note = "a state is missed with probability 1e-9";
  EXPECT_THAT(closing_line(report), HasSubstr("complete; a state is missed with probability 1e-9; 0.02 s"));
}

TEST(ClosingLine, Violated) {
  RunReport report = paxos_run();
  report.verdict = Verdict::Violated;
  report.complete = false;
  report.property = "agreement";
  report.trace_steps = 9;
  report.trace_file = "heddle-trace.json";
  report.properties = {{"agreement", Property::Kind::Always, Verdict::Violated},
                       {"validity", Property::Kind::Always, Verdict::Violated},
                       {"chosen", Property::Kind::Sometimes, Verdict::Holds}};
  EXPECT_EQ(closing_line(report),
            "violated: agreement at depth 9 (also validity); 15,804 states, 39,693 transitions, 1,647 final states, "
            "depth 18; 0.02 s, 3.1 MiB (14.2 B/state); trace in heddle-trace.json");
}

TEST(ClosingLine, NeverReached) {
  RunReport report = paxos_run();
  report.verdict = Verdict::Violated;
  report.property = "chosen";
  report.properties = {{"chosen", Property::Kind::Sometimes, Verdict::Violated}};
  EXPECT_THAT(closing_line(report), StartsWith("violated: chosen is never reached; 15,804 states"));
}

TEST(ClosingLine, OfARunThatWasEndedClaimsNoCountsItDoesNotKnow) {
  RunReport report = paxos_run();
  report.verdict = Verdict::Unknown;
  report.complete = false;
  report.stopped_by = "time limit of 3 s";
  report.cut_short = true;
  EXPECT_THAT(closing_line(report), HasSubstr("; no violation in at least "));
  EXPECT_THAT(to_json(report), HasSubstr("\"counts_at_least\": true"));
  report.counters = {};
  EXPECT_THAT(closing_line(report), HasSubstr("; no violation was found before, in how many states is not known;"));
  EXPECT_THAT(to_json(report), HasSubstr("\"states\": null"));
  EXPECT_THAT(to_json(report), testing::Not(HasSubstr("counts_at_least")));
}

TEST(ClosingLine, Unknown) {
  RunReport report = paxos_run();
  report.verdict = Verdict::Unknown;
  report.complete = false;
  report.stopped_by = "time limit of 10 s";
  report.counters.queue = 12345;
  report.counters.cut_off = 1;
  report.seconds = 10;
  EXPECT_EQ(closing_line(report),
            "unknown: time limit of 10 s; no violation in 15,804 states, 39,693 transitions, 1,647 final states, depth "
            "18; 12,345 states still queued; 1 state not continued (depth limit or bound); 10.0 s, 3.1 MiB "
            "(14.2 B/state)");
}

TEST(ClosingLine, ErrorIsOneHarmlessLine) {
  RunReport report;
  report.verdict = Verdict::Error;
  report.error = "paxos.cpp:3:1: no\x1b[2Jthing\nmore from the compiler";
  EXPECT_EQ(closing_line(report), "error: paxos.cpp:3:1: no\\x1b[2Jthing");
}

TEST(ClosingLine, RandomWalks) {
  RunReport report = paxos_run();
  report.verdict = Verdict::Unknown;
  report.complete = false;
  report.counters.walks = 1000;
  EXPECT_THAT(closing_line(report), HasSubstr("no violation in 1,000 walks, 15,804 states"));
}

TEST(Numbers, AreShort) {
  EXPECT_EQ(with_separators(0), "0");
  EXPECT_EQ(with_separators(999), "999");
  EXPECT_EQ(with_separators(1000), "1,000");
  EXPECT_EQ(with_separators(1234567), "1,234,567");
  EXPECT_EQ(counted(1, "state"), "1 state");
  EXPECT_EQ(counted(0, "state"), "0 states");
  EXPECT_EQ(short_count(950), "950");
  EXPECT_EQ(short_count(999.6), "1.00k");
  EXPECT_EQ(short_count(12345), "12.3k");
  EXPECT_EQ(short_count(4.56e6), "4.56M");
  EXPECT_EQ(rough_count(7), "7");
  EXPECT_EQ(rough_count(94), "90");
  EXPECT_EQ(rough_count(960), "1k");
  EXPECT_EQ(rough_count(43210), "40k");
  EXPECT_EQ(bytes_text(512), "512 B");
  EXPECT_EQ(bytes_text(1023.9), "1.0 KiB");
  EXPECT_EQ(bytes_text(3250586), "3.1 MiB");
  EXPECT_EQ(seconds_text(0.021), "0.02 s");
  EXPECT_EQ(seconds_text(9.999), "10.0 s");
  EXPECT_EQ(seconds_text(125.2), "2 min 5 s");
  EXPECT_EQ(seconds_text(11400), "3 h 10 min");
}

}  // namespace
}  // namespace heddle::report::run_json_test
