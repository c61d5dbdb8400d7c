// Every isolation level against its definition, by brute force over all orders (support/isolation_oracle.h).
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "check/transactions/certificates.h"
#include "check/transactions/check_transactions.h"
#include "check/transactions/restricted.h"
#include "support/isolation_oracle.h"
#include "support/long_run.h"
#include "support/transaction_histories.h"

namespace heddle::transactions_test {
namespace {

using testing::count_of;
using testing::TransactionGenerator;

// Compares all levels. Returns false at the first difference, so that a mutated checker does not print thousands.
bool agrees(const oracle::History& history, std::map<std::string, int>& anomalies,
            std::map<std::string, int>& verdicts) {
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

// Some order that is no more than a guess is accepted if and only if the level holds: so what accepts orders knows the
// levels as well as the oracle does.
bool some_order_is_accepted(const TransactionHistory& history, const Level& level) {
  const auto n = static_cast<std::uint32_t>(history.transactions.size());
  for (unsigned chosen = 0; chosen < (1U << n); ++chosen) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t t = 0; t < n; ++t) {
      if ((chosen >> t & 1) == 0) continue;
      if (level.isolation != Isolation::SnapshotIsolation) {
        order.push_back(t);
      } else {
        order.push_back(2 * t);
        order.push_back(2 * t + 1);
      }
    }
    do {
      if (transactions::replay(history, level, order).empty()) return true;
    } while (std::next_permutation(order.begin(), order.end()));
  }
  return false;
}

TEST(Transactions, CertificatesAgreeWithAllOrders) {
  TransactionGenerator generator(5);
  for (std::size_t i = 0; i < count_of(400, 10'000); ++i) {
    const oracle::History history = generator.next(i % 2 == 0, 4);
    const TransactionHistory recorded = testing::recorded(history);
    const oracle::Verdicts expected = oracle::Oracle(history).verdicts();
    for (const Level& level : all_levels()) {
      if (level.isolation == Isolation::SnapshotIsolation && history.txns.size() > 3) continue;
      const bool holds = expected[static_cast<std::size_t>(level.isolation)][static_cast<std::size_t>(level.respects)];
      ASSERT_EQ(some_order_is_accepted(recorded, level), holds) << name(level) << "\n" << testing::edn(history);
    }
  }
}

// Without invocations there is no real time, and all else is as before.
TEST(Transactions, CompletionsOnlyHaveSessions) {
  TransactionGenerator generator(6);
  for (std::size_t i = 0; i < 200; ++i) {
    oracle::History history = generator.next(true, 5);
    for (std::size_t t = 0; t < history.txns.size(); ++t) {
      history.txns[t].invoked = static_cast<int>(2 * t);
      history.txns[t].returned = static_cast<int>(2 * t + 1);
    }
    const TransactionsResult whole = check_transactions(testing::recorded(history), {.all_levels = true});
    const TransactionsResult bare = check_transactions(testing::recorded(history, false), {.all_levels = true});
    for (const Level& level : all_levels()) {
      if (level.respects == Respects::RealTime) continue;
      EXPECT_EQ(whole.of(level).verdict, bare.of(level).verdict) << name(level);
    }
  }
}

// The smaller history still breaks the level.
TEST(Transactions, WhatIsRestrictedKeepsItsLevels) {
  TransactionGenerator generator(8);
  for (std::size_t i = 0; i < count_of(500, 5'000); ++i) {
    const oracle::History history = generator.next(i % 2 == 0, 6);
    const TransactionHistory whole = testing::recorded(history);
    std::vector<std::uint32_t> kept;
    for (std::uint32_t t = 0; t < whole.transactions.size(); ++t) {
      if ((i * 31 + std::size_t{t} * 7) % 3 != 0) kept.push_back(t);
    }
    if (kept.empty()) continue;
    const TransactionsResult before = check_transactions(whole, {.all_levels = true});
    const TransactionsResult after = check_transactions(transactions::restricted(whole, kept), {.all_levels = true});
    for (const Level& level : all_levels()) {
      if (before.of(level).verdict != Verdict::Holds) continue;
      ASSERT_EQ(after.of(level).verdict, Verdict::Holds) << name(level) << "\n" << testing::edn(history);
    }
  }
}

}  // namespace
}  // namespace heddle::transactions_test
