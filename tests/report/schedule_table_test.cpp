// The table of schedulers and its JSON, without a model: numbers made up to fill every cell.
#include "report/schedule_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "golden.h"
#include "report/run_json.h"
#include "schema.h"

namespace heddle::report::schedule_table_test {
namespace {

std::vector<ScheduleMetrics> sample() {
  ScheduleMetrics ex;
  ex.scheduler = "EX";
  ex.ended = true;
  ex.schedules = 18396;
  ex.histories = 165;
  ex.violations = 17;
  ex.classes = 12;
  ex.violating_classes = 2;
  ex.scheduling_seconds = 0.25;
  ex.stateless_seconds = 1.5;
  ex.checking_seconds = 0.0125;
  ex.histories_before_first = 30;
  ex.seconds_to_first = 0.001;
  ScheduleMetrics random = ex;
  random.scheduler = "SR";
  random.ended = false;
  random.may_miss = true;
  random.stopped_by = "cut-off of 100000 schedules";
  random.schedules = 100000;
  random.incomplete = 7;
  random.violations = random.violating_classes = 0;
  random.histories_before_first.reset();
  random.seconds_to_first.reset();
  ScheduleMetrics sleep = ex;
  sleep.scheduler = "SL";
  sleep.ended = false;
  sleep.stopped_by = "time limit of 1 s";
  sleep.schedules = 480;
  sleep.blocked = 12;
  return {ex, random, sleep};
}

TEST(ScheduleTable, HasAColumnForEachScheduler) {
  expect_golden("schedule_table", schedule_table(sample(), {.times = false}) + "\n");
}
TEST(ScheduleTable, HasTimes) { expect_golden("schedule_table_times", schedule_table(sample()) + "\n"); }

TEST(ScheduleTable, FitsTheSchemaAsJson) {
  const Schema schema(HEDDLE_SOURCE_DIR "/docs/run.schema.json");
  RunReport report;
  EXPECT_THAT(schema.complaints(to_json(report)), testing::IsEmpty());
  report.sections.at<SchedulersReport>().all = sample();
  EXPECT_THAT(schema.complaints(to_json(report)), testing::IsEmpty());
  EXPECT_NE(to_json(report).find("\"histories_before_first\": null"), std::string::npos);
}

}  // namespace
}  // namespace heddle::report::schedule_table_test
