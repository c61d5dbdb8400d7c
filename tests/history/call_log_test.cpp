// Logs of calls: what is read and what is refused and where; every clause of the Quorum Tree; random logs against
// Theorem 8 of the thesis (tests/actor/qtree_theorem.h); long logs; what is said of a rejected call.
#include "history/call_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "actor/qtree_theorem.h"
#include "check/refinement/check_call_log.h"
#include "history/source_text.h"

namespace heddle::history::call_log_test {
namespace {

using qtree_oracle::Label;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::StartsWith;
using Kind = Answer::Kind;

std::vector<LoggedCall> read(const std::string& text) {
  LineReader lines(text, "log");
  CallLogReader log(lines);
  std::vector<LoggedCall> out;
  for (LoggedCall call; log.next(call);) out.push_back(call);
  return out;
}
std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const HistoryError& error) {
    return error.what();
  }
  return "no error";
}

TEST(CallLog, ReadsAllThereIsToACall) {
  const auto calls = read(
      "\xef\xbb\xbf{\"call\":\"add\",\"round\":1,\"value\":\"x\",\"parent\":0}\r\n"
      "  \n"
      R"({ "parent": [1, 0], "value": 7, "mode": "once", "instance": 3, "round": [2, 5], "call": "add", "time": {"at": [1]} })"
      "\n"
      R"({"call": "commit", "round": [2, 5], "mode": "implied", "instance": 3})"
      "\n"
      R"({"call": "decided", "process": "p\u0031", "round": 1, "value": null})"
      "\n"
      R"({"call": "decided", "process": 4, "round": 1, "value": "a\"b\\\u00e9"})");
  ASSERT_EQ(calls.size(), 5u);
  EXPECT_EQ(calls[0].text(), R"(add(1, "x", 0))");
  EXPECT_EQ(calls[0].line, 1u);
  EXPECT_EQ(calls[1].text(), "add(2.5, 7, 1, once, instance 3)");
  EXPECT_EQ(calls[1].line, 3u);
  EXPECT_EQ(calls[2].text(), "commit(2.5, implied, instance 3)");
  EXPECT_EQ(calls[3].text(), "decided(1, null)");
  EXPECT_EQ(calls[3].process, "\"p1\"");
  EXPECT_EQ(calls[4].value.json, "\"a\\\"b\\\\é\"");
  EXPECT_EQ(calls[4].process, "4");
}

// A call says everything itself; nothing of the one before it stays.
TEST(CallLog, WhatIsLeftOutIsTheDefaultAgain) {
  const auto calls = read(R"({"call": "commit", "round": [2, 5], "mode": "once", "instance": 3})"
                          "\n"
                          R"({"call": "commit", "round": 2})");
  EXPECT_EQ(calls[1].text(), "commit(2)");
}

TEST(CallLog, FieldsThatACallDoesNotHaveAreNamed) {
  LineReader lines(R"({"call": "commit", "round": 1, "value": "x", "time": 3, "node": {"call": "add"}})", "log");
  CallLogReader log(lines);
  LoggedCall call;
  EXPECT_TRUE(log.next(call));
  EXPECT_THAT(log.left_out(), ElementsAre("node", "time", "value"));
}

TEST(CallLog, WhatCannotBeReadIsAnErrorWithItsPlaceAndARemedy) {
  const std::pair<std::string, std::vector<std::string>> table[] = {
      {"x", {"log:1:1: malformed JSON"}},
      {"\n\n{\"call\": \"add\", \"round\" 1}", {"log:3:25: malformed JSON"}},
      {"{\"call\": \"commit\", \"round\": 1", {"log:1:1: ", "does not end on its line"}},
      {"[{\"call\": \"commit\", \"round\": 1}]", {"log:1:1: ", "jq -c '.[]'"}},
      {"7", {"log:1:", "a call is an object"}},
      {"\"é\" ", {"log:1:", "a call is an object"}},
      {"null", {"log:1:", "a call is an object"}},
      {"{}", {"log:1:", "no \"call\""}},
      {R"({"call": 3})", {"\"call\" is \"add\", \"commit\" or \"decided\""}},
      {R"({"call": "accept"})", {"log:1:", "no call \"accept\""}},
      {R"({"call": "add", "round": 1, "value": "x"})", {"\"parent\" is missing", "\"parent\": 1"}},
      {R"({"call": "add", "parent": 1, "value": "x"})", {"\"round\" is missing"}},
      {R"({"call": "add", "parent": 1, "round": 2})", {"\"value\" is missing"}},
      {R"({"call": "commit"})", {"\"round\" is missing"}},
      {R"({"call": "decided", "round": 2})", {"\"value\" is missing"}},
      {R"({"call": "commit", "round": -1})", {"\"round\" is a number from 0"}},
      {R"({"call": "commit", "round": 1.5})", {"\"round\" is a number from 0"}},
      {R"({"call": "commit", "round": "1"})", {"\"round\" is a number from 0"}},
      {R"({"call": "commit", "round": [1]})", {"[term, index]"}},
      {R"({"call": "commit", "round": [1, 2, 3]})", {"[term, index]"}},
      {R"({"call": "commit", "round": [1, [2]]})", {"[term, index]"}},
      {R"({"call": "commit", "round": [1, -2]})", {"[term, index]"}},
      {R"({"call": "commit", "round": {}})", {"\"round\" is a number from 0"}},
      {R"({"call": "commit", "round": null})", {"\"round\" is a number from 0"}},
      {R"({"call": "commit", "round": 9223372036854775807})", {"\"round\" is a number from 0"}},
      {R"({"call": "commit", "round": 18446744073709551615})", {"too large"}},
      {R"({"call": "commit", "round": 1, "round": 1})", {"log:1:", "\"round\" is here twice"}},
      {R"({"call": "commit", "round": 1, "instance": -1})", {"an instance is a number from 0"}},
      {R"({"call": "commit", "round": 1, "instance": "a"})", {"\"instance\" is the sequence number"}},
      {R"({"call": "commit", "round": 1, "mode": "twice"})", {"\"strict\", \"once\""}},
      {R"({"call": "add", "round": 1, "value": 1, "parent": 0, "mode": "implied"})", {"is for commits"}},
      {R"({"call": "add", "round": 1, "value": ["x"], "parent": 0})", {"write anything else as a string"}},
      {R"({"call": "add", "round": 1, "value": {"x": 1}, "parent": 0})", {"write anything else as a string"}},
      {R"({"call": "add", "round": 1, "value": 0.5, "parent": 0})", {"no number with a fraction"}},
      {R"({"call": "decided", "round": 1, "value": 0, "process": true})", {"\"process\" is a string or an integer"}},
      {R"({"call": "commit", "round": 1} {"call": "commit", "round": 2})", {"log:1:32: something follows"}},
      {"{\"call\": \"commit\", \"round\": 1, \"a\": \"\xff\"}", {"log:1:", "malformed JSON"}},
  };
  for (const auto& [text, parts] : table) {
    const std::string error = error_of(text);
    EXPECT_THAT(error, StartsWith("log:")) << text;
    for (const std::string& part : parts) EXPECT_THAT(error, HasSubstr(part)) << text;
  }
}

// --- Lines.

TEST(LineReader, ReadsAFileInBlocksAsItReadsText) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("heddle-lines-" + std::to_string(::getpid()));
  std::string text;
  for (int i = 0; i < 300000; ++i)
    text += std::string(static_cast<std::size_t>(i % 17), 'x') + std::to_string(i) + "\n";
  text += std::string(3 << 20, 'y') + "\nlast";  // longer than a block
  std::ofstream(path, std::ios::binary) << text;
  LineReader file(path.string()), whole(text, "text");
  std::string_view a, b;
  std::size_t lines = 0;
  while (whole.next(b)) {
    ASSERT_TRUE(file.next(a));
    ASSERT_EQ(a, b);
    ++lines;
  }
  EXPECT_FALSE(file.next(a));
  EXPECT_EQ(lines, 300002u);
  EXPECT_EQ(file.number(), lines);
  std::filesystem::remove(path);
}

TEST(LineReader, SaysWhatCannotBeRead) {
  EXPECT_THROW(LineReader("/there/is/no/such/file"), HistoryError);
  EXPECT_THROW(LineReader("/"), HistoryError);
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("heddle-long-" + std::to_string(::getpid()));
  std::ofstream(path, std::ios::binary) << "\n" << std::string(LineReader::longest_line + (2 << 20), 'x');
  LineReader file(path.string());
  std::string_view line;
  EXPECT_TRUE(file.next(line));
  try {
    file.next(line);
    FAIL() << "no error";
  } catch (const HistoryError& error) {
    EXPECT_THAT(error.what(), HasSubstr(":2:1: this line is longer than 16 MiB"));
  }
  std::filesystem::remove(path);
}

// --- Verdicts.

struct Verdict {
  std::uint64_t line = 0;  // of the rejected call; 0: none
  Answer answer;
  std::vector<std::pair<std::uint64_t, std::string>> earlier;
  std::string trees;  // if none was
};
Verdict verdict(const std::string& text, LoggedTree tree = {}) {
  LineReader lines(text, "log");
  CallLogReader log(lines);
  CallLogChecker checker(std::move(tree));
  for (LoggedCall call; log.next(call);) {
    if (Answer answer = checker.make(call); answer.kind == Kind::rejected) {
      return {call.line, std::move(answer), checker.earlier(call), ""};
    }
  }
  return {0, {}, {}, checker.trees_json()};
}
std::string add(int round, const std::string& value, int parent, const std::string& more = "") {
  return "{\"call\": \"add\", \"round\": " + std::to_string(round) + ", \"value\": \"" + value +
         "\", \"parent\": " + std::to_string(parent) + more + "}\n";
}
std::string commit(int round, const std::string& more = "") {
  return "{\"call\": \"commit\", \"round\": " + std::to_string(round) + more + "}\n";
}
std::string decided(int round, const std::string& value) {
  return "{\"call\": \"decided\", \"process\": \"p\", \"round\": " + std::to_string(round) + ", \"value\": \"" + value +
         "\"}\n";
}

TEST(CallLogChecker, NamesTheClauseThePropertyTheLineAndWhatIsInTheWay) {
  struct Expectation {
    std::string log, clause, property;
    std::uint64_t line;
    std::vector<std::pair<std::uint64_t, std::string>> earlier;
  };
  const std::string mode = ", \"mode\": \"once\"";
  const Expectation table[] = {
      {add(1, "x", 0) + add(3, "x", 2), "link", "P3", 2, {}},
      {add(1, "x", 0) + add(2, "x", 0) + add(2, "x", 2), "link", "P3", 3, {{2, "add(2, \"x\", 0)"}}},
      {add(1, "x", 0) + add(1, "y", 0), "newRound", "P1", 2, {{1, "add(1, \"x\", 0)"}}},
      {add(1, "x", 0) + add(1, "y", 0, mode), "newRound", "P1", 2, {{1, "add(1, \"x\", 0)"}}},
      {add(1, "x", 0) + commit(1) + add(2, "y", 0),
       "extendsTrunk",
       "P4",
       3,
       {{1, "add(1, \"x\", 0)"}, {2, "commit(1)"}}},
      {add(1, "x", 0) + add(2, "y", 1), "valueConstraint", "P3a", 2, {{1, "add(1, \"x\", 0)"}}},
      {commit(1), "not-ADDED", "P2", 1, {}},
      {add(1, "x", 0) + commit(1) + commit(1), "not-ADDED", "P1", 3, {{1, "add(1, \"x\", 0)"}, {2, "commit(1)"}}},
      {add(1, "x", 0) + add(2, "y", 0) + commit(1),
       "not-ADDED",
       "P4",
       3,
       {{1, "add(1, \"x\", 0)"}, {2, "add(2, \"y\", 0)"}}},
      {add(1, "x", 0) + decided(1, "x"), "decided", "O1", 2, {{1, "add(1, \"x\", 0)"}}},
      {decided(1, "x"), "decided", "O1", 1, {}},
      {add(1, "x", 0) + commit(1) + decided(1, "y"), "decided", "O1", 3, {{1, "add(1, \"x\", 0)"}, {2, "commit(1)"}}},
  };
  for (const Expectation& e : table) {
    const Verdict found = verdict(e.log);
    EXPECT_EQ(found.line, e.line) << e.log;
    EXPECT_EQ(found.answer.clause, e.clause) << e.log;
    EXPECT_EQ(found.answer.property, e.property) << e.log;
    EXPECT_EQ(found.earlier, e.earlier) << e.log;
  }
  LoggedTree clients;
  clients.clients = {{"\"x\""}};
  EXPECT_EQ(verdict(add(1, "x", 0) + add(2, "y", 0), clients).answer.clause, "client");
  EXPECT_EQ(verdict(add(1, "x", 0) + add(2, "y", 0), clients).answer.property, "O2");
}

TEST(CallLogChecker, ModesInstancesAndVariants) {
  const std::string once = ", \"mode\": \"once\"", implied = ", \"mode\": \"implied\"", other = ", \"instance\": 9";
  EXPECT_EQ(verdict(add(1, "x", 0) + add(1, "x", 0, once) + commit(1, once) + commit(1, once)).line, 0u);
  EXPECT_EQ(verdict(add(1, "x", 0) + add(3, "x", 1) + add(2, "x", 0) + commit(3) + commit(1, implied)).line, 0u);
  EXPECT_EQ(verdict(add(1, "x", 0) + add(3, "x", 1) + add(2, "x", 0) + commit(3) + commit(1, once)).line, 5u);
  EXPECT_EQ(verdict(add(1, "x", 0) + add(1, "y", 0, other) + commit(1) + commit(1, other)).line, 0u);
  EXPECT_EQ(verdict(add(1, "x", 0) + commit(1) + add(2, "y", 1)).line, 3u);
  EXPECT_EQ(verdict(add(1, "x", 0) + commit(1) + add(2, "y", 1), {.same_value = false}).line, 0u);
  // A counterexample to the algorithm as printed in Cirisci's thesis: it accepts the last call and demotes
  // committed node 1.
  const std::string demoted = add(1, "v", 0) + add(3, "v", 1) + commit(1) + commit(3) + add(2, "w", 0);
  EXPECT_EQ(verdict(demoted).line, 5u);
  EXPECT_EQ(verdict(demoted, {.spec = LoggedTree::Spec::literal}).line, 0u);
}

// What was decided below something committed was not committed itself, and a correct process may say so late.
TEST(CallLogChecker, DecisionsOnTheWayToSomethingCommitted) {
  std::string log;
  for (int r = 1; r <= 50; ++r) log += add(r, "x", r - 1);
  log += commit(30);
  for (int r = 1; r <= 30; ++r) log += decided(r, "x");
  EXPECT_EQ(verdict(log).line, 0u);
  EXPECT_EQ(verdict(log + decided(31, "x")).line, 82u);
  // A ghost beside what is committed, and one on the way to it.
  const std::string ghosts = add(1, "x", 0) + add(3, "x", 1) + add(2, "x", 0) + commit(3);
  EXPECT_EQ(verdict(ghosts + decided(1, "x")).line, 0u);
  EXPECT_EQ(verdict(ghosts + decided(2, "x")).line, 5u);
}

RC_GTEST_PROP(CallLogChecker, RejectsTheFirstCallThatTheoremEightDoes, ()) {
  const bool same_value = *rc::gen::arbitrary<bool>();
  std::map<int, std::vector<Label>> accepted;  // by instance
  std::string log;
  std::optional<int> broken;
  std::uint64_t line = 0;
  const auto steps = *rc::gen::inRange(1, 120);
  for (int i = 0; i < steps && !broken; ++i) {
    const int instance = *rc::gen::inRange(0, 3);
    auto& labels = accepted[instance];
    Label label{*rc::gen::inRange(0, 6) == 0, *rc::gen::inRange(1, 14), *rc::gen::inRange(1, 3), 0};
    if (!labels.empty() && *rc::gen::inRange(0, 8) != 0) {
      const Label& earlier = labels[*rc::gen::inRange<std::size_t>(0, labels.size())];
      if (!earlier.is_commit) label.parent = label.is_commit ? 0 : earlier.round;
      if (*rc::gen::inRange(0, 6) != 0) label.value = earlier.value;
      if (label.is_commit && *rc::gen::inRange(0, 4) != 0) label.round = earlier.round;
    }
    labels.push_back(label);
    broken = qtree_oracle::broken(labels, same_value);
    // Mostly without the call that breaks it, so that trees grow before one does.
    if (broken && *rc::gen::inRange(0, 20) != 0) {
      labels.pop_back();
      broken.reset();
      continue;
    }
    const std::string more = ", \"instance\": " + std::to_string(instance);
    log +=
        label.is_commit ? commit(label.round, more) : add(label.round, std::to_string(label.value), label.parent, more);
    ++line;
  }
  const Verdict found = verdict(log, {.same_value = same_value});
  RC_ASSERT(found.line == (broken ? line : 0));
  // Lemma 8.
  if (!broken) {
    std::map<int, std::map<int, char>> statuses;
    const boost::json::value trees = boost::json::parse(found.trees);
    for (const auto& node : trees.as_array()) {
      const auto* instance = node.as_object().if_contains("instance");
      const std::string round(node.at("round").as_string());
      statuses[instance == nullptr ? 0 : static_cast<int>(instance->as_int64())][std::stoi(round)] =
          node.at("status").as_string()[0];
    }
    for (const auto& [instance, labels] : accepted) RC_ASSERT(statuses[instance] == qtree_oracle::statuses(labels));
  }
  RC_TAG(broken ? "rejected" : "accepted");
}

// Each of these takes hours if a call looks at all rounds before it.
TEST(CallLogChecker, LongLogsTakeConstantTimeForEachCall) {
  constexpr long rounds = 1000000;
  const auto call = [](LoggedCall::Kind kind, Round round, Round parent, long instance = 0) {
    return LoggedCall{kind, round, parent, {"1"}, {Repeat::strict, instance}, "", 1};
  };
  using enum LoggedCall::Kind;
  {
    CallLogChecker nothing_found({});
    for (long r = 1; r <= rounds; ++r) ASSERT_EQ(nothing_found.make(call(Add, {r}, {})).kind, Kind::accepted);
    EXPECT_EQ(nothing_found.counts().at("ghosts"), static_cast<std::uint64_t>(rounds - 1));
  }
  {
    CallLogChecker one_commit({});
    for (long r = 1; r <= rounds; ++r) one_commit.make(call(Add, {1, r}, r == 1 ? Round{} : Round{1, r - 1}));
    EXPECT_EQ(one_commit.make(call(Commit, {1, rounds}, {})).kind, Kind::accepted);
    for (long r = 1; r <= rounds; ++r) ASSERT_EQ(one_commit.make(call(Decided, {1, r}, {})).kind, Kind::accepted);
  }
  {
    CallLogChecker instances({});
    for (long r = 1; r <= 3; ++r) {
      for (long i = 0; i < rounds / 3; ++i) {
        ASSERT_EQ(instances.make(call(Add, {r}, {r - 1}, i)).kind, Kind::accepted);
        ASSERT_EQ(instances.make(call(Commit, {r}, {}, i)).kind, Kind::accepted);
      }
    }
    EXPECT_EQ(instances.instances(), static_cast<std::uint64_t>(rounds / 3));
  }
}

TEST(CallLogChecker, OfALargeTreeThePartAroundTheCallIsShown) {
  CallLogChecker checker({});
  std::string log;
  for (int r = 1; r <= 1000; ++r) log += add(r, "x", r - 1);
  log += commit(500);
  LineReader lines(log, "log");
  CallLogReader reader(lines);
  LoggedCall call;
  while (reader.next(call)) checker.make(call);
  const LoggedCall rejected{LoggedCall::Kind::Add, {1001}, {7}, {"\"x\""}, {}, "", 1002};
  ASSERT_EQ(checker.make(rejected).kind, Kind::rejected);
  EXPECT_THAT(checker.earlier(rejected),
              ElementsAre(Pair(7, "add(7, \"x\", 6)"), Pair(500, "add(500, \"x\", 499)"), Pair(1001, "commit(500)")));
  std::map<std::string, std::string> parents;
  const boost::json::value part = boost::json::parse(checker.tree_json(rejected, 9));
  for (const auto& node : part.as_array()) {
    parents[std::string(node.at("round").as_string())] = std::string(node.at("parent").as_string());
  }
  EXPECT_EQ(parents.size(), 9u);
  for (const char* round : {"7", "500", "1000"}) EXPECT_TRUE(parents.contains(round)) << round;
  EXPECT_EQ(parents.at("5"), "0");
  EXPECT_EQ(parents.at("7"), "6");
  EXPECT_EQ(parents.at("499"), "8");
  EXPECT_EQ(boost::json::parse(checker.tree_json(rejected)).as_array().size(), 1000u);
  EXPECT_EQ(boost::json::parse(checker.trees_json()).as_array().size(), 1000u);
}

TEST(CallLogChecker, StopsBeforeItUsesMemoryItDoesNotHave) {
  Limits limits;
  limits.bytes = 1 << 20;
  Budget budget(limits);
  CallLogChecker checker({}, &budget);
  long round = 1;
  EXPECT_THROW(
      {
        for (; round < 100000; ++round) {
          checker.make({LoggedCall::Kind::Add, {round}, {}, {"1"}, {}, "", 1});
        }
      },
      CheckingStopped);
  EXPECT_GT(round, 1000);
}

}  // namespace
}  // namespace heddle::history::call_log_test
