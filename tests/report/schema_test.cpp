#include "schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <boost/json.hpp>
#include <regex>
#include <set>

#include "random_trace.h"
#include "report/refinement_report.h"
#include "report/run_json.h"
#include "report/trace_json.h"
#include "sample_traces.h"

namespace heddle::report::schema_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

const Schema& trace_schema() {
  static const Schema schema(HEDDLE_SOURCE_DIR "/docs/trace.schema.json");
  return schema;
}
const Schema& run_schema() {
  static const Schema schema(HEDDLE_SOURCE_DIR "/docs/run.schema.json");
  return schema;
}

// The first ```json block of a page, without the lines that stand for what was left out.
std::string example_in(const std::string& page) {
  std::ifstream in(std::string(HEDDLE_SOURCE_DIR "/docs/") + page);
  std::stringstream text;
  text << in.rdbuf();
  const std::string all = text.str();
  const std::size_t begin = all.find("```json\n") + 8;
  const std::string example = all.substr(begin, all.find("```", begin) - begin);
  const std::string shorter = std::regex_replace(example, std::regex(" *\\.\\.\\.\n"), "");
  return std::regex_replace(shorter, std::regex(",(\n *\\])"), "$1");
}

RC_GTEST_PROP(TraceSchema, EveryTraceFits, ()) {
  const std::string text = to_json(random_trace());
  for (const std::string& complaint : trace_schema().complaints(text)) RC_FAIL(complaint);
}

TEST(TraceSchema, SamplesFit) {
  for (const trace::Trace& trace :
       {samples::paxos(), samples::crashes(), samples::operations(), samples::ring(9, 3), samples::refinement()}) {
    EXPECT_THAT(trace_schema().complaints(to_json(trace)), IsEmpty());
  }
}

TEST(TraceSchema, WhatTheReaderRefusesDoesNotFit) {
  const auto complaints = [](const std::string& extra) {
    return trace_schema().complaints(R"({"format": "heddle-trace", "version": 1, "model": "m", "verdict": "holds",
      "lanes": [{"name": "a"}], )" + extra +
                                     "}");
  };
  EXPECT_THAT(complaints(R"("steps": [])"), IsEmpty());
  EXPECT_THAT(complaints(R"("steps": {})"), ElementsAre("/steps: wrong type"));
  EXPECT_THAT(complaints(R"("steps": [{"lane": -1, "name": "s"}])"), ElementsAre("/steps/0/lane: too small"));
  EXPECT_THAT(complaints(R"("steps": [{"name": "s"}])"), ElementsAre("/steps/0: missing lane"));
  EXPECT_THAT(complaints(R"("steps": [], "parameters": {"a": []})"), ElementsAre("/parameters/a: fits no alternative"));
  EXPECT_THAT(complaints(R"("steps": [], "bug": 1)"), ElementsAre("/bug: wrong type"));
  EXPECT_THAT(
      complaints(R"("steps": [{"lane": 0, "name": "s", "operations": [{"kind": "x", "lane": 0, "value": 1}]}])"),
      ElementsAre("/steps/0/operations/0/kind: not one of the allowed values"));
}

TEST(TraceSchema, TheExampleInTheDocumentationIsATrace) {
  const std::string example = example_in("trace-format.md");
  EXPECT_THAT(trace_schema().complaints(example), IsEmpty());
  // Not only readable, but, white space aside, exactly what heddle writes.
  const std::string written = to_json(trace_from_json(example, "trace-format.md"));
  EXPECT_EQ(boost::json::parse(written), boost::json::parse(example));
}

TEST(RunSchema, EmptyAndFullReportsFit) {
  EXPECT_THAT(run_schema().complaints(to_json(RunReport{})), IsEmpty());
  RunReport report;
  report.parameters = {{"n", "3"}, {"topology", "ring"}};
  report.bug = "b";
  report.options = {{"network", "lossy"}, {"crashes", "1"}};
  report.reductions = {"symmetry"};
  report.properties = {{"p", Property::Kind::Always, Verdict::Violated},
                       {"q", Property::Kind::Bound, Verdict::Unknown},
                       {"r", Property::Kind::DeadlockFree, Verdict::Holds},
                       {"s", Property::Kind::Sometimes, Verdict::Holds}};
  report.growth = {"the inbox of learner 1"};
  report.error = "e";
  report.note = "n";
  report.counters.states = ~std::uint64_t{0};
  RefinementReport& refinement = report.sections.at<RefinementReport>();
  refinement.object = "qtree";
  refinement.specification = "strict";
  refinement.points = "corrected";
  EXPECT_THAT(run_schema().complaints(to_json(report)), IsEmpty()) << "nothing rejected";
  refinement.verdict = Verdict::Violated;
  refinement.call = "commit(1)";
  refinement.clause = "not-ADDED";
  refinement.property = "P4";
  refinement.witness = "\"w\"";
  refinement.classification = "CONFIRMED";
  refinement.advice = "agreement too";
  refinement.notes = {"also"};
  refinement.quorums = {"P4 needs ..."};
  refinement.counts = {{"adds", 3}};
  EXPECT_THAT(run_schema().complaints(to_json(report)), IsEmpty());
}

TEST(RunSchema, MissingAndWrongFieldsDoNotFit) {
  EXPECT_THAT(run_schema().complaints("{}"), Contains(": missing verdict"));
  std::string text = to_json(RunReport{});
  text.replace(text.find("\"unknown\""), 9, "\"perhaps\"");
  EXPECT_THAT(run_schema().complaints(text), ElementsAre("/verdict: not one of the allowed values"));
}

TEST(RunSchema, TheExampleInTheDocumentationHasAllFieldsInOrder) {
  const std::string example = example_in("json.md");
  EXPECT_THAT(run_schema().complaints(example), IsEmpty());
  const auto keys = [](const std::string& text) {
    const boost::json::value root = boost::json::parse(text);
    std::vector<std::string> out;
    for (const auto& member : root.as_object()) out.emplace_back(member.key());
    return out;
  };
  // Some fields are there only if there is something to say.
  const std::vector<std::string> always = keys(to_json(RunReport{}));
  std::vector<std::string> shown = keys(example);
  std::erase_if(shown, [&](const std::string& key) { return std::ranges::find(always, key) == always.end(); });
  EXPECT_EQ(shown, always);
}

}  // namespace
}  // namespace heddle::report::schema_test
