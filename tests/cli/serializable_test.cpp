// serializable, from the outside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json.hpp>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "check/transactions/isolation.h"
#include "cli/program.h"
#include "report/schema.h"
#include "report/utf8.h"
#include "support/long_run.h"

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

// Of each level that is violated there is a reason, and of each that holds an order that shows it, of it or of a
// stronger one.
void expect_everything_is_explained(const boost::json::object& object) {
  std::set<std::string> ruled_out, shown;
  for (const auto& one : object.at("explanations").as_array()) {
    for (const auto& level : one.at("levels").as_array()) {
      EXPECT_TRUE(ruled_out.insert(std::string(level.as_string())).second) << "twice";
    }
    EXPECT_FALSE(one.at("anomaly").is_null());
    EXPECT_FALSE(one.at("shown").as_array().empty());
  }
  for (const auto& one : object.at("orders").as_array()) {
    EXPECT_TRUE(shown.insert(std::string(one.at("level").as_string())).second) << "twice";
    EXPECT_FALSE(one.at("events").as_array().empty());
  }
  const auto follows = [](const std::string& strong, const std::string& weak) {
    return level_named(weak)->follows_from(*level_named(strong));
  };
  for (const auto& row : object.at("levels").as_array()) {
    const std::string level(row.at("name").as_string());
    EXPECT_EQ(ruled_out.contains(level), row.at("verdict") == "violated") << level;
    const bool is_shown = std::ranges::any_of(shown, [&](const std::string& strong) { return follows(strong, level); });
    EXPECT_EQ(is_shown, row.at("verdict") == "holds") << level;
  }
}

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

TEST_F(SerializableCommand, EveryLevelIsExplained) {
  // A level that holds, one that does not, and orders of three kinds.
  const Outcome held = heddle({"serializable", "elle_27.edn", "--explain", "--width", "80"});
  EXPECT_EQ(held.code, 0) << held.err;
  const Outcome broken = heddle({"serializable", "berenson_a5b.edn", "--explain", "--width", "80", "--no-witness"});
  EXPECT_EQ(broken.code, 1) << broken.err;
  expect_golden("serializable_explain", held.out + "\n" + broken.out);
  // One question.
  const Outcome one = heddle({"serializable", "elle_27.edn", "--explain", "--level", "serializable"});
  EXPECT_THAT(one.out, AllOf(HasSubstr("1  line 8, process 1   append :y 2"), Not(HasSubstr("because of"))));
  const Outcome quiet = heddle({"serializable", "elle_27.edn", "--explain", "-q"});
  EXPECT_EQ(std::ranges::count(quiet.out, '\n'), 1) << quiet.out;
}

// A long order is not printed to its end; the object has it all.
TEST_F(SerializableCommand, ALongOrderIsCutOff) {
  std::string text;
  for (int i = 0; i < 100; ++i)
    text += "{:process 0, :type :ok, :f :txn, :value [[:append :x " + std::to_string(i) + "]]}\n";
  write("long.edn", text);
  EXPECT_THAT(heddle({"serializable", "long.edn", "--explain"}).out, HasSubstr("... and 70 more; --json has them all"));
  const Outcome object = heddle({"serializable", "long.edn", "--explain", "--json"});
  EXPECT_EQ(object.json().at("orders").at(0).at("events").as_array().size(), 100u);
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
    const Outcome text = heddle({"serializable", file, "--explain", "--width", "80", "--witness", "w.txt"});
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
    const Outcome json = heddle({"serializable", file, "--explain", "--json", "--no-witness"});
    EXPECT_EQ(json.code, text.code);
    EXPECT_THAT(schema.complaints(json.out), IsEmpty()) << json.out;
    expect_everything_is_explained(json.json().as_object());
    if (text.code == 1) {
      EXPECT_NE(json.json().at("anomaly"), nullptr);
    }
    const Outcome ascii = heddle({"serializable", file, "--ascii", "--explain", "--no-witness"});
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
  // Only formats that are read are offered; the manual has what the table of options says.
  const std::string manual = read(fs::path(HEDDLE_SOURCE_DIR) / "docs" / "cli.md");
  const std::size_t section = manual.find("<!-- options of serializable -->");
  ASSERT_NE(section, manual.npos);
  EXPECT_THAT(manual.substr(section, manual.find("<!-- end of options -->", section) - section),
              AllOf(HasSubstr("`--format edn\\|json`"), Not(HasSubstr("jepsen-log"))));
  write("lin.jsonl", R"({"process": 0, "type": "invoke", "f": "cas", "key": "x", "value": [1, 2]})");
  EXPECT_THAT(heddle({"serializable", "lin.jsonl"}).last_line(),
              AllOf(StartsWith("error: lin.jsonl:1:1:"), HasSubstr("heddle lin")));
  write("cut.edn", "{:process 0, :type :ok, :f :txn, :value [[:append :x 1]");
  EXPECT_THAT(heddle({"serializable", "cut.edn"}).last_line(), HasSubstr("cut off"));
}

TEST_F(SerializableCommand, TimesThatGoBackwardsAreAWarning) {
  write("back.edn",
        "{:process 0, :type :ok, :value [[:append :x 1]], :time 5}\n"
        "{:process 0, :type :ok, :value [[:r :x [1]]], :time 4}\n");
  const Outcome text = heddle({"serializable", "back.edn"});
  EXPECT_EQ(text.code, 0);
  EXPECT_THAT(
      text.out,
      HasSubstr("warning: times go backwards: the time 4 of process 0 in line 2 is before its time 5 in line 1"));
  EXPECT_THAT(heddle({"serializable", "back.edn", "--json"}).json().at("warning").as_string().c_str(),
              HasSubstr("before its time"));
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
  const Outcome large = heddle({"serializable", "bank.edn", "--total", "9223372036854775808"});
  EXPECT_EQ(large.code, 3);
  EXPECT_THAT(large.last_line(), HasSubstr("9223372036854775808 is too large"));
  const report::Schema schema(HEDDLE_SOURCE_DIR "/docs/run.schema.json");
  const Outcome json = heddle({"serializable", "bank.edn", "--total", "20", "--json"});
  EXPECT_THAT(schema.complaints(json.out), IsEmpty()) << json.out;
}

TEST_F(SerializableCommand, AMissingWitnessIsSaid) {
  fs::copy(fs::path(HEDDLE_SOURCE_DIR) / "examples" / "histories" / "bank.edn", home / "bank.edn");
  const Outcome fresh = heddle({"serializable", "bank.edn", "--total", "20"});
  EXPECT_EQ(fresh.code, 1);
  EXPECT_THAT(fresh.out, AllOf(HasSubstr("no witness is written"), Not(HasSubstr("warning"))));
  EXPECT_FALSE(fs::exists(home / "heddle-witness.edn"));
  EXPECT_THAT(heddle({"serializable", "bank.edn", "--total", "20", "--no-witness"}).out, Not(HasSubstr("witness is")));
  write("heddle-witness.edn", "{}");
  const Outcome again = heddle({"serializable", "bank.edn", "--total", "20"});
  EXPECT_THAT(again.out, HasSubstr("warning: heddle-witness.edn was there before and is not of this run"));
  EXPECT_EQ(read(home / "heddle-witness.edn"), "{}");
  const Outcome json = heddle({"serializable", "bank.edn", "--total", "20", "--json", "--no-witness"});
  EXPECT_EQ(json.json().at("warning"), nullptr);
  const Outcome warned = heddle({"serializable", "bank.edn", "--total", "20", "--json"});
  EXPECT_THAT(warned.json().at("warning").as_string().c_str(), HasSubstr("not of this run"));
}

// What was read and overwritten is an rw, and the name, the picture, the closing line and the object say the same.
TEST_F(SerializableCommand, NamesAndEdgesAgree) {
  const auto edges = [](const Outcome& run) {
    std::string out;
    const auto object = run.json();
    for (const auto& one : object.at("edges").as_array()) {
      if (!out.empty()) out += " ";
      out += std::string(one.at("kind").as_string());
    }
    return out;
  };
  write("lost.edn",
        "{:process 0, :type :ok, :f :txn, :value [[:r :y nil] [:r :x nil] [:w :x 1]]}\n"
        "{:process 1, :type :ok, :f :txn, :value [[:w :y 1] [:r :x nil] [:w :x 2]]}\n");
  const Outcome lost = heddle({"serializable", "lost.edn", "--no-witness", "--width", "200"});
  EXPECT_THAT(lost.out, AllOf(HasSubstr("T1 ──ww──▶ T2 ──rw──▶ T1\n"),
                              HasSubstr("T1 read the initial value of :x and wrote 1 right behind that, so before T2 "
                                        "wrote 2."),
                              HasSubstr("T2 read the initial value of :x, and T1 overwrote that with 1.")));
  EXPECT_THAT(lost.last_line(), HasSubstr("lost update: line 1 ww line 2 rw line 1"));
  EXPECT_EQ(edges(heddle({"serializable", "lost.edn", "--no-witness", "--json"})), "ww rw");
  write("single.edn",
        "{:process 1, :type :ok, :f :txn, :value [[:r :x nil] [:r :y 1] [:w :x 3]]}\n"
        "{:process 0, :type :ok, :f :txn, :value [[:w :x 1] [:w :y 1]]}\n");
  const Outcome single = heddle({"serializable", "single.edn", "--no-witness", "--width", "200"});
  EXPECT_THAT(single.out, AllOf(HasSubstr("T1 ──rw──▶ T2 ──wr──▶ T1\n"),
                                HasSubstr("T1 read the initial value of :x, and T2 overwrote that with 1.")));
  EXPECT_THAT(single.last_line(), HasSubstr("G-single: line 1 rw line 2 wr line 1"));
  EXPECT_EQ(edges(heddle({"serializable", "single.edn", "--no-witness", "--json"})), "rw wr");
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

// 10^8 elements: 200 MB of text. What fits into memory is read to its end and judged; what does not is no silent pass.
TEST_F(SerializableCommand, SlowAListOfAHundredMillionElements) {
  {
    std::ofstream file(home / "huge.edn", std::ios::binary);
    file << "{:process 0, :type :ok, :f :txn, :value [[:append :x 1]]}\n{:process 0, :type :ok, :f :txn, :value [[:r "
            ":x [";
    std::string block;
    for (int i = 0; i < 1'000'000; ++i) block += "1 ";
    for (int i = 0; i < 100; ++i) file << block;
    file << "]]]}\n";
  }
  const Outcome limited = heddle({"serializable", "huge.edn", "--memory", "150M"});
  EXPECT_EQ(limited.code, 2) << limited.out;
  EXPECT_THAT(limited.last_line(), StartsWith("unknown: memory limit"));
  const Outcome late = heddle({"serializable", "huge.edn", "--time", "0.05"});
  EXPECT_EQ(late.code, 2) << late.out;
  EXPECT_THAT(late.last_line(), StartsWith("unknown: time limit"));
  if (!heddle::testing::long_run()) return;
  const Outcome whole = heddle({"serializable", "huge.edn", "--no-witness", "--level", "read-uncommitted"});
  EXPECT_EQ(whole.code, 1) << whole.out;
  EXPECT_THAT(whole.last_line(), HasSubstr("not read-uncommitted: duplicate elements: line 2"));
}

}  // namespace
}  // namespace heddle::cli::serializable_test
