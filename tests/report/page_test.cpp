// What a page holds: the whole finding, nothing of it as markup, and no file that it has no business with.
#include "report/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>

#include "report/history_finding.h"
#include "report/json_view.h"
#include "report/page_sources.h"
#include "report/run_json.h"
#include "report/trace_json.h"
#include "sample_traces.h"
#include "schema.h"
#include "support/unpacked_page.h"

namespace heddle::report::page_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string empty_page =
    "<html><script id=\"finding\" type=\"application/octet-stream\">{heddle-report}</script></html>";

std::string packed_and_unpacked(const std::string& text) {
  return support::unpacked_page(with_finding(empty_page, text));
}

TEST(Page, HoldsWhatWasPutIntoIt) {
  std::string noise;
  for (unsigned i = 0; i < 300'000; ++i) noise += static_cast<char>(i * 2654435761U >> 13U);
  for (const std::string& text : {std::string(), std::string("x"), std::string("xy"), std::string("xyz"),
                                  std::string("</script><b>\0&", 14), noise}) {
    EXPECT_EQ(packed_and_unpacked(text), text);
  }
}

TEST(Page, NothingOfAFindingIsMarkup) {
  const std::string page = with_finding(empty_page, "</script><script>alert(1)</script><!-- ]]> {heddle-report}");
  EXPECT_THAT(page, Not(HasSubstr("alert")));
  const std::size_t begin = page.find("octet-stream\">") + 14;
  const std::string held = page.substr(begin, page.find("</script></html>") - begin);
  EXPECT_EQ(held.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="), held.npos);
}

TEST(Page, OfTheWrongFormIsRefused) {
  EXPECT_THROW(with_finding("<html></html>", "x"), ReportError);
  EXPECT_THROW(with_finding(empty_page + empty_page, "x"), ReportError);
}

TEST(Page, DocumentHasTraceRunAndSources) {
  const trace::Trace trace = samples::paxos();
  RunReport run;
  run.command = "check";
  const std::string text = page_document({.trace = &trace,
                                          .run = to_json(run),
                                          .command = "heddle check \"p\"",
                                          .version = "9.9",
                                          .sources = {{"a.cpp", 7, {"int x;", "\"</script>\""}}},
                                          .left_out = {"Something."}});
  const auto document = boost::json::parse(text).as_object();
  EXPECT_EQ(document.at("format").as_string(), "heddle-report");
  EXPECT_EQ(document.at("command").as_string(), "heddle check \"p\"");
  EXPECT_EQ(document.at("heddle").as_string(), "9.9");
  EXPECT_EQ(document.at("steps_before").as_int64(), 0);
  EXPECT_EQ(document.at("trace"), boost::json::parse(to_json(trace)));
  EXPECT_EQ(document.at("run"), boost::json::parse(to_json(run)));
  EXPECT_EQ(document.at("sources").at(0).at("lines").at(1).as_string(), "\"</script>\"");
  EXPECT_EQ(document.at("left_out").at(0).as_string(), "Something.");
  EXPECT_TRUE(boost::json::parse(page_document({})).at("trace").is_null());
  EXPECT_TRUE(boost::json::parse(page_document({})).at("run").is_null());
}

// --- Runs that are too long.

trace::Trace counting(std::size_t steps) {
  trace::Trace trace;
  trace.model = "counting";
  trace.lanes = {{"a", "R", "a"}, {"b", "R", "b"}};
  trace.initial = {{0, "n", "0"}};
  for (std::size_t i = 0; i < steps; ++i) {
    trace::Step step;
    step.name = "count";
    step.lane = static_cast<std::uint32_t>(i % 2);
    step.diffs = {{step.lane, "n", std::to_string(i), std::to_string(i + 1)}};
    trace.steps.push_back(step);
  }
  return trace;
}

TEST(LastSteps, ValuesAtTheBeginningAreThoseBeforeTheFirstStep) {
  const trace::Trace whole = counting(10);
  const trace::Trace last = last_steps(whole, 3);
  ASSERT_EQ(last.steps.size(), 3u);
  EXPECT_EQ(last.steps[0].diffs[0].after, "8");
  ASSERT_EQ(last.initial.size(), 2u);  // that of b was nowhere said at first
  EXPECT_EQ(last.initial[0].value, "7");
  EXPECT_EQ(last.initial[1].value, "6");
  EXPECT_EQ(to_json(last_steps(whole, 10)), to_json(whole));
}

TEST(LastSteps, AreSaidToBeTheLast) {
  const trace::Trace trace = counting(most_steps_of_a_page + 5);
  const auto document = boost::json::parse(page_document({.trace = &trace}));
  EXPECT_EQ(document.at("trace").at("steps").as_array().size(), most_steps_of_a_page);
  EXPECT_EQ(document.at("steps_before").as_int64(), 5);
  EXPECT_EQ(document.at("left_out").at(0).as_string(),
            "The run has 100,005 steps. Only the last 100,000 are in this page.");
}

// --- Sources.

class Sources : public testing::Test {
 protected:
  Sources() {
    folder = std::filesystem::path(testing::TempDir()) / "heddle-page-sources";
    std::filesystem::create_directories(folder);
  }
  ~Sources() override { std::filesystem::remove_all(folder); }

  std::string write(const std::string& name, int lines) const {
    std::ofstream file(folder / name);
    for (int i = 1; i <= lines; ++i) file << "  line " << i << "\n";
    return (folder / name).string();
  }
  static trace::Trace at(const std::string& file, std::uint32_t line) {
    trace::Trace trace = counting(1);
    trace.steps[0].place = {.file = file, .line = line, .column = 1, .function = "f"};
    return trace;
  }

  std::filesystem::path folder;
};

TEST_F(Sources, AreTheLinesAroundThePlaces) {
  trace::Trace trace = at(write("a.cpp", 100), 50);
  trace.steps[0].accesses.push_back(
      {.object = "x",
       .part = "",
       .kind = "read",
       .before = "",
       .after = "",
       .place = {.file = trace.steps[0].place.file, .line = 60, .column = 0, .function = ""}});
  const std::vector<PageSource> sources = page_sources(&trace, "");
  ASSERT_EQ(sources.size(), 1u);
  EXPECT_EQ(sources[0].first, 38u);
  EXPECT_EQ(sources[0].lines.front(), "  line 38");
  EXPECT_EQ(sources[0].lines.back(), "  line 72");
}

TEST_F(Sources, OfTheEndsOfAFile) {
  const trace::Trace trace = at(write("b.c", 5), 4);
  const std::vector<PageSource> sources = page_sources(&trace, "");
  ASSERT_EQ(sources.size(), 1u);
  EXPECT_EQ(sources[0].first, 1u);
  EXPECT_EQ(sources[0].lines.size(), 5u);
}

// A trace may come from a stranger, and the page goes back to them.
TEST_F(Sources, AreNoOtherFiles) {
  for (const std::string& file : {write("secret.txt", 9), write("id_rsa", 9), std::string("/etc/passwd"),
                                  folder.string(), (folder / "missing.cpp").string()}) {
    const trace::Trace trace = at(file, 1);
    EXPECT_THAT(page_sources(&trace, ""), IsEmpty()) << file;
  }
}

TEST_F(Sources, OfARootCause) {
  const std::string file = write("c.cpp", 60);
  const std::string run = R"({"repairs": [{"blocks": [{"file": ")" + file +
                          R"(", "first_line": 30, "last_line": 32}]}], "cycle_accesses": [{"file": ")" + file +
                          R"(", "line": 40}]})";
  const std::vector<PageSource> sources = page_sources(nullptr, run);
  ASSERT_EQ(sources.size(), 1u);
  EXPECT_EQ(sources[0].first, 18u);
  EXPECT_EQ(sources[0].lines.size(), 35u);
}

// --- A history, for the page and for --json.

TEST(HistoryFindingJson, FitsTheSchema) {
  RunReport run;
  run.command = "lin";
  HistoryFinding& finding = run.sections.at<HistoryFinding>();
  EXPECT_THAT(to_json(run), Not(HasSubstr("\"history\"")));
  finding.subject = "2 operations";
  finding.specification = "register";
  finding.operations = {{"process 0", "write(1)", 0, 1, 2}, {"process \"1\"", "read → nil", 2, std::nullopt, 0}};
  finding.order = {{0, "{\"value\": 1}"}, {1, ""}};
  finding.core = {0, 1};
  finding.stuck = 1;
  finding.sentences = {"It \"cannot\" be."};
  const std::string text = to_json(run);
  static const Schema schema(HEDDLE_SOURCE_DIR "/docs/run.schema.json");
  EXPECT_THAT(schema.complaints(text), IsEmpty());
  const auto history = boost::json::parse(text).at("history");
  EXPECT_TRUE(history.at("operations").at(1).at("end").is_null());
  EXPECT_EQ(history.at("order").at(0).at("object").at("value").as_int64(), 1);
  EXPECT_TRUE(history.at("order").at(1).at("object").is_null());
  EXPECT_EQ(history.at("core").as_array().size(), 2u);
}

}  // namespace
}  // namespace heddle::report::page_test
