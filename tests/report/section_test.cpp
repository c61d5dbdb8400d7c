// Sections of the report of a run: one that only this test knows appears in the object, in the text and in the closing
// line; the order of all of them; copies.
#include "report/section.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "report/call_log_report.h"
#include "report/closing_line.h"
#include "report/coverage_text.h"
#include "report/failure_report.h"
#include "report/history_report.h"
#include "report/refinement_report.h"
#include "report/run_json.h"
#include "report/schedule_table.h"

namespace heddle::report::section_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct QueryReport final : SectionOf<QueryReport> {
  int queries = 0;
  bool decides = false;

  std::vector<JsonField> fields(const RunReport& run) const override {
    return {{"queries", std::to_string(queries)}, {"all_queries", run.complete ? "true" : "false"}};
  }
  std::string text(const RunReport&) const override { return "queries: " + std::to_string(queries); }
  ClosingWords closing_words(const RunReport&) const override {
    return {.subject = decides ? "every query was answered" : "",
            .remark = std::to_string(queries) + " queries",
            .files = "queries in q.smt2"};
  }
};

std::vector<std::string> keys(const std::string& json) {
  const boost::json::value root = boost::json::parse(json);
  std::vector<std::string> out;
  for (const auto& member : root.as_object()) out.emplace_back(member.key());
  return out;
}

TEST(Section, OfATestAppearsInObjectTextAndClosingLine) {
  RunReport report;
  report.verdict = Verdict::Holds;
  report.complete = true;
  report.counters.states = 2;
  report.note = "a note";
  report.sections.at<QueryReport>().queries = 3;

  const boost::json::object run = boost::json::parse(to_json(report)).as_object();
  EXPECT_EQ(run.at("queries").to_number<int>(), 3);
  EXPECT_EQ(run.at("all_queries"), true);
  EXPECT_THAT(to_json(report), HasSubstr(",\n  \"queries\": 3,\n  \"all_queries\": true,\n  \"command\": "));
  EXPECT_THAT(texts(report), ElementsAre("queries: 3"));
  EXPECT_EQ(closing_line(report),
            "holds: 2 states, 0 transitions, 0 final states, depth 0, complete; 3 queries; a note; 0.00 s; queries in "
            "q.smt2");
  report.sections.at<QueryReport>().decides = true;
  EXPECT_EQ(closing_line(report), "holds: every query was answered; 3 queries; a note; 0.00 s; queries in q.smt2");
}

TEST(Section, WithoutOneNothingIsAdded) {
  RunReport report;
  const std::string before = to_json(report);
  report.sections.at<QueryReport>();
  EXPECT_NE(to_json(report), before);
  report.sections.set<QueryReport>({});
  EXPECT_EQ(to_json(report), before);
  EXPECT_THAT(texts(report), ElementsAre());
}

TEST(Section, FieldsStandInTheirPlacesWhateverWasAddedFirst) {
  RunReport report;
  report.growth = {"g"};
  report.warnings = {"w"};
  report.sections.at<QueryReport>();
  report.sections.at<SchedulersReport>().all.emplace_back();
  report.sections.at<CallLogReport>();
  report.sections.at<RefinementReport>();
  report.sections.at<CoverageReport>();
  report.sections.at<FailureReport>();
  report.sections.at<HistoryReport>();
  const std::vector<std::string> all = keys(to_json(report));
  const auto between = [&](const std::string& first, const std::string& last) {
    return std::vector<std::string>(std::ranges::find(all, first) + 1, std::ranges::find(all, last));
  };
  EXPECT_THAT(between("error", "model"),
              ElementsAre("spec", "operations", "partitions", "decided", "method", "witness", "files"));
  EXPECT_THAT(between("growth", "version"), ElementsAre("failure", "warnings", "coverage", "refinement", "calls",
                                                        "schedulers", "queries", "all_queries", "command"));
}

// The object begins with the verdict, the text ends with it.
TEST(Section, TextsComeInTheReverseOrder) {
  RunReport report;
  report.complete = true;
  report.sections.at<CoverageReport>().coverage.transitions = {{.name = "Node::judge"}};
  RefinementReport& refinement = report.sections.at<RefinementReport>();
  refinement.object = "qtree";
  refinement.counts = {{"adds", 2}, {"commits", 1}};
  refinement.quorums = {"P4 needs one"};
  report.sections.at<QueryReport>();
  EXPECT_THAT(texts(report),
              ElementsAre("queries: 0", "different calls on qtree: 2 adds, 1 commits\nquorums: P4 needs one",
                          "never happened: Node::judge"));
  report.complete = false;
  refinement.points = "recorded";  // a log, whose command has shown it all
  EXPECT_THAT(texts(report), ElementsAre("queries: 0"));
}

TEST(Section, CopiesAreDeep) {
  RunReport report;
  report.sections.at<QueryReport>().queries = 1;
  const RunReport copy = report;
  RunReport assigned;
  assigned.sections.at<FailureReport>();
  assigned = report;
  report.sections.at<QueryReport>().queries = 2;
  EXPECT_EQ(copy.sections.find<QueryReport>()->queries, 1);
  EXPECT_EQ(assigned.sections.find<QueryReport>()->queries, 1);
  EXPECT_EQ(assigned.sections.find<FailureReport>(), nullptr);
  EXPECT_EQ(report.sections.find<QueryReport>()->queries, 2);
}

}  // namespace
}  // namespace heddle::report::section_test
