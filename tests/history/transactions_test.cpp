// Reading histories of transactions: what is understood, what is refused and how, and the histories of the literature.
#include "history/transactions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <tuple>
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

// What no history of the literature shows is made here, so that each anomaly was seen and has its name. The search for an
// order that does not exist is compared with all orders (tests/check/transactions_test.cpp).
TEST(Transactions, EveryAnomalyIsNamed) {
  std::set<std::string> named = {"none", "no version order"};
  const std::filesystem::path folder = std::filesystem::path(HEDDLE_SOURCE_DIR) / "tests" / "history" / "transactions";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const InputFile file(entry.path().string());
    const std::string text(file.text());
    std::smatch anomaly;
    ASSERT_TRUE(std::regex_search(text, anomaly, std::regex("; anomaly: (.*?)(-process|-realtime)?\n")));
    named.insert(anomaly[1]);
  }
  const auto made = [&](const std::string& text, const std::string& level, const TransactionReadOptions& options = {}) {
    const TransactionsResult result = check_transactions(read(text, options), {.asked = *level_named(level)});
    EXPECT_EQ(result.verdict, Verdict::Violated) << text;
    if (!result.findings.empty()) named.insert(std::string(name(result.findings.back().anomaly)));
  };
  const auto done_at_once = [](const std::string& value) { return "{:type :ok, :value " + value + "}\n"; };
  // rw, ww, rw, ww: two anti-dependencies that do not follow each other, and no two readers.
  made(done_at_once("[[:r :x []] [:append :m 2]]") + done_at_once("[[:append :x 1] [:append :k 1]]") +
           done_at_once("[[:append :k 2] [:r :z []]]") + done_at_once("[[:append :z 1] [:append :m 1]]") +
           done_at_once("[[:r :x [1]] [:r :k [1 2]] [:r :z [1]] [:r :m [1 2]]]"),
       "snapshot-isolation");
  made("{:type :ok, :f :transfer, :value {:from 0, :to 1, :amount 5}} {:type :ok, :f :read, :value {0 5, 1 10}}",
       "serializable", {.total = 20});
  made("{:type :ok, :f :add, :value 1} {:type :ok, :f :read, :value 2}", "serializable");
  for (int i = 0; i <= static_cast<int>(Anomaly::NoOrder); ++i)
    EXPECT_TRUE(named.contains(std::string(name(static_cast<Anomaly>(i))))) << i;
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

TEST(Transactions, CommentsDoNotSayWhatKeysAre) {
  const std::string registers = "{:type :ok :value [[:w :x 1]]} {:type :ok, :value [[:r :x 1]]}";
  EXPECT_EQ(read("; not [[:append :x 1]], nor :f :transfer\n" + registers).workload, Workload::Register);
  const std::string lists =
      "{:type :ok :value [[:append \";\" 1]]} {:type :ok, :value [[:r \\; [1]]]} {:type :ok :value []}";
  EXPECT_EQ(read(lists).workload, Workload::ListAppend);
  EXPECT_EQ(read("{:type :ok :value [[:r \";\" nil] [:append :x 1]]}").workload, Workload::ListAppend);
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
  // Nothing is written, but only registers have an initial value that is given.
  EXPECT_EQ(check_transactions(read("{:type :ok :value [[:r :x 0]]}", {.initial = "0"})).verdict, Verdict::Holds);
  EXPECT_THAT(complaint("{:type :ok :value [[:w :x 0]]}", {.initial = "0"}), HasSubstr("also the initial value"));
  EXPECT_THAT(complaint("{:type :ok :value [[:w :x nil]]}"), HasSubstr("also the initial value"));
  EXPECT_THAT(complaint("{:type :ok :value [[:r :x nil] [:w :y 1]]}", {.initial = "0"}), HasSubstr("--initial"));
}

std::string event(const std::string& process, const std::string& type, const std::string& f, const std::string& value) {
  return "{:process " + process + ", :type :" + type + ", :f :" + f + ", :value " + value + "}\n";
}
// A process that does one thing, at once.
std::string done(const std::string& f, const std::string& asked, const std::string& answered) {
  return event("0", "invoke", f, asked) + event("0", "ok", f, answered);
}
Verdict verdict(const TransactionHistory& history, const char* level) {
  return check_transactions(history, {.asked = *level_named(level)}).verdict;
}

// As Jepsen's workload writes it: transactions are called read and write.
TEST(Workloads, LongFork) {
  const std::string writes = done("write", "[[:w 0 1]]", "[[:w 0 1]]") + done("write", "[[:w 1 1]]", "[[:w 1 1]]");
  const std::string one = done("read", "[[:r 0 nil] [:r 1 nil]]", "[[:r 0 1] [:r 1 nil]]");
  const std::string other = done("read", "[[:r 1 nil] [:r 0 nil]]", "[[:r 1 1] [:r 0 nil]]");
  EXPECT_EQ(verdict(read(writes + one), "serializable"), Verdict::Holds);
  const TransactionHistory fork = read(writes + one + other);
  EXPECT_EQ(verdict(fork, "repeatable-read"), Verdict::Holds);
  const TransactionsResult result = check_transactions(fork, {.asked = *level_named("snapshot-isolation")});
  EXPECT_EQ(result.verdict, Verdict::Violated);
  EXPECT_EQ(result.findings.front().anomaly, Anomaly::LongFork);
}

TEST(Workloads, Set) {
  const std::string adds = done("add", "0", "0") + done("add", "1", "1") + event("1", "invoke", "add", "2") +
                           event("1", "info", "add", "2") + event("2", "invoke", "add", "3") +
                           event("2", "fail", "add", "3");
  const TransactionHistory all = read(adds + done("read", "nil", "#{0 1}"));
  EXPECT_TRUE(all.is_set);
  EXPECT_EQ(verdict(all, "strict-serializable"), Verdict::Holds);
  EXPECT_EQ(verdict(read(adds + done("read", "nil", "[2 0 1]")), "strict-serializable"), Verdict::Holds);
  // An element that was acknowledged is lost: in real time only.
  const TransactionHistory lost = read(adds + done("read", "nil", "#{1}"));
  EXPECT_EQ(verdict(lost, "strict-serializable"), Verdict::Violated);
  EXPECT_EQ(verdict(lost, "strict-read-committed"), Verdict::Holds);
  EXPECT_EQ(check_transactions(read(adds + done("read", "nil", "#{0 1 3}"))).findings.front().anomaly, Anomaly::G1a);
  // Seen, and then not any more, by one process.
  const TransactionHistory gone = read(adds + done("read", "nil", "#{0 1}") + done("read", "nil", "#{0}"));
  EXPECT_EQ(verdict(gone, "session-serializable"), Verdict::Violated);
  const std::string json =
      R"({"process": 0, "type": "invoke", "f": "add", "value": 7} {"process": 0, "type": "ok", "f": "add", "value": 7}
         {"process": 0, "type": "invoke", "f": "read", "value": null}
         {"process": 0, "type": "ok", "f": "read", "value": [7]})";
  EXPECT_EQ(verdict(read(json), "strict-serializable"), Verdict::Holds);
  // What is written is a history of registers of the same levels.
  EXPECT_EQ(verdict(read(write_transactions(lost)), "strict-serializable"), Verdict::Violated);
}

TEST(Workloads, Counter) {
  const std::string adds = done("add", "2", "2") + done("add", "-1", "-1") + event("1", "invoke", "add", "5") +
                           event("1", "info", "add", "5") + event("2", "invoke", "add", "100") +
                           event("2", "fail", "add", "100");
  for (const char* level : {"strict-serializable", "serializable", "repeatable-read"}) {
    EXPECT_EQ(verdict(read(adds + done("read", "nil", "1")), level), Verdict::Unknown);
    EXPECT_EQ(verdict(read(adds + done("read", "nil", "6")), level), Verdict::Unknown);
    EXPECT_EQ(verdict(read(adds + done("read", "nil", "8")), level), Verdict::Violated);
    EXPECT_EQ(verdict(read(adds + done("read", "nil", "-2")), level), Verdict::Violated);
  }
  // What was acknowledged before is missing.
  const TransactionHistory stale = read(adds + done("read", "nil", "0"));
  EXPECT_EQ(verdict(stale, "serializable"), Verdict::Unknown);
  EXPECT_EQ(verdict(stale, "strict-repeatable-read"), Verdict::Violated);
  EXPECT_EQ(verdict(stale, "strict-monotonic-atomic-view"), Verdict::Unknown);
  // An increment that is under way may be seen, or not yet.
  const std::string under_way = event("1", "invoke", "add", "3") + event("0", "invoke", "read", "nil");
  for (const char* value : {"0", "3"}) {
    const std::string text = under_way + event("1", "ok", "add", "3") + event("0", "ok", "read", value);
    EXPECT_EQ(verdict(read(text), "strict-serializable"), Verdict::Unknown);
  }
  EXPECT_EQ(write_transactions(read(write_transactions(stale))), write_transactions(stale));
}

TEST(Workloads, Bank) {
  const std::string transfer = done("transfer", "{:from 0, :to 1, :amount 5}", "{:from 0, :to 1, :amount 5}");
  const TransactionHistory right = read(transfer + done("read", "nil", "{0 5, 1 15}"), {.total = 20});
  EXPECT_EQ(verdict(right, "serializable"), Verdict::Unknown);
  for (const char* seen : {"{0 10, 1 15}", "{0 5, 1 nil}", "{0 20, 1 1}"}) {
    const TransactionHistory wrong = read(transfer + done("read", "nil", seen), {.total = 20});
    for (const char* level : {"repeatable-read", "snapshot-isolation", "strict-serializable"}) {
      const TransactionsResult result = check_transactions(wrong, {.asked = *level_named(level)});
      EXPECT_EQ(result.verdict, Verdict::Violated) << seen;
      EXPECT_EQ(result.findings.front().anomaly, Anomaly::WrongTotal);
    }
    EXPECT_EQ(verdict(wrong, "read-committed"), Verdict::Unknown);
    EXPECT_EQ(write_transactions(read(write_transactions(wrong), {.total = 20})), write_transactions(wrong));
  }
  const std::string json =
      R"({"process": 0, "type": "invoke", "f": "transfer", "value": {"from": 0, "to": 1, "amount": 5}}
         {"process": 0, "type": "ok", "f": "transfer", "value": {"from": 0, "to": 1, "amount": 5}}
         {"process": 0, "type": "invoke", "f": "read", "value": null}
         {"process": 0, "type": "ok", "f": "read", "value": {"0": 5, "1": 16}})";
  EXPECT_EQ(verdict(read(json, {.total = 20}), "serializable"), Verdict::Violated);
  EXPECT_EQ(verdict(read(json, {.total = 21}), "serializable"), Verdict::Unknown);
  EXPECT_EQ(read(json, {.total = 21}).keys(), 2u);
}

// Nothing was transferred, and yet the sum is wrong.
TEST(Workloads, BankThatIsOnlyRead) {
  const std::string reads = done("read", "nil", "{0 10}") + done("read", "nil", "{0 10, 1 10}");
  const TransactionHistory history = read(reads, {.total = 20});
  EXPECT_EQ(history.workload, Workload::Bank);
  const TransactionsResult result = check_transactions(history, {.asked = *level_named("repeatable-read")});
  EXPECT_EQ(result.verdict, Verdict::Violated);
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings.front().anomaly, Anomaly::WrongTotal);
  EXPECT_EQ(verdict(read(done("read", "nil", "{0 -5, 1 25}"), {.total = 20}), "serializable"), Verdict::Unknown);
  // Without a total nobody has said what it is.
  EXPECT_THAT(complaint(reads), HasSubstr("heddle lin"));
}

TEST(Workloads, SetThatIsOnlyRead) {
  EXPECT_TRUE(read(done("read", "nil", "#{}")).is_set);
  EXPECT_EQ(verdict(read(done("read", "nil", "#{}")), "strict-serializable"), Verdict::Holds);
  EXPECT_THAT(complaint(done("read", "nil", "#{1}")), HasSubstr("a read has seen 1, which nobody has added"));
  EXPECT_THAT(complaint(done("read", "nil", "3")), HasSubstr("heddle lin"));
}

// Numbers up to a limit are summed without overflow; beyond it they are refused.
TEST(Workloads, LargeNumbers) {
  const std::string large = "2305843009213693951";
  const std::string add = done("add", large, large);
  EXPECT_EQ(verdict(read(add + done("read", "nil", large)), "serializable"), Verdict::Unknown);
  EXPECT_EQ(verdict(read(add + done("read", "nil", "-" + large)), "serializable"), Verdict::Violated);
  for (const std::string& number :
       std::vector<std::string>{"2305843009213693952", "9223372036854775807", "-2305843009213693953"}) {
    EXPECT_THAT(complaint(done("add", number, number) + done("read", "nil", "0")), HasSubstr(number + " is too large"))
        << number;
    EXPECT_THAT(complaint(done("read", "nil", "{0 " + number + "}"), {.total = 0}), HasSubstr("is too large"));
  }
  EXPECT_THAT(complaint(add + done("add", "1", "1") + done("read", "nil", "0")), HasSubstr("too large"));
  EXPECT_THAT(complaint(done("read", "nil", "{0 " + large + ", 1 1}"), {.total = 0}), HasSubstr("too large"));
  EXPECT_EQ(read(done("read", "nil", "{0 " + large + "}") + done("read", "nil", "{0 " + large + "}"), {.total = 0})
                .transactions.size(),
            2u);
  // Accounts have any names: two that do not fit into 64 bits are two.
  const std::string json =
      R"({"process": 0, "type": "ok", "f": "read", "value": {"98765432109876543210": 5, "98765432109876543211": 16}})";
  EXPECT_EQ(read(json, {.total = 21}).keys(), 2u);
}

TEST(Workloads, BadInput) {
  const std::string transfer = done("transfer", "{:from 0, :to 1, :amount 5}", "{:from 0, :to 1, :amount 5}");
  const std::string add = done("add", "1", "1");
  const TransactionReadOptions bank{.total = 10};
  const std::vector<std::tuple<std::string, TransactionReadOptions, std::string>> cases = {
      {transfer, {}, "--total says"},
      {done("txn", "[[:w 0 1]]", "[[:w 0 1]]"), bank, "--total is for the history of a bank"},
      {transfer + add, bank, "an operation add in a history of a bank"},
      {add + done("txn", "[[:w 0 1]]", "[[:w 0 1]]"), {}, "an operation txn in a history of a set or a counter"},
      {add + "{:process 0, :type :invoke, :value 3}", {}, "an operation without :f"},
      {done("transfer", "{:from 0, :to 1}", "{:from 0, :to 1}"), bank, "one of them is missing"},
      {done("transfer", "[0 1 5]", "[0 1 5]"), bank, "the value of a transfer of a bank is a map"},
      {done("transfer", "{:from 0, :to 1, :amount :all}", "{:from 0, :to 1, :amount :all}"), bank,
       ":all is no integer"},
      {transfer + done("read", "nil", "{0 5, 1 five}"), bank, "a balance is an integer"},
      {transfer + done("read", "nil", "{0 5, 1}"), bank, "a field without a value"},
      {transfer + done("read", "nil", "{0 5, 0 7, 1 8}"), bank, "h:4:50: account 0 stands twice in this read"},
      {R"({"type": "ok", "f": "read", "value": {"0": 5, "0": 5}})", bank, "account 0 stands twice in this read"},
      {add + done("read", "nil", "nil"), {}, "a read that is :ok has no value; that of a set is as in"},
      {transfer + done("read", "nil", "[5 5]"), bank, "the value of a read of a bank is a map"},
      {event("0", "invoke", "transfer", "{:from 0, :to 1, :amount 5}") +
           event("0", "ok", "transfer", "{:from 0, :to 1, :amount 6}"),
       bank, "other operations than those of its invocation"},
      {event("0", "invoke", "add", "1") + event("0", "ok", "read", "1"), {}, "other operations than those"},
      {add + add, {}, "1 is added a second time"},
      {add + done("read", "nil", "#{1 2}"), {}, "a read has seen 2, which nobody has added"},
      {add + done("read", "nil", "[1 1]"), {}, "a read has seen 1 twice"},
      {add + done("read", "nil", "[1]") + done("read", "nil", "1"), {}, "1 is no set"},
      {add + done("read", "nil", "1") + done("read", "nil", "[1]"), {}, "a counter is read"},
      {add + done("read", "nil", ""), {}, "h:"},
      {done("write", "3", "3"), {}, "heddle lin"},
      {"{:process 0, :type :ok, :f :transfer, :value {:from 0", bank, "cut off"},
  };
  for (const auto& [text, options, part] : cases) {
    const std::string said = complaint(text, options);
    EXPECT_THAT(said, AllOf(StartsWith("h:"), HasSubstr(part))) << text;
  }
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
      {line("[[:w :y 1]]") + "\n" + line("[[:append :x 1]]"), {"h:1:42:", "not both", "check them apart"}},
      {line("[[:w :y 1]]") + "\n{:process 1, :type :invoke, :f :cas, :value [1 2]}", {"h:2:1:", "cas", "heddle lin"}},
      {R"({"process": 0, "type": "invoke", "f": "write", "key": "x", "value": 3})", {"h:1:1:", "write", "heddle lin"}},
      {R"({"process": 0, "type": "ok", "value": [["w", "x", 1], ["w", "x", 1]]})",
       {"h:1:66:", "1 is written to key \"x\" a second time, after line 1"}},
      {R"({"process": 0, "type": "ok", "value": [["append", "x", 1], ["r", "x", [1, 2]]]})",
       {"h:1:", "has seen 2, which no transaction", "if the store made it up, that is its mistake"}},
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
