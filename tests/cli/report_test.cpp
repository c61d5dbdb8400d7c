// --html and `heddle report`: what they write, and what they say if they cannot.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "cli/program.h"
#include "support/unpacked_page.h"

namespace heddle::cli::report_test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Report : public ProgramTest {
 protected:
  // What the page in a file holds.
  boost::json::object held(const std::string& file) const {
    return boost::json::parse(support::unpacked_page(read(home / file))).as_object();
  }
  void make_trace() const {
    ASSERT_EQ(heddle({"check", "two_phase_commit", "--bug", "commit_early", "--trace", "t.json"}).code, 1);
  }
};

TEST_F(Report, OfACheckHoldsTraceRunAndCommand) {
  const Outcome run =
      heddle({"check", "two_phase_commit", "--bug", "commit_early", "--html", "a b.html", "--trace", "t.json"});
  EXPECT_EQ(run.code, 1) << run.out << run.err;
  EXPECT_THAT(run.last_line(), EndsWith("trace in t.json; report in a b.html"));
  const auto page = held("a b.html");
  EXPECT_EQ(page.at("command").as_string(), "heddle check two_phase_commit --bug commit_early --trace t.json");
  EXPECT_EQ(page.at("trace"), boost::json::parse(read(home / "t.json")));
  EXPECT_EQ(page.at("run").at("verdict").as_string(), "violated");
  EXPECT_EQ(page.at("run").at("states").as_int64(), 32);
}

TEST_F(Report, IsSelfContainedAndAllowsNothing) {
  heddle({"check", "paxos", "--html=p.html"});
  const std::string page = read(home / "p.html");
  EXPECT_THAT(page, HasSubstr("Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-"));
  EXPECT_THAT(page, Not(HasSubstr("unsafe-")));
  EXPECT_THAT(page, Not(HasSubstr(" src=")));
  EXPECT_THAT(page, Not(HasSubstr("<link")));
  EXPECT_LT(page.size(), 400'000u);
  EXPECT_TRUE(held("p.html").at("trace").is_null());
  EXPECT_EQ(held("p.html").at("command").as_string(), "heddle check paxos");
}

TEST_F(Report, IsNamedInTheJsonOfARun) {
  const auto json = heddle({"check", "paxos", "--json", "--html", "p.html"}).json();
  EXPECT_EQ(json.at("html").as_string(), "p.html");
  EXPECT_FALSE(heddle({"check", "paxos", "--json"}).json().as_object().contains("html"));
}

TEST_F(Report, OfATraceAlone) {
  make_trace();
  const Outcome run = heddle({"report", "t.json"});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_EQ(run.last_line(), "report in heddle-report.html; 5 steps");
  EXPECT_EQ(held("heddle-report.html").at("command").as_string(), "heddle replay t.json");
  EXPECT_TRUE(held("heddle-report.html").at("run").is_null());
  const auto json = heddle({"report", "t.json", "--json", "--html", "x.html"}).json();
  EXPECT_EQ(json.at("html").as_string(), "x.html");
  EXPECT_EQ(json.at("trace_steps").as_int64(), 5);
}

TEST_F(Report, OfARunFollowsItsTrace) {
  const Outcome run = heddle({"check", "two_phase_commit", "--bug", "commit_early", "--json"});
  write("run.json", run.out);
  EXPECT_EQ(heddle({"report", "run.json"}).last_line(), "report in heddle-report.html; 5 steps");
  EXPECT_EQ(held("heddle-report.html").at("run").at("states").as_int64(), 32);
  EXPECT_FALSE(held("heddle-report.html").at("trace").is_null());
  fs::remove(home / "heddle-trace.json");
  const Outcome without = heddle({"report", "run.json"});
  EXPECT_EQ(without.code, 0);
  EXPECT_THAT(without.out, HasSubstr("warning: there is no trace heddle-trace.json"));
  EXPECT_THAT(std::string(held("heddle-report.html").at("left_out").at(0).as_string()), HasSubstr("heddle-trace.json"));
}

TEST_F(Report, OfAHistoryHasOperationsOrderAndCore) {
  const std::string history = HEDDLE_SOURCE_DIR "/examples/histories/stale_read.edn";
  const Outcome run = heddle({"lin", history, "--spec", "register", "-q", "--html", "h.html"});
  EXPECT_EQ(run.code, 1) << run.out << run.err;
  const auto page = held("h.html");
  EXPECT_EQ(page.at("run").at("history").at("operations").as_array().size(), 4u);
  EXPECT_EQ(page.at("run").at("history").at("stuck").as_int64(), 3);
  // One that a search has decided has an order, too.
  const Outcome searched = heddle({"lin", history, "--spec", "register", "--method", "wgl", "--json"});
  const boost::json::object found = searched.json().at("history").as_object();
  EXPECT_FALSE(found.at("order").as_array().empty());
  EXPECT_FALSE(found.at("order").at(0).at("object").is_null());
}

TEST_F(Report, WhatCannotBeShownIsAnErrorInWords) {
  make_trace();
  write("broken.json", R"({"format": "heddle-trace", "version": 1, "model": "m", "lanes": [], "verdict": "holds",
    "steps": [{"lane": 3, "name": "x"}]})");
  write("other.json", R"({"a": 1})");
  write("no.json", "hello");
  write("h.edn", "{}");
  const auto error = [&](std::vector<std::string> files) {
    files.insert(files.begin(), "report");
    const Outcome run = heddle(files);
    EXPECT_EQ(run.code, 3) << run.out;
    EXPECT_FALSE(fs::exists(home / "heddle-report.html"));
    return run.last_line();
  };
  EXPECT_THAT(error({"none.json"}), HasSubstr("none.json: the file cannot be read"));
  EXPECT_THAT(error({"no.json"}), HasSubstr("no.json:1:1: malformed JSON"));
  EXPECT_THAT(error({"other.json"}), HasSubstr("other.json:1:1: this is neither a trace nor the JSON of a run"));
  EXPECT_THAT(error({"broken.json"}), HasSubstr("broken.json:2:24: lane 3 does not exist"));
  EXPECT_THAT(error({"t.json", "t.json"}), HasSubstr("this is the second trace"));
  EXPECT_THAT(error({"h.edn"}), HasSubstr("heddle lin h.edn --spec NAME --html OUT"));
  EXPECT_THAT(error({"t.json", "--html", "no/x.html"}), HasSubstr("no/x.html: cannot be written"));
  EXPECT_THAT(error({"t.json", "--html", "t.json"}), HasSubstr("t.json would be overwritten"));
  EXPECT_THAT(read(home / "t.json"), StartsWith("{\n  \"format\": \"heddle-trace\""));
}

TEST_F(Report, WherePagesGoIsLookedAtBeforeTheSearch) {
  const Outcome run = heddle({"check", "paxos", "--html", "no/x.html"});
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.last_line(), HasSubstr("--html: there is no directory no for the page"));
  EXPECT_THAT(heddle({"check", "paxos", "--html", "."}).last_line(), HasSubstr("--html: . is a directory"));
}

TEST_F(Report, ThatCannotBeWrittenDoesNotHideTheVerdict) {
  const Outcome run = heddle({"check", "two_phase_commit", "--bug", "commit_early", "--html", "/dev/full"});
  EXPECT_EQ(run.code, 1) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("warning: the report was not written: /dev/full"));
  EXPECT_THAT(run.last_line(), StartsWith("violated: consistent at depth 5;"));
  EXPECT_THAT(run.last_line(), HasSubstr("the report was not written"));
  EXPECT_THAT(run.last_line(), Not(HasSubstr("report in")));
}

TEST_F(Report, AnErrorHasNoPage) {
  EXPECT_EQ(heddle({"check", "no_such_model", "--html", "x.html"}).code, 3);
  EXPECT_FALSE(fs::exists(home / "x.html"));
}

}  // namespace
}  // namespace heddle::cli::report_test
