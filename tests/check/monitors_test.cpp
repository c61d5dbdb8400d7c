#include "check/monitors/monitor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <sstream>

#include "check/check_history.h"
#include "check/small_histories.h"
#include "support/long_histories.h"

namespace heddle::monitors_test {
namespace {

using small::Generator;
using small::Type;
using ::testing::ElementsAre;

std::optional<MonitorResult> run(const Specification& specification, const RecordedHistory& history) {
  std::vector<std::uint32_t> part(history.operations.size());
  std::iota(part.begin(), part.end(), 0U);
  Budget budget;
  return monitor(specification, history, part, budget);
}
std::optional<MonitorResult> run(std::string_view specification, const RecordedHistory& history) {
  return run(*find_specification(specification), history);
}

struct Tally {
  std::size_t holds = 0, violated = 0, none = 0;
  std::map<std::string, std::size_t> reasons;  // without the values
};

std::string without_numbers(std::string text) {
  std::erase_if(text, [](char c) { return c >= '0' && c <= '9'; });
  return text.substr(0, 45);
}

// Compares the monitor with the checker that tries everything. Stops at the first difference.
Tally compare(Type type, const Generator::Options& options, std::uint64_t seed, int histories) {
  Generator generator(type, options, seed);
  Tally tally;
  RecordedHistory recorded;
  for (int i = 0; i < histories && !::testing::Test::HasFailure(); ++i) {
    const small::History history = generator.next();
    std::vector<std::size_t> indices;
    small::record(type, history, recorded, indices);
    const auto result = run(small::names(type).specification, recorded);
    if (!result) {
      ++tally.none;
      continue;
    }
    const bool expected = small::BruteForce(type, history).linearizable();
    EXPECT_EQ(result->verdict, expected ? Verdict::Holds : Verdict::Violated)
        << show(history) << "\nhistory " << i << ": " << result->reason;
    ++(expected ? tally.holds : tally.violated);
    if (expected) continue;

    // The culprits are enough: alone they are not linearizable either.
    ++tally.reasons[without_numbers(result->reason)];
    std::vector<bool> kept(history.operations.size());
    for (std::size_t k = 0; k < kept.size(); ++k) {
      kept[k] = std::ranges::binary_search(result->culprits, static_cast<std::uint32_t>(indices[k]));
    }
    EXPECT_FALSE(small::BruteForce(type, restrict_to(history, kept)).linearizable())
        << show(history) << "\nhistory " << i << ", culprits of: " << result->reason << "\n"
        << show(restrict_to(history, kept));
  }
  return tally;
}

// Whether the answer is complete, or outcomes of removals make a difference.
bool always_answers(Type type) { return type == Type::Register || type == Type::Set || type == Type::Mutex; }

class MonitorDifferential : public ::testing::TestWithParam<Type> {};

TEST_P(MonitorDifferential, CompleteHistories) {
  const Tally tally = compare(GetParam(), {.most = 10}, 1, 120000);
  EXPECT_GT(tally.holds, 20000U);
  EXPECT_GT(tally.violated, 10000U);
  EXPECT_EQ(tally.none, 0U);
  for (const auto& [reason, count] : tally.reasons) {
    EXPECT_FALSE(reason.empty());
    RecordProperty(reason, static_cast<int>(count));
  }
}

TEST_P(MonitorDifferential, UnknownOutcomesSlow) {
  const Tally tally = compare(GetParam(), {.most = 10, .unknown = true}, 2, 120000);
  EXPECT_GT(tally.holds, 20000U);
  EXPECT_GT(tally.violated, 5000U);
  EXPECT_LT(tally.none, always_answers(GetParam()) ? 1U : 300U);
}

TEST_P(MonitorDifferential, ManyProcessesSlow) {
  const Tally tally = compare(GetParam(), {.least = 6, .most = 12, .processes = 6}, 3, 50000);
  EXPECT_GT(tally.holds, 5000U);
  EXPECT_GT(tally.violated, 5000U);
  EXPECT_EQ(tally.none, 0U);
}

TEST(MonitorOfSets, ValuesMayComeAndGoSlow) {
  for (const bool unknown : {false, true}) {
    const Tally tally = compare(Type::Set, {.most = 11, .unknown = unknown, .repeated = true}, 4, 120000);
    EXPECT_GT(tally.holds, 10000U);
    EXPECT_GT(tally.violated, 5000U);
    EXPECT_EQ(tally.none, 0U);
  }
}

// Histories too long to try everything, against search; some answers change places in half of them.
class MonitorOnLongerHistories : public ::testing::TestWithParam<Type> {};

TEST_P(MonitorOnLongerHistories, AgreesWithSearchSlow) {
  const std::string_view name = small::names(GetParam()).specification;
  std::mt19937_64 random(6);
  std::size_t holds = 0, violated = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    RecordedHistory history;
    long_histories::generate(history, long_histories::workload(name), 14 + i % 12, i);
    for (int changes = i % 2 == 0 ? 6 : 0; changes > 0; --changes) {
      RecordedOperation& a = history.operations[random() % history.operations.size()];
      RecordedOperation& b = history.operations[random() % history.operations.size()];
      if (a.function == b.function) std::swap(a.result, b.result);
    }
    HistoryCheckOptions options;
    options.method = HistoryCheckOptions::Method::Wgl;
    options.limits.bytes = std::size_t{50} << 20;  // what search cannot do in that it is not asked
    const HistoryResult searched = check_history(history, *find_specification(name), options);
    if (searched.verdict == Verdict::Unknown) continue;
    const auto result = run(name, history);
    ASSERT_TRUE(result);
    ASSERT_EQ(result->verdict, searched.verdict) << "history " << i << ": " << result->reason;
    ++(searched.verdict == Verdict::Holds ? holds : violated);
  }
  EXPECT_GT(holds, 400U);
  EXPECT_GT(violated, 50U);
}

// Lines "process function [argument]" and "process ok [result]"; "fail" and "unknown" too.
void parse(std::string_view lines, RecordedHistory& history) {
  std::map<std::string, std::size_t> open;
  std::istringstream in{std::string(lines)};
  const auto value = [&](const std::string& word) -> Value {
    if (word.empty()) return nil;
    if (word == "true" || word == "false") return history.values.boolean(word == "true");
    if (word[0] == '"') return history.values.text(word.substr(1, word.size() - 2));
    return history.values.integer(std::stoll(word));
  };
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string process, what, operand;
    words >> process >> what >> operand;
    if (what == "ok" || what == "fail" || what == "unknown") {
      const Outcome outcome = what == "ok" ? Outcome::Ok : what == "fail" ? Outcome::Failed : Outcome::Unknown;
      history.complete(open.at(process), outcome, value(operand));
    } else if (!what.empty()) {
      open[process] = history.invoke(history.process(process), history.name(what), no_key, value(operand));
    }
  }
}

struct Example {
  const char* specification;
  const char* history;
  std::vector<std::uint32_t> culprits;
  const char* reason;
};

class MonitorReason : public ::testing::TestWithParam<Example> {};

TEST_P(MonitorReason, NamesTheCulprits) {
  RecordedHistory history;
  parse(GetParam().history, history);
  const auto result = run(GetParam().specification, history);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->verdict, Verdict::Violated);
  EXPECT_EQ(result->culprits, GetParam().culprits);
  EXPECT_EQ(result->reason, GetParam().reason);
}

const Example examples[] = {
    {"register", "a read\na ok 3", {0}, "read returned 3, which was never written"},
    {"register", "a read\na ok 3\nb write 3\nb ok", {0, 1}, "read of 3 returned before write of 3 was invoked"},
    {"register",
     "a put 1\na ok\nb put 2\nb ok\na get\na ok 1",
     {0, 1, 2},
     "write of 1 returned before write of 2 started, yet write of 2 returned before read of 1 started"},
    {"register",
     "a write 1\na ok\nb read\nb ok",
     {0, 1},
     "write of 1 returned before read of null started, which is the initial value"},
    {"set",
     "a add 3\na ok true\nb contains 3\nb ok false",
     {0, 1},
     "contains of 3 returned false, but 3 was in the set the whole time: no remove of it is left that can have "
     "happened by then"},
    {"set",
     "a add 3\na ok true\nb add 3\nb ok true",
     {0, 1},
     "add of 3 returned true, but 3 was in the set already: no remove of it is left that can have happened by then"},
    {"mutex",
     "a acquire\na ok\nb acquire\nb ok true",
     {0, 1},
     "acquire returned true, but the mutex was held already: no release is left that can have happened by then"},
    {"queue", "a dequeue\na ok 7", {0}, "dequeue returned 7, which was never enqueued"},
    {"queue", "a deq\na ok 7\nb enq 7\nb ok", {0, 1}, "dequeue of 7 returned before enqueue of 7 was invoked"},
    {"queue",
     "a enqueue 7\na ok\nb dequeue\nc dequeue\nb ok 7\nc ok 7",
     {0, 1, 2},
     "7 was dequeued twice, but enqueued once"},
    {"queue",
     "a enqueue 5\na ok\nb enqueue 6\nb ok\nb dequeue\nb ok 6\na dequeue\na ok 5",
     {0, 1, 2, 3},
     "5 was enqueued before 6, yet 6 was dequeued first: enqueue of 5 returned before enqueue of 6 started, and "
     "dequeue of 6 "
     "returned before dequeue of 5 started"},
    {"queue",
     "a enqueue 3\na ok\nb dequeue\nb ok\nc dequeue\nc ok 3",
     {0, 1, 2},
     "dequeue found the queue empty while 3 was in it the whole time"},
    {"queue",
     "a enqueue 1\na ok\nb dequeue\na enqueue 2\na ok\nc dequeue\nc ok 1\nb ok\nc dequeue\nc ok 2",
     {0, 1, 2, 3, 4},
     "dequeue found the queue empty, but at every moment of it one of 1, 2 was inside"},
    {"queue",
     "a enqueue 1\na ok\na enqueue 2\na ok\na enqueue 3\na ok\nx dequeue\nx unknown\nb dequeue\nb ok 3",
     {0, 1, 2, 3, 4},
     "2 values that were enqueued must have been dequeued again, the last of them, 2, before 3 was, but only 1 dequeue "
     "of "
     "unknown outcome can have done that"},
    {"stack",
     "a push 1\na ok\nb push 2\nb ok\na pop\na ok 1\nb pop\nb ok 2",
     {0, 1, 2, 3},
     "1 was below 2, yet popped first: push of 1 returned before push of 2 started, which returned before pop of 1 "
     "started, and "
     "pop of 1 returned before pop of 2 started"},
    {"stack",
     "a push 1\na ok\nb push 2\nb ok\na pop\na ok 1",
     {0, 1, 2},
     "1 was below 2, yet popped first: push of 1 returned before push of 2 started, which returned before pop of 1 "
     "started, and "
     "2 was never popped"},
    {"priority_queue",
     "a insert 1\na ok\nb insert 2\nb ok\na poll\na ok 2\na poll\na ok 1",
     {0, 1, 2, 3},
     "extract_min returned 2 while 1, which comes before it, was inside the whole time"},
};
INSTANTIATE_TEST_SUITE_P(Examples, MonitorReason, ::testing::ValuesIn(examples),
                         [](const auto& example) { return std::to_string(example.index); });

// Whether the monitor answers is what is asked here; the verdicts are others' business.
bool answers(std::string_view specification, std::string_view lines) {
  RecordedHistory history;
  parse(lines, history);
  return run(specification, history).has_value();
}

TEST(Monitor, GivesNoAnswerWhereItDoesNotApply) {
  EXPECT_TRUE(answers("queue", "a enqueue 1\na ok\na enqueue 2\na ok"));
  EXPECT_FALSE(answers("queue", "a enqueue 1\na ok\na enqueue 1\na ok"));
  EXPECT_TRUE(answers("queue", "a enqueue 1\na fail\na enqueue 1\na ok"));
  EXPECT_FALSE(answers("queue", "a enqueue 1\na ok\na peek\na ok 1"));
  EXPECT_FALSE(answers("stack", "a push 1\na ok\na push 1\na ok"));
  EXPECT_FALSE(answers("register", "a write 1\na ok\na write 1\na ok"));
  EXPECT_FALSE(answers("register", "a write\na ok\na read\na ok"));
  EXPECT_TRUE(answers("cas_register", "a write 1\na ok\na read\na ok 1"));
  EXPECT_FALSE(answers("cas_register", "a write 1\na ok\na cas 1\na unknown"));
  EXPECT_TRUE(answers("map", "a put 1\na ok\na get\na ok 1"));
  EXPECT_FALSE(answers("map", "a put 1\na ok\na get\na ok \"\""));
  EXPECT_FALSE(answers("map", "a put 1\na ok\na delete\na ok"));
  EXPECT_TRUE(answers("set", "a add 1\na ok true\na add 1\na ok false"));
  EXPECT_FALSE(answers("set", "a add 1\na ok true\na read\na ok"));
  EXPECT_FALSE(answers("set", "a add 1\na ok\na contains 1\na ok true"));
  EXPECT_FALSE(answers("lock", "a acquire\na ok"));
}

// What a user calls a queue may be something else.
TEST(Monitor, KnowsSpecificationsByIdentity) {
  class Mine : public Specification {
   public:
    std::string_view name() const override { return "queue"; }
    std::string_view usage() const override { return ""; }
    std::optional<std::string> reject(const RecordedHistory&, const RecordedOperation&) const override { return {}; }
    std::unique_ptr<Object> object(const RecordedHistory&, std::span<const std::uint32_t>) const override { return {}; }
  };
  RecordedHistory history;
  parse("a enqueue 1\na ok", history);
  EXPECT_TRUE(run("queue", history));
  EXPECT_FALSE(run(Mine(), history));
}

TEST(Monitor, PrioritiesAreIntegersAndThenTexts) {
  RecordedHistory right, wrong;
  constexpr std::string_view inserts =
      "a insert \"b\"\na ok\na insert 10\na ok\na insert \"a\"\na ok\na insert 9\na ok\n";
  parse(std::string(inserts) + "a poll\na ok 9\na poll\na ok 10\na poll\na ok \"a\"\na poll\na ok \"b\"", right);
  parse(std::string(inserts) + "a poll\na ok 9\na poll\na ok \"a\"", wrong);
  EXPECT_EQ(run("priority_queue", right)->verdict, Verdict::Holds);
  EXPECT_EQ(run("priority_queue", wrong)->verdict, Verdict::Violated);
}

// The sub-history of a part is what counts, not the whole.
TEST(Monitor, LooksAtItsPartOnly) {
  RecordedHistory history;
  parse("a enqueue 1\na ok\nb dequeue\nb ok 2\nb dequeue\nb ok 1", history);
  Budget budget;
  const std::vector<std::uint32_t> part = {0, 2};
  EXPECT_EQ(monitor(*find_specification("queue"), history, part, budget)->verdict, Verdict::Holds);
}

TEST(Monitor, StopsWhenTheBudgetIsUsedUp) {
  for (const char* name : {"register", "set", "queue", "stack", "priority_queue"}) {
    RecordedHistory history;
    long_histories::generate(history, long_histories::workload(name), 60000, 1);
    std::vector<std::uint32_t> part(history.operations.size());
    std::iota(part.begin(), part.end(), 0U);
    Budget budget(Limits{.bytes = 1000});
    const auto result = monitor(*find_specification(name), history, part, budget);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->verdict, Verdict::Unknown) << name;
    EXPECT_EQ(budget.stopped(), Budget::Stop::Memory) << name;
  }
}

// One wrong answer in a long history: the reason stays small.
TEST(Monitor, FindsTheOneWrongAnswerInALongHistory) {
  for (const char* name : {"queue", "stack", "priority_queue"}) {
    RecordedHistory history;
    long_histories::generate(history, long_histories::workload(name), 50000, 2);
    ASSERT_EQ(run(name, history)->verdict, Verdict::Holds);
    // Two removals far apart have each other's value.
    std::vector<RecordedOperation*> removals;
    for (RecordedOperation& op : history.operations) {
      if (op.argument == nil && op.result != nil) removals.push_back(&op);
    }
    std::swap(removals[removals.size() / 3]->result, removals[removals.size() / 3 + 2000]->result);
    const auto result = run(name, history);
    EXPECT_EQ(result->verdict, Verdict::Violated) << name;
    EXPECT_LE(result->culprits.size(), 8U) << name << ": " << result->reason;
  }
}

}  // namespace
// Those there is a workload for.
INSTANTIATE_TEST_SUITE_P(Types, MonitorOnLongerHistories,
                         ::testing::Values(Type::Register, Type::Set, Type::Queue, Type::Stack, Type::PriorityQueue),
                         [](const auto& type) { return std::string(small::names(type.param).specification); });
INSTANTIATE_TEST_SUITE_P(Types, MonitorDifferential,
                         ::testing::Values(Type::Register, Type::Set, Type::Mutex, Type::Queue, Type::Stack,
                                           Type::PriorityQueue),
                         [](const auto& type) { return std::string(small::names(type.param).specification); });
}  // namespace heddle::monitors_test
