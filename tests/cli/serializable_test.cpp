// serializable, from the outside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "cli/program.h"
#include "report/schema.h"
#include "report/utf8.h"

namespace heddle::cli::serializable_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class SerializableCommand : public ProgramTest {
 protected:
  SerializableCommand() {
    const fs::path folder = fs::path(HEDDLE_SOURCE_DIR) / "tests" / "history" / "transactions";
    for (const auto& entry : fs::directory_iterator(folder)) fs::copy(entry.path(), home / entry.path().filename());
  }
};

TEST_F(SerializableCommand, AViolationIsExplained) {
  const Outcome run = heddle({"serializable", "elle_20.edn", "--width", "80"});
  EXPECT_EQ(run.code, 1) << run.err;
  expect_golden("serializable_violated", run.out);
  // What was left is a history that breaks the level again.
  const Outcome again = heddle({"serializable", "heddle-witness.edn", "--level", "serializable", "--no-witness"});
  EXPECT_EQ(again.code, 1) << again.out;
  expect_golden("serializable_witness", read(home / "heddle-witness.edn"));
}

TEST_F(SerializableCommand, Holds) {
  const Outcome run = heddle({"serializable", "adya_h1_prime.edn"});
  EXPECT_EQ(run.code, 0) << run.err;
  expect_golden("serializable_holds", run.out);
}

TEST_F(SerializableCommand, LevelsAndExitCodes) {
  EXPECT_EQ(heddle({"serializable", "berenson_a5b.edn", "--level", "snapshot-isolation"}).code, 0);
  EXPECT_EQ(heddle({"serializable", "berenson_a5b.edn", "--level", "PL-3", "--no-witness"}).code, 1);
  EXPECT_EQ(heddle({"serializable", "elle_27.edn", "--level", "strict-serializable", "--no-witness"}).code, 1);
  EXPECT_EQ(heddle({"serializable", "elle_27.edn"}).code, 0);
  const Outcome unknown = heddle({"serializable", "elle_16_without_times.edn", "--level", "strict-serializable"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.last_line(), HasSubstr("has no invocations"));
  const Outcome wrong = heddle({"serializable", "elle_27.edn", "--level", "chaos"});
  EXPECT_EQ(wrong.code, 3);
  EXPECT_THAT(wrong.last_line(), AllOf(HasSubstr("'chaos'"), HasSubstr("repeatable-read"), HasSubstr("session-")));
}

TEST_F(SerializableCommand, EveryAnomalyFitsAndIsNamed) {
  const report::Schema schema(HEDDLE_SOURCE_DIR "/docs/run.schema.json");
  for (const auto& entry : fs::directory_iterator(home)) {
    const std::string file = entry.path().filename().string();
    if (!file.ends_with(".edn")) continue;
    SCOPED_TRACE(file);
    const Outcome text = heddle({"serializable", file, "--width", "80", "--witness", "w.txt"});
    std::stringstream lines(text.out);
    const std::string last = text.last_line();
    std::string first;
    std::getline(lines, first);
    for (std::string line; std::getline(lines, line);) {
      // The lines about files are as long as the names.
      if (line == last || line.find("; again:") != line.npos) continue;
      EXPECT_LE(report::display_width(line), 80) << line;
      EXPECT_THAT(line, Not(HasSubstr("precedes"))) << "an edge without a reason";
    }
    const Outcome json = heddle({"serializable", file, "--json", "--no-witness"});
    EXPECT_EQ(json.code, text.code);
    EXPECT_THAT(schema.complaints(json.out), IsEmpty()) << json.out;
    if (text.code == 1) {
      EXPECT_NE(json.json().at("anomaly"), nullptr);
    }
    const Outcome ascii = heddle({"serializable", file, "--ascii", "--no-witness"});
    EXPECT_TRUE(std::all_of(ascii.out.begin(), ascii.out.end(), [](char c) { return static_cast<signed char>(c) > 0; }))
        << ascii.out;
  }
}

TEST_F(SerializableCommand, DotAndWitness) {
  const Outcome run = heddle({"serializable", "berenson_a5b.edn", "--dot", "g.dot", "--witness", "w.edn", "-q"});
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.out, AllOf(StartsWith("violated: "), HasSubstr("2 transactions in w.edn; graph in g.dot")));
  EXPECT_THAT(read(home / "g.dot"), AllOf(StartsWith("digraph"), HasSubstr("T1 -> T2 [label=\"rw\"")));
  EXPECT_EQ(heddle({"serializable", "w.edn", "--no-witness"}).code, 1);
  // A witness that cannot be written does not hide the violation.
  const Outcome nowhere = heddle({"serializable", "berenson_a5b.edn", "--witness", "none/w.edn"});
  EXPECT_EQ(nowhere.code, 1);
  EXPECT_THAT(nowhere.out, HasSubstr("warning: the witness was not written"));
}

TEST_F(SerializableCommand, ErrorsSayWhatToDo) {
  write("lin.edn", "{:process 0, :type :invoke, :f :write, :value 3}\n{:process 0, :type :ok, :f :write, :value 3}\n");
  const Outcome lin = heddle({"serializable", "lin.edn"});
  EXPECT_EQ(lin.code, 3);
  EXPECT_THAT(lin.last_line(), AllOf(StartsWith("error: lin.edn:1:1:"), HasSubstr("heddle lin")));
  const Outcome txn = heddle({"lin", "elle_27.edn", "--spec", "register"});
  EXPECT_EQ(txn.code, 3);
  EXPECT_THAT(txn.last_line(), HasSubstr("heddle serializable"));
  EXPECT_EQ(heddle({"serializable", "none.edn"}).code, 3);
  write("cut.edn", "{:process 0, :type :ok, :f :txn, :value [[:append :x 1]");
  EXPECT_THAT(heddle({"serializable", "cut.edn"}).last_line(), HasSubstr("cut off"));
}

TEST_F(SerializableCommand, BanksNeedATotal) {
  fs::copy(fs::path(HEDDLE_SOURCE_DIR) / "examples" / "histories" / "bank.edn", home / "bank.edn");
  const Outcome wrong = heddle({"serializable", "bank.edn", "--total", "20"});
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(wrong.out, HasSubstr("have 15 altogether"));
  EXPECT_THAT(wrong.last_line(), AllOf(HasSubstr("wrong total: line 4"), Not(HasSubstr("none of the levels"))));
  const Outcome right = heddle({"serializable", "bank.edn", "--total", "15"});
  EXPECT_EQ(right.code, 2);
  EXPECT_THAT(right.last_line(), HasSubstr("they do not show that it holds"));
  EXPECT_THAT(heddle({"serializable", "bank.edn"}).last_line(), HasSubstr("--total says"));
  const Outcome word = heddle({"serializable", "bank.edn", "--total", "twenty"});
  EXPECT_EQ(word.code, 3);
  EXPECT_THAT(word.last_line(), HasSubstr("twenty is no integer"));
  const report::Schema schema(HEDDLE_SOURCE_DIR "/docs/run.schema.json");
  const Outcome json = heddle({"serializable", "bank.edn", "--total", "20", "--json"});
  EXPECT_THAT(schema.complaints(json.out), IsEmpty()) << json.out;
}

TEST_F(SerializableCommand, WhatIsAssumedIsSaid) {
  write("wfr.edn",
        "{:process 0, :type :ok, :f :txn, :value [[:r :x 2] [:w :x 1]]}\n"
        "{:process 1, :type :ok, :f :txn, :value [[:r :x 1] [:w :x 2]]}\n");
  EXPECT_EQ(heddle({"serializable", "wfr.edn", "--level", "read-uncommitted"}).code, 0);
  const Outcome assumed = heddle({"serializable", "wfr.edn", "--level", "read-uncommitted", "--wfr", "--no-witness"});
  EXPECT_EQ(assumed.code, 1);
  EXPECT_THAT(assumed.last_line(), HasSubstr("not read-uncommitted if writes follow reads: G0"));
}

// A list of many elements is read within a memory limit, or refused by it; never half.
TEST_F(SerializableCommand, AHugeListMeetsTheMemoryLimit) {
  std::string text =
      "{:process 0, :type :ok, :f :txn, :value [[:append :x 0]]}\n{:process 0, :type :ok, :f :txn, :value [[:r :x [0";
  for (int i = 1; i < 3'000'000; ++i) text += " " + std::to_string(i);
  write("huge.edn", text + "]]]}\n");
  const Outcome run = heddle({"serializable", "huge.edn"});
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.last_line(), HasSubstr("huge.edn:2: a read of key :x has seen 1, which no transaction"));
  const Outcome limited = heddle({"serializable", "huge.edn", "--memory", "40M"});
  EXPECT_THAT(limited.code, testing::AnyOf(2, 3));
}

}  // namespace
}  // namespace heddle::cli::serializable_test
