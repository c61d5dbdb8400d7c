#include "report/coverage_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "golden.h"
#include "report/run_json.h"
#include "schema.h"

namespace heddle::report::coverage_text_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Coverage sample() {
  Coverage c;
  c.transitions = {{"Node::start", 1234, 10, 7},
                   {"Node::judge", 0, 0, 0},
                   {"Node::stop", 0, 5, 0, {{"node.cpp:41", 4}, {"node.cpp:40", 1}}},
                   {"Node::stuck", 0, 3, 2, {{"node.cpp:50", 1}}},
                   {"loss", 0}};
  c.messages = {{.name = "Late", .sent = true, .arrived = true},
                {.name = "Lost", .sent = true},
                {.name = "Loud", .has_receiver = false, .sent = true, .arrived = true},
                {.name = "Told", .sent = true, .arrived = true, .received = 12},
                {.name = "Unsent"},
                {.name = "Wanted", .has_sender = false}};
  c.options = {{"Node::start", 1, 0, true},
               {"Node::start", 1, 1, false},
               {"Node::start", 2, 0, true},
               {"Node::judge", 1, 0, false},
               {"Node::judge", 1, 1, false}};
  c.blind_properties = {"agreement"};
  return c;
}

TEST(CoverageText, NamesWhatNeverHappened) {
  EXPECT_THAT(
      never_happened(sample()),
      ElementsAre("Node::judge", "Node::stop", "Node::stuck", "loss", "receiving Late",
                  "receiving Lost (every one was sent to nobody who could take it)",
                  "receiving Loud (no handler takes it)", "sending Unsent", "sending Wanted (no handler sends it)",
                  "option 1 of choice 1 in Node::start", "agreement reading anything"));
  EXPECT_THAT(never_happened(sample(), true),
              testing::Contains("Node::stop (guards at node.cpp:41, node.cpp:40 never held)"));
  EXPECT_THAT(never_happened(sample(), true), testing::Contains("Node::stuck")) << "a guard let it pass";
  Coverage all;
  all.transitions = {{"t", 1}};
  EXPECT_THAT(never_happened(all), IsEmpty());
}

TEST(CoverageText, IsATable) {
  expect_golden("coverage", coverage_table(sample(), true) + "\n");
  EXPECT_THAT(coverage_table(sample(), false), testing::HasSubstr("the search is incomplete"));
}

TEST(CoverageText, AsJsonFitsTheSchemaAndSaysNeverOfCompleteSearchesOnly) {
  static const Schema schema(HEDDLE_SOURCE_DIR "/docs/run.schema.json");
  RunReport report;
  report.sections.at<CoverageReport>().coverage = sample();
  report.warnings = {"a handler waits"};
  EXPECT_THAT(schema.complaints(to_json(report)), IsEmpty());
  EXPECT_TRUE(boost::json::parse(to_json(report)).at("coverage").at("never").is_null());
  report.complete = true;
  EXPECT_THAT(schema.complaints(to_json(report)), IsEmpty());
  const auto run = boost::json::parse(to_json(report));
  EXPECT_EQ(run.at("coverage").at("never").as_array().size(), 11u);
  EXPECT_EQ(run.at("coverage").at("transitions").as_array()[0].at("executed").to_number<int>(), 1234);
  EXPECT_TRUE(run.at("coverage").at("transitions").as_array()[4].at("inputs").is_null());
  report.sections.at<CoverageReport>().coverage = {};
  EXPECT_THAT(schema.complaints(to_json(report)), IsEmpty());
}

}  // namespace
}  // namespace heddle::report::coverage_text_test
