// What an answer of `heddle explain` says: how many executions it compared, what each repair costs, what was verified;
// in words and as JSON.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <string>
#include <vector>

#include "cli/explain_program.h"
#include "report/schema.h"

namespace heddle::cli::explain_answer_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

using ExplainAnswer = ExplainTest;

const std::vector<std::string> one_client = {"queue.cpp", "--client", "push(0) | push(0); push(0)"};

std::vector<std::string> with(std::vector<std::string> all, const std::vector<std::string>& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

// The queue with accesses that race, and one in which threads wait for each other.
std::string racing_queue() {
  std::string out = failing_queue;
  for (std::size_t at; (at = out.find("std::atomic<int>")) != out.npos;) out.replace(at, 16, "int");
  for (const auto& [from, to] : {std::pair<std::string, std::string>{".load()", ""},
                                 {".store(value)", " = value"},
                                 {".store(tail + 1)", " = tail + 1"},
                                 {".store(head + 1)", " = head + 1"}}) {
    for (std::size_t at; (at = out.find(from)) != out.npos;) out.replace(at, from.size(), to);
  }
  return out;
}
const char* const crossed_locks = R"(#include <heddle/native.h>
#include <mutex>
class Pair {
  std::mutex a_, b_;
  int x_ = 0;
 public:
  int first() { std::lock_guard a(a_); std::lock_guard b(b_); return ++x_; }
  int second() { std::lock_guard b(b_); std::lock_guard a(a_); return ++x_; }
};
HEDDLE_HARNESS(Pair, first, second)
)";

// A ring of threads with two conflicts from each to the next, in the lines 10, 11 and 50, 51 of each; with one of them
// only, it is the execution `which`.
std::string ring(int threads, int which = -1) {
  std::string out = "{\"execution\": 1}\n";
  for (int t = 0; t < threads; ++t) {
    out += fmt::format(R"({{"event": "call", "thread": {0}, "invocation": {0}, "function": "f{0}"}})", t) + "\n";
  }
  for (const char* kind : {"write", "read"}) {
    const bool writes = kind == std::string("write");
    for (int i = 0; i < 2; ++i) {
      for (int t = 0; t < threads && (which < 0 || which == i); ++t) {
        out +=
            fmt::format(
                R"({{"event": "{}", "thread": {}, "invocation": {}, "address": {}, "file": "ring.cpp", "line": {}}})",
                kind, t, t, 1000 * (writes ? t : (t + threads - 1) % threads) + i, (writes ? 10 : 50) + i) +
            "\n";
      }
    }
  }
  return out;
}

TEST_F(ExplainAnswer, SaysHowManyOfHowManyExecutionsWereCompared) {
  write("queue.cpp", failing_queue);
  const auto all = explain(with(one_client, {"--json"})).json();
  const std::string bad = json_text(all.at("bad_executions")), good = json_text(all.at("good_executions"));
  EXPECT_THAT(bad + good, Not(HasSubstr("of"))) << "there is room for all";
  const std::vector<std::string> sampled = with(one_client, {"--executions", "2", "--seed", "7", "--no-verify"});
  const auto json = explain(with(sampled, {"--json"})).json();
  EXPECT_EQ(json_text(json.at("bad_executions")), "2 of " + bad);
  EXPECT_EQ(json_text(json.at("good_executions")), "2 of " + good);
  EXPECT_THAT(explain(sampled).out,
              HasSubstr(fmt::format("2 of {} bad and 2 of {} good executions were compared", bad, good)));
  // A seed gives one sample.
  const auto written = [&](const char* seed) {
    explain(with(one_client, {"--executions", "2", "--seed", seed, "--no-verify", "--write-bad", "some.jsonl"}));
    return read(home / "some.jsonl");
  };
  EXPECT_EQ(written("7"), written("7"));
  EXPECT_NE(written("7"), written("8"));
  // The same of executions from elsewhere.
  explain(with(one_client, {"--no-verify", "--write-bad", "bad.jsonl", "--write-good", "good.jsonl"}));
  EXPECT_THAT(explain({"--bad", "bad.jsonl", "--good", "good.jsonl", "--executions", "2"}).out,
              HasSubstr(fmt::format("2 of {} bad and 2 of {} good executions were compared", bad, good)));
}

TEST_F(ExplainAnswer, SaysWhatFurtherRepairsCost) {
  write("bad.jsonl", ring(3));
  write("good.jsonl", ring(3, 0));
  const std::vector<std::string> ranked = {"--bad", "bad.jsonl", "--good", "good.jsonl", "--width", "100"};
  expect_golden("explain_others", explain(ranked).out);
  expect_golden("explain_all_repairs", explain(with(ranked, {"--all-repairs"})).out);
  // The repair that does not hold line 10 of some thread together with its line 50 leaves the good execution possible.
  const auto json = explain(with(ranked, {"--json"})).json();
  const auto& repairs = json.at("repairs").as_array();
  ASSERT_EQ(repairs.size(), 8u);
  for (const auto& repair : repairs) {
    bool holds_all = true;
    for (const auto& block : repair.at("blocks").as_array()) {
      holds_all &= block.at("first_line").to_number<int>() <= 10 && block.at("last_line").to_number<int>() >= 50;
    }
    EXPECT_EQ(repair.at("excluded_good").to_number<int>(), holds_all ? 1 : 0);
  }
  EXPECT_EQ(repairs.back().at("excluded_good").to_number<int>(), 1) << "what costs more comes later";
}

TEST_F(ExplainAnswer, SaysThatARepairWasNotTried) {
  write("queue.cpp", failing_queue);
  const Outcome outcome = explain(with(one_client, {"--no-verify"}));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("Whether it suffices was not verified."), Not(HasSubstr("With it, no run")),
                                 Not(HasSubstr("trying"))));
  EXPECT_THAT(outcome.last_line(), HasSubstr("should be atomic; not verified; "));
  const auto json = explain(with(one_client, {"--no-verify", "--json"})).json();
  for (const auto& repair : json.at("repairs").as_array()) {
    EXPECT_FALSE(repair.at("verified").as_bool());
    EXPECT_EQ(json_text(repair.at("standing")), "not tried");
  }
  EXPECT_EQ(json.at("verified_clients").to_number<int>(), 0);
}

TEST_F(ExplainAnswer, HasTheFieldsOfTheSchema) {
  const report::Schema schema(HEDDLE_SOURCE_DIR "/docs/run.schema.json");
  write("queue.cpp", failing_queue);
  write("racing.cpp", racing_queue());
  write("crossed.cpp", crossed_locks);
  write("ring.jsonl", ring(3));
  ASSERT_EQ(heddle({"check", "queue.cpp"}).code, 1);
  const std::pair<std::vector<std::string>, int> runs[] = {
      {{"queue.cpp"}, 1},
      {with(one_client, {"--no-verify"}), 1},
      {{"queue.cpp", "--client", "push(1) | pop()"}, 0},
      {{"racing.cpp"}, 1},
      {{"crossed.cpp"}, 1},
      {{"heddle-trace.json"}, 1},
      {{"--bad", "ring.jsonl"}, 1},
      {{"--bad", "ring.jsonl", "--history"}, 1},
      {{"queue.cpp", "--time", "0.001"}, 2},
      {{"none.cpp"}, 3},
  };
  for (const auto& [arguments, code] : runs) {
    const Outcome run = explain(with(arguments, {"--json"}));
    EXPECT_EQ(run.code, code) << run.out;
    EXPECT_THAT(schema.complaints(run.out), IsEmpty()) << run.out;
  }
}

// Whatever it is that fails.
TEST_F(ExplainAnswer, IsWhatTheLastWordsOfACheckName) {
  write("queue.cpp", failing_queue);
  write("racing.cpp", racing_queue());
  write("crossed.cpp", crossed_locks);
  write("aborts.cpp", R"(#include <cassert>
#include <heddle/native.h>
struct Aborts { int f(int x) { assert(x == 0); return x; } };
HEDDLE_HARNESS(Aborts, f)
)");
  for (const auto& [file, property] : {std::pair<std::string, std::string>{"queue.cpp", "linearizability"},
                                       {"racing.cpp", "race"},
                                       {"crossed.cpp", "deadlock"},
                                       {"aborts.cpp", "assertion"}}) {
    const Outcome outcome = heddle({"check", file});
    EXPECT_EQ(outcome.code, 1) << outcome.out;
    EXPECT_THAT(outcome.last_line(), StartsWith("violated: " + property));
    const std::string before = outcome.out.substr(0, outcome.out.rfind(outcome.last_line()));
    EXPECT_THAT(before, testing::EndsWith("which code should have been atomic: heddle explain " + file + "\n"));
    EXPECT_EQ(explain({file}).code, 1) << "and that command is right";
  }
}

// A template is written once: a block of it stands for all that is made of it.
TEST_F(ExplainAnswer, HasOneBlockForAllInstantiationsOfATemplate) {
  write("cells.cpp", R"(#include <atomic>
#include <heddle/native.h>
template <class T>
class Cell {
 public:
  int add() {
    const T old = value_.load();
    value_.store(old + 1);
    return static_cast<int>(old);
  }
 private:
  std::atomic<T> value_{0};
};
class Cells {
 public:
  int small() { return small_.add(); }
  int large() { return large_.add(); }
 private:
  Cell<int> small_;
  Cell<long> large_;
};
using IntCell = Cell<int>;
#ifdef ALONE
HEDDLE_HARNESS(IntCell, add)
#else
HEDDLE_HARNESS(Cells, small, large)
#endif
)");
  const auto alone = explain({"cells.cpp", "--json", "--", "-DALONE"}).json();
  EXPECT_EQ(blocks_of(alone.at("repairs").at(0)), "add:7-8");
  // What a method calls counts at its own statement.
  const auto both = explain({"cells.cpp", "--json"}).json();
  EXPECT_EQ(blocks_of(both.at("repairs").at(0)), "small:16,large:17");
  EXPECT_EQ(json_text(both.at("repairs").at(0).at("standing")), "verified");
  ASSERT_EQ(heddle({"check", "cells.cpp"}).code, 1);
  const Outcome checked = heddle({"check", "cells.cpp", "--atomic", "add:7-8"});
  EXPECT_EQ(checked.code, 0) << checked.out << checked.err;
}

}  // namespace
}  // namespace heddle::cli::explain_answer_test
