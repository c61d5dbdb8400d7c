// Recorded transactions, read back as `heddle serializable` would read them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <random>

#include "check/transactions/check_transactions.h"
#include "history/transactions.h"
#include "record/recorded.h"

namespace heddle::record_transactions_test {
namespace {

std::int64_t the_time = 0;
std::int64_t ticking_time() { return ++the_time; }

class RecordedTransactions : public testing::Test {
 protected:
  RecordedTransactions() { the_time = 0; }
};

TransactionHistory read_back(const Recorder& recorder, Recorder::Format format = Recorder::Format::Edn) {
  TransactionHistory history;
  const bool edn = format == Recorder::Format::Edn;
  history::read_transactions(written(recorder, format), edn ? "h.edn" : "h.jsonl", {}, history);
  return history;
}

Verdict strict_serializability(const TransactionHistory& history) {
  return check_transactions(history, {.asked = {Isolation::Serializable, Respects::RealTime}}).verdict;
}

TEST_F(RecordedTransactions, AreWrittenAsElleReadsThem) {
  Recorder recorder(ticking_time);
  auto first = recorder.transaction(0);
  auto second = recorder.transaction(1);
  first.append("x", 1);
  first.read("y", nullptr);
  second.append("x", 2);
  first.read("x", {1});
  first.ok();
  second.fail();
  auto third = recorder.transaction(0);
  third.append(7, "a b");
  third.unknown();
  EXPECT_EQ(written(recorder),
            "{:process 0, :type :invoke, :f :txn, :value [[:append \"x\" 1] [:r \"y\" nil] [:r \"x\" nil]], :time 1}\n"
            "{:process 1, :type :invoke, :f :txn, :value [[:append \"x\" 2]], :time 2}\n"
            "{:process 0, :type :ok, :f :txn, :value [[:append \"x\" 1] [:r \"y\" nil] [:r \"x\" [1]]], :time 3}\n"
            "{:process 1, :type :fail, :f :txn, :value [[:append \"x\" 2]], :time 4, :error \"did not happen\"}\n"
            "{:process 0, :type :invoke, :f :txn, :value [[:append 7 \"a b\"]], :time 5}\n"
            "{:process 0, :type :info, :f :txn, :value [[:append 7 \"a b\"]], :time 6}\n");
  EXPECT_EQ(strict_serializability(read_back(recorder)), Verdict::Holds);
}

TEST_F(RecordedTransactions, JsonLinesSayTheSame) {
  Recorder recorder(ticking_time);
  auto first = recorder.transaction(0);
  first.write("x", 1);
  first.read("y", nullptr);
  first.ok();
  EXPECT_EQ(
      written(recorder, Recorder::Format::JsonLines),
      "{\"process\":0,\"type\":\"invoke\",\"f\":\"txn\",\"value\":[[\"w\",\"x\",1],[\"r\",\"y\",null]],\"time\":1}\n"
      "{\"process\":0,\"type\":\"ok\",\"f\":\"txn\",\"value\":[[\"w\",\"x\",1],[\"r\",\"y\",null]],\"time\":2}\n");
  auto second = recorder.transaction(1);
  second.read("x", 1);
  second.write("x", {2, "longer than eight bytes"});
  second.ok();
  const TransactionHistory json = read_back(recorder, Recorder::Format::JsonLines), edn = read_back(recorder);
  EXPECT_EQ(json.workload, Workload::Register);
  EXPECT_EQ(history::write_transactions(json), history::write_transactions(edn));
}

TEST_F(RecordedTransactions, WithoutOperations) {
  Recorder recorder(ticking_time);
  recorder.transaction(0).ok();
  EXPECT_EQ(read_back(recorder).transactions.size(), 1u);
}

// Others may see what a transaction has written although it never ends.
TEST_F(RecordedTransactions, AreInTheHistoryBeforeTheyEnd) {
  Recorder recorder(ticking_time);
  auto open = recorder.transaction(0);
  open.append("x", 1);
  open.read("x", {1});
  auto reader = recorder.transaction(1);
  reader.read("x", {1});
  reader.ok();
  const TransactionHistory history = read_back(recorder);
  ASSERT_EQ(history.transactions.size(), 2u);
  EXPECT_EQ(history.transactions[0].outcome, Outcome::Unknown);
  EXPECT_EQ(strict_serializability(history), Verdict::Holds);
  open.append("x", 2);
  open.fail();
  EXPECT_EQ(strict_serializability(read_back(recorder)), Verdict::Violated);
}

TEST_F(RecordedTransactions, AreUnknownIfTheyAreForgotten) {
  Recorder recorder(ticking_time);
  {
    auto forgotten = recorder.transaction(0);
    forgotten.append("x", 1);
  }
  auto next = recorder.transaction(0);
  next.append("x", 2);
  next.ok();
  const TransactionHistory history = read_back(recorder);
  EXPECT_EQ(history.transactions[0].outcome, Outcome::Unknown);
  EXPECT_EQ(history.processes, (std::vector<std::string>{"0", "1"}));
}

TEST_F(RecordedTransactions, EndOnce) {
  Recorder recorder;
  auto one = recorder.transaction(0);
  one.append("x", 1);
  one.ok();
  EXPECT_THROW(one.append("x", 2), std::logic_error);
  EXPECT_THROW(one.read("x", nullptr), std::logic_error);
  EXPECT_THROW(one.fail(), std::logic_error);
  EXPECT_EQ(read_back(recorder).elements(), 1u);
}

// A store of lists that executes one transaction after the other; what is appended is seen by others before the
// transaction has returned.
class Store {
 public:
  template <class Body>
  void execute(Body body) {
    const std::lock_guard lock(mutex_);
    body(lists_);
  }

 private:
  std::mutex mutex_;
  std::map<int, std::vector<std::int64_t>> lists_;
};

// What is saved at any moment is a whole history: nobody has read what nobody has appended, and none is too short.
TEST_F(RecordedTransactions, SlowThreadsSaveAtAnyMoment) {
  constexpr unsigned clients = 4;
  constexpr int transactions = 400;
  Recorder recorder;
  Store store;
  std::atomic<unsigned> done{0};
  recorder.transaction(0).ok();  // an empty file is none
  in_threads(clients + 1, [&](unsigned number) {
    if (number == clients) {
      do {
        ASSERT_NE(strict_serializability(read_back(recorder)), Verdict::Violated);
      } while (done < clients);
      return;
    }
    std::mt19937 random(number);
    for (int i = 0; i < transactions; ++i) {
      auto transaction = recorder.transaction(number);
      store.execute([&](auto& lists) {
        for (unsigned k = 0; k <= random() % 3; ++k) {
          const int key = static_cast<int>(random() % 3) + 10 * (i / 20);
          std::vector<std::int64_t>& list = lists[key];
          if (random() % 2 == 0) {
            transaction.read(key, list);
            continue;
          }
          const std::int64_t element = (std::int64_t{i} * 4 + k) * clients + number;
          transaction.append(key, element);
          list.push_back(element);
        }
      });
      if (i % 7 == 0) std::this_thread::yield();
      transaction.ok();
    }
    ++done;
  });
  const TransactionHistory history = read_back(recorder);
  EXPECT_EQ(history.transactions.size(), clients * transactions + 1);
  EXPECT_EQ(strict_serializability(history), Verdict::Holds);
}

}  // namespace
}  // namespace heddle::record_transactions_test
