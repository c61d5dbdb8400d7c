// `heddle refine` from the outside: verdicts, what is shown of a rejected call, the JSON object, DOT, budgets, errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "cli/program.h"
#include "report/schema.h"

namespace heddle::cli::refine_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class Refine : public ProgramTest {
 protected:
  Refine() {
    for (const auto& entry : fs::directory_iterator(fs::path(HEDDLE_SOURCE_DIR) / "examples" / "calls")) {
      fs::copy(entry.path(), home / entry.path().filename());
    }
  }
};

TEST_F(Refine, Holds) {
  const Outcome run = heddle({"refine", "overtaken.jsonl", "--object", "qtree"});
  EXPECT_EQ(run.code, 0) << run.err;
  expect_golden("refine_holds", run.out);
  EXPECT_EQ(heddle({"refine", "replicated_log.jsonl", "--log-of-commands"}).code, 0);
}

TEST_F(Refine, ViolatedWithTheTreeBeforeAndAfterEveryCall) {
  const Outcome run = heddle({"refine", "ignored_votes.jsonl", "--tree-dot", "tree.dot"});
  EXPECT_EQ(run.code, 1) << run.err;
  expect_golden("refine_violated", run.out);
  expect_golden("refine_dot", read(home / "tree.dot"));
  const Outcome ascii = heddle({"refine", "ignored_votes.jsonl", "--ascii", "--width", "60"});
  expect_golden("refine_violated_ascii", ascii.out);
}

TEST_F(Refine, ALongLogShowsTheRoundsAroundTheCall) {
  std::string log;
  for (int r = 1; r <= 100; ++r) {
    log += "{\"call\": \"add\", \"round\": " + std::to_string(r) +
           ", \"value\": \"x\", \"parent\": " + std::to_string(r - 1) + "}\n";
  }
  log += "{\"call\": \"commit\", \"round\": 50}\n{\"call\": \"commit\", \"round\": 102}\n";
  write("long.jsonl", log);
  const Outcome run = heddle({"refine", "long.jsonl"});
  EXPECT_EQ(run.code, 1) << run.err;
  EXPECT_THAT(run.out, HasSubstr("24 of the 100 rounds of this instance are shown"));
  EXPECT_THAT(run.out, HasSubstr("an earlier call is missing"));
  EXPECT_THAT(run.last_line(), StartsWith("violated: long.jsonl:102: qtree rejects commit(102): not-ADDED (P2); "
                                          "101 calls before it; 100 adds, 1 commits"));
}

TEST_F(Refine, JsonHasTheFieldsOfTheSchema) {
  const report::Schema schema(HEDDLE_SOURCE_DIR "/docs/run.schema.json");
  for (const auto& [arguments, code] : std::vector<std::pair<std::vector<std::string>, int>>{
           {{"refine", "ignored_votes.jsonl", "--json"}, 1},
           {{"refine", "overtaken.jsonl", "--json"}, 0},
           {{"refine", "overtaken.jsonl", "--memory", "1", "--json"}, 2},
           {{"refine", "missing.jsonl", "--json"}, 3}}) {
    const Outcome run = heddle(arguments);
    EXPECT_EQ(run.code, code) << run.out;
    EXPECT_THAT(schema.complaints(run.out), IsEmpty()) << run.out;
  }
  const auto json = heddle({"refine", "ignored_votes.jsonl", "--json"}).json();
  EXPECT_EQ(json.at("property").as_string(), "refines qtree");
  EXPECT_EQ(json.at("refinement").at("clause").as_string(), "extendsTrunk");
  EXPECT_EQ(json.at("refinement").at("property").as_string(), "P4");
  EXPECT_EQ(json.at("refinement").at("call").as_string(), "add(4, \"v1\", 2)");
  EXPECT_EQ(json.at("refinement").at("lp").as_string(), "recorded");
  EXPECT_EQ(json.at("calls").at("line").as_int64(), 6);
  EXPECT_EQ(json.at("calls").at("calls").as_int64(), 6);
  EXPECT_EQ(json.at("calls").at("tree").as_array().size(), 3u);
  EXPECT_EQ(json.at("calls").at("earlier").at(2).at("line").as_int64(), 4);
  EXPECT_EQ(json.at("calls").at("left_out").at(0).as_string(), "process");
}

TEST_F(Refine, SpecificationClientsAndLogsOfCommands) {
  write("demoted.jsonl",
        "{\"call\":\"add\",\"round\":1,\"value\":7,\"parent\":0}\n{\"call\":\"add\",\"round\":3,\"value\":7,\"parent\":"
        "1}\n"
        "{\"call\":\"commit\",\"round\":1}\n{\"call\":\"commit\",\"round\":3}\n"
        "{\"call\":\"add\",\"round\":2,\"value\":8,\"parent\":0}\n");
  EXPECT_EQ(heddle({"refine", "demoted.jsonl"}).code, 1);
  EXPECT_EQ(heddle({"refine", "demoted.jsonl", "--spec", "literal"}).code, 0);
  EXPECT_EQ(heddle({"refine", "--spec", "literal", "--clients", "7,8", "demoted.jsonl"}).code, 0);
  const Outcome nobody = heddle({"refine", "--spec", "literal", "--clients", "7", "demoted.jsonl"});
  EXPECT_THAT(nobody.last_line(), HasSubstr("demoted.jsonl:5: qtree rejects add(2, 8, 0): client (O2)"));
  EXPECT_THAT(heddle({"refine", "replicated_log.jsonl"}).last_line(), HasSubstr("valueConstraint (P3a)"));
  EXPECT_EQ(heddle({"refine", "overtaken.jsonl", "--clients", "v1,v2"}).code, 0);
  EXPECT_EQ(heddle({"refine", "overtaken.jsonl", "--clients", "v1"}).code, 1);
}

// A green run in which nothing was decided is not a comfort.
TEST_F(Refine, SaysWhenNothingWasDecided) {
  write("empty.jsonl", "\n");
  const Outcome empty = heddle({"refine", "empty.jsonl"});
  EXPECT_EQ(empty.code, 0);
  EXPECT_THAT(empty.out, HasSubstr("warning: empty.jsonl makes no call on qtree"));
  write("added.jsonl", "{\"call\":\"add\",\"round\":1,\"value\":7,\"parent\":0}\n");
  EXPECT_THAT(heddle({"refine", "added.jsonl"}).out, HasSubstr("warning: qtree never commits"));
  EXPECT_THAT(heddle({"refine", "overtaken.jsonl"}).out, Not(HasSubstr("warning")));
}

TEST_F(Refine, ErrorsSayWhereAndWhatToDo) {
  const auto last = [&](const std::vector<std::string>& arguments) {
    const Outcome run = heddle(arguments);
    EXPECT_EQ(run.code, 3) << run.out;
    return run.last_line();
  };
  write("bad.jsonl", "{\"call\": \"commit\", \"round\": 1\n");
  EXPECT_THAT(last({"refine", "bad.jsonl"}), StartsWith("error: bad.jsonl:1:1: the object does not end on its line"));
  // What comes before the mistake is not a verdict.
  write("late.jsonl", "{\"call\":\"add\",\"round\":1,\"value\":7,\"parent\":0}\n{\"call\": \"accept\"}\n");
  EXPECT_THAT(last({"refine", "late.jsonl"}), HasSubstr("late.jsonl:2:17: there is no call \"accept\""));
  EXPECT_THAT(last({"refine"}), HasSubstr("which log?"));
  EXPECT_THAT(last({"refine", "missing.jsonl"}), HasSubstr("missing.jsonl: cannot be read"));
  EXPECT_THAT(last({"refine", "overtaken.jsonl", "--tree-dot", "none/t.dot"}), HasSubstr("--tree-dot"));
  EXPECT_THAT(last({"refine", "overtaken.jsonl", "--spec", "loose"}), HasSubstr("loose"));
  EXPECT_THAT(last({"refine", "overtaken.jsonl", "--object", "queue"}), HasSubstr("queue"));
}

TEST_F(Refine, ABudgetThatRunsOutIsNoVerdict) {
  const Outcome run = heddle({"refine", "overtaken.jsonl", "--memory", "150"});
  EXPECT_EQ(run.code, 2) << run.out;
  EXPECT_THAT(run.last_line(), StartsWith("unknown: memory limit"));
  EXPECT_THAT(run.last_line(), HasSubstr("qtree accepts the first"));
}

}  // namespace
}  // namespace heddle::cli::refine_test
