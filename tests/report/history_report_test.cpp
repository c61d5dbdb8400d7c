#include "report/history_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/closing_line.h"
#include "report/run_json.h"
#include "schema.h"

namespace heddle::report::history_report_test {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

HistoryFileReport file(std::string name, Verdict verdict) {
  HistoryFileReport out;
  out.file = std::move(name);
  out.format = "edn";
  out.verdict = verdict;
  out.operations = 1000;
  out.processes = 5;
  out.partitions = 10;
  out.decided = verdict == Verdict::Unknown ? 4 : 10;
  out.method = "wgl";
  if (verdict == Verdict::Violated) {
    out.finding = "12 operations of key 3";
    out.witness = "w.edn";
  }
  if (verdict == Verdict::Unknown) out.stopped_by = "time limit of 10 s";
  if (verdict == Verdict::Error) out.error = out.file + ":3:1: nonsense";
  return out;
}

RunReport run_of(std::vector<HistoryFileReport> files) {
  RunReport report;
  report.command = "lin";
  report.seconds = 0.5;
  report.peak_bytes = 1 << 20;
  HistoryReport& history = report.sections.at<HistoryReport>();
  history.specification = "register";
  history.files = std::move(files);
  report.verdict = worst(history);
  for (const HistoryFileReport& one : history.files) {
    if (report.error.empty()) report.error = one.error;
  }
  return report;
}

TEST(HistoryReport, TheWorstVerdictCounts) {
  using enum Verdict;
  EXPECT_EQ(run_of({file("a", Holds), file("b", Unknown)}).verdict, Unknown);
  EXPECT_EQ(run_of({file("a", Violated), file("b", Unknown), file("c", Holds)}).verdict, Violated);
  EXPECT_EQ(run_of({file("a", Violated), file("b", Error)}).verdict, Error);
  EXPECT_EQ(run_of({}).verdict, Error);
}

TEST(HistoryReport, ClosingLines) {
  using enum Verdict;
  EXPECT_EQ(closing_line(run_of({file("a.edn", Holds)})),
            "holds: 1,000 operations are linearizable as register; 10 partitions, by wgl; 0.50 s, 1.0 MiB");
  EXPECT_EQ(closing_line(run_of({file("a.edn", Holds), file("b.edn", Violated), file("c.edn", Violated)})),
            "violated: b.edn: 12 operations of key 3 are not linearizable as register (also 1 more file); 3,000 "
            "operations in 3 "
            "files in all; 30 partitions, by wgl; 0.50 s, 1.0 MiB; witness in w.edn");
  EXPECT_EQ(closing_line(run_of({file("a.edn", Unknown)})),
            "unknown: time limit of 10 s; no violation in 4 of 10 partitions of 1,000 operations; 0.50 s, 1.0 MiB");
  EXPECT_EQ(closing_line(run_of({file("a.edn", Violated), file("b.edn", Error)})),
            "error: b.edn:3:1: nonsense; a.edn: violated");
}

TEST(HistoryReport, FitsTheSchema) {
  const Schema schema(HEDDLE_SOURCE_DIR "/docs/run.schema.json");
  using enum Verdict;
  const std::string text =
      to_json(run_of({file("a", Holds), file("b", Violated), file("c", Unknown), file("d", Error)}));
  EXPECT_THAT(schema.complaints(text), IsEmpty()) << text;
  EXPECT_THAT(schema.complaints(to_json(run_of({}))), IsEmpty());
  const boost::json::object run = boost::json::parse(text).as_object();
  EXPECT_EQ(run.at("spec").as_string(), "register");
  EXPECT_EQ(run.at("operations").to_number<int>(), 4000);
  EXPECT_EQ(run.at("partitions").to_number<int>(), 40);
  EXPECT_EQ(run.at("decided").to_number<int>(), 34);
  EXPECT_EQ(run.at("method").as_string(), "wgl");
  EXPECT_EQ(run.at("witness").as_string(), "w.edn");
  EXPECT_THAT(run.at("files").as_array(), SizeIs(4));
  std::string wrong = text;
  wrong.replace(wrong.find("\"finding\""), 9, "\"fnding\"");
  EXPECT_THAT(schema.complaints(wrong), testing::ElementsAre("/files/0: missing finding"));
}

}  // namespace
}  // namespace heddle::report::history_report_test
