// Reading histories of transactions: what is understood, what is refused and how, and the histories of the literature.
#include "history/transactions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "check/transactions/check_transactions.h"
#include "history/input_file.h"
#include "support/transaction_histories.h"

namespace heddle::history::transactions_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TransactionHistory read(std::string_view text, const TransactionReadOptions& options = {}) {
  TransactionHistory history;
  read_transactions(text, "h", options, history);
  return history;
}

std::string complaint(std::string_view text, const TransactionReadOptions& options = {}) {
  try {
    read(text, options);
  } catch (const HistoryError& error) {
    return error.what();
  }
  return "";
}

std::string strongest(const TransactionsResult& result, Respects respects) {
  std::string out = "none";
  for (const LevelResult& one : result.levels) {
    if (one.level.respects != respects) continue;
    if (one.verdict == Verdict::Holds) out = name(one.level.isolation);
    if (one.verdict == Verdict::Unknown && out == "none") out = "unknown";
  }
  return out;
}

// Each file says in comments where it is from, the strongest level of each kind, and the anomaly that rules out the
// next.
TEST(Transactions, TheHistoriesOfTheLiterature) {
  std::size_t count = 0;
  const std::filesystem::path folder = std::filesystem::path(HEDDLE_SOURCE_DIR) / "tests" / "history" / "transactions";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    SCOPED_TRACE(entry.path().filename().string());
    const InputFile file(entry.path().string());
    const std::string text(file.text());
    std::smatch said, anomaly, source;
    ASSERT_TRUE(std::regex_search(text, said, std::regex("; strongest: (\\S+), session (\\S+), strict (\\S+)\n")));
    ASSERT_TRUE(std::regex_search(text, anomaly, std::regex("; anomaly: (.*)\n")));
    ASSERT_TRUE(std::regex_search(text, source, std::regex("; source: .+\n")));
    const TransactionHistory history = read(text);
    const TransactionsResult result = check_transactions(history, {.all_levels = true});
    EXPECT_EQ(strongest(result, Respects::Nothing), said[1]);
    EXPECT_EQ(strongest(result, Respects::Sessions), said[2]);
    if (said[3] == "unknown") {
      EXPECT_NE(result.of({Isolation::Serializable, Respects::RealTime}).verdict, Verdict::Holds);
    } else {
      EXPECT_EQ(strongest(result, Respects::RealTime), said[3]);
    }
    // The anomaly is that of the weakest level that is violated.
    std::string found = "none";
    for (const LevelResult& one : result.levels) {
      if (one.verdict != Verdict::Violated || found != "none") continue;
      const transactions::IsolationFinding& finding = result.findings[one.finding];
      found = name(finding.anomaly);
      if (!finding.cycle.empty() && finding.respects == Respects::Sessions) found += "-process";
      if (!finding.cycle.empty() && finding.respects == Respects::RealTime) found += "-realtime";
    }
    EXPECT_EQ(found, anomaly[1]);
    ++count;
  }
  EXPECT_GE(count, 30u);
}

constexpr const char* skew = R"({:process 0, :type :invoke, :f :txn, :value [[:r "a b" nil] [:append :y 1]]}
{:process 1, :type :invoke, :f :txn, :value [[:r :y nil] [:append "a b" -7]]}
#jepsen.history.Op{:index 2, :process 0, :type :ok, :f :txn, :value ([:r "a b" ()] [:append :y 1]), :time 5}
{:process :nemesis, :type :info, :f :kill, :value nil}
{:process 1, :type :ok, :f :txn, :value [[:r :y nil] #_ignored [:append "a b" -7]]} ; the end
)";

TEST(Transactions, EdnAndJsonAreTheSame) {
  const std::string json =
      R"([{"process": 0, "type": "invoke", "f": "txn", "value": [["r", "a b", null], ["append", ":y", 1]]},
{"process": 1, "type": "invoke", "f": "txn", "value": [["r", ":y", null], ["append", "a b", -7]]},
{"process": 0, "type": "ok", "f": "txn", "value": [["r", "a b", []], ["append", ":y", 1]], "time": 5},
{"process": "nemesis", "type": "info", "f": "kill", "value": null},
{"process": 1, "type": "ok", "f": ":txn", "value": [["r", ":y", null], [":append", "a b", -7]]}])";
  EXPECT_EQ(write_transactions(read(skew)), write_transactions(read(json)));
  EXPECT_EQ(read(json).transactions.size(), 2u);
  EXPECT_EQ(check_transactions(read(json)).verdict, Verdict::Violated);
}

// What is written is read again as the same, and has the same levels.
TEST(Transactions, RoundTrip) {
  testing::TransactionGenerator generator(7);
  for (int i = 0; i < 300; ++i) {
    const oracle::History h = generator.next(i % 2 == 0, 6);
    const TransactionHistory first = read(testing::edn(h));
    const std::string written = write_transactions(first);
    const TransactionHistory again = read(written);
    EXPECT_EQ(write_transactions(again), written);
    const TransactionsResult a = check_transactions(first, {.all_levels = true});
    const TransactionsResult b = check_transactions(again, {.all_levels = true});
    const TransactionsResult c = check_transactions(testing::recorded(h), {.all_levels = true});
    for (const Level& level : all_levels()) {
      EXPECT_EQ(a.of(level).verdict, c.of(level).verdict) << name(level) << "\n" << testing::edn(h);
      EXPECT_EQ(a.of(level).verdict, b.of(level).verdict) << name(level) << "\n" << testing::edn(h) << written;
    }
  }
}

TEST(Transactions, CompletionsOnly) {
  const TransactionHistory h = read("{:type :ok :value [[:append :x 1]]} {:type :ok, :value [[:r :x [1]]]}");
  EXPECT_FALSE(h.has_invocations);
  EXPECT_EQ(check_transactions(h).verdict, Verdict::Holds);
  const TransactionsResult strict = check_transactions(h, {.asked = {Isolation::Serializable, Respects::RealTime}});
  EXPECT_EQ(strict.verdict, Verdict::Unknown);
  EXPECT_THAT(strict.stopped_by, HasSubstr("no invocations"));
}

TEST(Transactions, InitialValues) {
  const std::string text =
      "{:process 0, :type :ok, :value [[:r :x 0] [:w :x 1]]} {:process 1, :type :ok, :value [[:r :x 1]]}";
  EXPECT_THAT(complaint(text), HasSubstr("h:1: a read of key :x has seen 0, which no transaction"));
  EXPECT_EQ(check_transactions(read(text, {.initial = "0"})).verdict, Verdict::Holds);
  EXPECT_THAT(complaint("{:type :ok :value [[:w :x 0]]}", {.initial = "0"}), HasSubstr("also the initial value"));
  EXPECT_THAT(complaint("{:type :ok :value [[:w :x nil]]}"), HasSubstr("also the initial value"));
  EXPECT_THAT(complaint("{:type :ok :value [[:r :x nil] [:w :y 1]]}", {.initial = "0"}), HasSubstr("--initial"));
}

// Place, reason, remedy.
TEST(Transactions, BadInput) {
  const auto line = [](const std::string& value) { return "{:process 0, :type :ok, :f :txn, :value " + value + "}"; };
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {line("[[:w :x 1]]") + "\n" + line("[[:w :x 1]]"),
       {"h:2:", "1 is written to key :x a second time, after line 1"}},
      {line("[[:append :x 1] [:append :x 1]]"), {"h:1:", "appended to key :x a second time"}},
      {line("[[:append :x 1]]") + "\n" + line("[[:r :x [1 2]]]"),
       {"h:2:", "has seen 2, which no transaction", "missing"}},
      {line("[[:append :x 1]]") + "\n" + line("[[:r :x [2 1]]]") + "\n" + line("[[:r :x [1]]]"),
       {"h:2:", "has seen 2"}},
      {line("[[:w :y 1]]") + "\n" + line("[[:r :x 9]]"), {"h:2:", "has seen 9", "--initial"}},
      {line("[[:append :x 1] [:w :y 1]]"), {"h:1:57:", "not both"}},
      {line("[[:append :x 1] [:r :x 1]]"), {"no list"}},
      {"{:process 0, :type :invoke, :f :write, :value 3}", {"h:1:1:", "write", "heddle lin"}},
      {"{:process 0, :type :invoke, :f :read, :value nil}", {"heddle lin"}},
      {"{:process 0, :type :ok, :f :txn, :value 3}", {"h:1:41:", "3 is not the value of a transaction", "heddle lin"}},
      {line("[1 2]"), {"is not the value of a transaction"}},
      {line("[[]]"), {"is not the value of a transaction"}},
      {line("[[:append :x]]"), {"without a value"}},
      {line("[[:r]]"), {"without a key"}},
      {line("[[:r :x nil 3]]"), {"three parts"}},
      {line("[[:inc :x 1]]"), {"the operation inc is unknown"}},
      {"{:process 0, :type :invoke, :value [[:append :x 1]]}\n{:process 0, :type :ok, :value [[:append :x 2]]}",
       {"h:2:1:", "other operations than those of its invocation in line 1"}},
      {"{:process 0, :type :invoke, :value [[:append :x 1]]}\n{:process 0, :type :ok, :value [[:append :x 1] [:r :x "
       "nil]]}",
       {"h:2:1:", "other operations"}},
      {"{:process 0, :type :invoke, :value [[:append :x 1]]}\n{:process 0, :type :invoke, :value [[:append :x 2]]}",
       {"h:2:1:", "two open transactions", "line 1"}},
      {"{:process 0, :type :invoke, :value [[:append :x 1]]}\n{:process 1, :type :ok, :value [[:append :x 2]]}",
       {"h:2:1:", "a completion without an invocation"}},
      {line("[[:append :x 1]]") + "\n{:process 1, :type :invoke, :value [[:append :x 2]]}",
       {"h:1:1:", "a completion without an invocation"}},
      {"{:process 0, :type :ok, :f :txn, :value [[:append :x 1] [:r :x [1",
       {"h:1:", "not closed before the end of the file"}},
      {"[{:process 0, :type :ok, :f :txn, :value [[:append :x 1]]}", {"h:1:1:", "not closed before the end"}},
      {R"({"process": 0, "type": "ok", "value": [["append", "x", 1])", {"h:1:39:", "not closed"}},
      {R"({"process" 0, "type": "ok", "value": []})", {"a colon is expected"}},
      {"{:process 0, :type :done, :value []}", {"the type :done is unknown"}},
      {"{:process 0, :value []}", {"has no type"}},
      {"{:process 0, :type :ok}", {"no value"}},
      {"", {"empty"}},
      {"{:process :nemesis, :type :info, :f :kill}", {"there is no transaction"}},
      {"INFO  jepsen.util - 0\t:invoke\t:txn\t[[:r 1 nil]]", {"heddle convert"}},
      {line("[[:append :x 99999999999999999999]]"), {"64 bits"}},
      {"{:process 0, :type :ok, :value [[:append :x \xff]]}", {"UTF-8"}},
  };
  for (const auto& [text, parts] : cases) {
    const std::string said = complaint(text);
    EXPECT_THAT(said, StartsWith("h:")) << text;
    for (const std::string& part : parts) EXPECT_THAT(said, HasSubstr(part)) << text;
  }
}

TEST(Transactions, TimesThatGoBackwardsAreAWarning) {
  TransactionHistory history;
  const TransactionReadSummary summary = read_transactions(
      "{:process 0, :type :ok, :value [[:append :x 1]], :time 5} {:process 0, :type :ok, :value [[:r :x [1]]], :time "
      "4}",
      "h", {}, history);
  EXPECT_EQ(summary.backwards, 1u);
  EXPECT_THAT(summary.first_backwards, HasSubstr("the time 4 of process 0"));
}

// A long list costs its length once, not once for each read.
TEST(Transactions, LongListsAreKeptOnce) {
  std::string text, list;
  for (int i = 0; i < 2'000; ++i) {
    list += std::to_string(i) + " ";
    text += "{:type :ok :value [[:append :x " + std::to_string(i) + "] [:r :x [" + list + "]]]}\n";
  }
  const TransactionHistory h = read(text);
  EXPECT_LT(h.bytes(), 1'000'000u);
  EXPECT_EQ(check_transactions(h).verdict, Verdict::Holds);
}

TEST(Transactions, ABudgetEndsReading) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "{:type :ok :value [[:append :x " + std::to_string(i) + "]]}\n";
  Budget budget(Limits{.bytes = 100'000});
  EXPECT_THROW(read(text, {.budget = &budget}), ReadingStopped);
}

}  // namespace
}  // namespace heddle::history::transactions_test
