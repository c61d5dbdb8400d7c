// Every isolation level against its definition, by brute force over all orders (support/isolation_oracle.h).
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>

#include "check/transactions/check_transactions.h"
#include "support/isolation_oracle.h"
#include "support/long_run.h"
#include "support/transaction_histories.h"

namespace heddle::transactions_test {
namespace {

using testing::count_of;
using testing::TransactionGenerator;

// Compares all levels. Returns false at the first difference, so that a mutated checker does not print thousands.
bool agrees(const oracle::History& history, std::map<std::string, int>& anomalies, std::map<std::string, int>& verdicts) {
  const TransactionHistory recorded = testing::recorded(history);
  const oracle::Verdicts expected = oracle::Oracle(history).verdicts();
  const TransactionsResult table = check_transactions(recorded, {.all_levels = true});
  for (const Level& level : all_levels()) {
    const bool holds = expected[static_cast<std::size_t>(level.isolation)][static_cast<std::size_t>(level.respects)];
    const LevelResult& one = table.of(level);
    const Verdict alone = check_transactions(recorded, {.asked = level}).verdict;
    const Verdict wanted = holds ? Verdict::Holds : Verdict::Violated;
    EXPECT_EQ(one.verdict, wanted) << name(level) << " in the table\n" << testing::edn(history);
    EXPECT_EQ(alone, wanted) << name(level) << " alone\n" << testing::edn(history);
    if (one.verdict != wanted || alone != wanted) return false;
    ++verdicts[name(level) + (holds ? " holds" : " violated")];
    if (!holds) ++anomalies[std::string(name(table.findings[one.finding].anomaly))];
  }
  return true;
}

void compare(bool lists, std::size_t count, int most, std::uint64_t seed) {
  TransactionGenerator generator(seed);
  std::map<std::string, int> anomalies, verdicts;
  for (std::size_t i = 0; i < count; ++i) {
    const oracle::History history = generator.next(lists, most);
    try {
      if (agrees(history, anomalies, verdicts)) continue;
    } catch (const std::logic_error& error) {  // a certificate that is none
      ADD_FAILURE() << error.what() << "\n" << testing::edn(history);
    }
    ADD_FAILURE() << "history " << i;
    return;
  }
  for (const Level& level : all_levels()) {
    if (!lists && level.isolation == Isolation::ReadUncommitted) continue;  // asks nothing of registers
    EXPECT_GT(verdicts[name(level) + " holds"], 0);
    EXPECT_GT(verdicts[name(level) + " violated"], 0);
  }
  for (const auto& [what, times] : anomalies) {
    ::testing::Test::RecordProperty(what, times);
    if (testing::long_run()) std::printf("%-20s %d\n", what.c_str(), times);
  }
}

TEST(Transactions, ListsAgreeWithAllOrders) { compare(true, 600, 5, 1); }
TEST(Transactions, RegistersAgreeWithAllOrders) { compare(false, 600, 5, 2); }
TEST(Transactions, SlowListsAgreeWithAllOrders) { compare(true, count_of(1'000, 20'000), 7, 3); }
TEST(Transactions, SlowRegistersAgreeWithAllOrders) { compare(false, count_of(1'000, 20'000), 7, 4); }

}  // namespace
}  // namespace heddle::transactions_test
