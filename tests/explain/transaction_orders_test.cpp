// What is said of orders of transactions, and of versions whose order nobody has seen.
#include "explain/transaction_orders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/transaction_histories.h"

namespace heddle::explain::transaction_orders_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

oracle::History registers(std::vector<std::vector<oracle::Op>> transactions) {
  oracle::History h;
  h.lists = false;
  for (auto& ops : transactions) {
    const int t = static_cast<int>(h.txns.size());
    h.txns.push_back({oracle::Txn::Ok, t, t, static_cast<int>(transactions.size()) + t, std::move(ops)});
  }
  return h;
}
oracle::Op write(int key, int value) { return {oracle::Op::Write, key, value, {}}; }
oracle::Op read(int key, int value) { return {oracle::Op::Read, key, value, {}}; }

TEST(TransactionOrders, WhatStaysOpenIsNamed) {
  const TransactionHistory open = heddle::testing::recorded(registers({{write(0, 1)}, {write(0, 2)}, {write(1, 1)}}));
  const std::string text = explain_open(open, {"h.edn", 60, false});
  EXPECT_THAT(text, HasSubstr("(2 versions, of lines "));
  EXPECT_THAT(text, Not(HasSubstr(";"))) << "one version has an order";
  EXPECT_EQ(explain_open(heddle::testing::recorded(registers({{write(0, 1)}})), {"h.edn", 60, false}), "");
  // More keys, and more versions, than a sentence can hold.
  std::vector<std::vector<oracle::Op>> many;
  for (int i = 1; i < 10; ++i) {
    many.emplace_back();
    for (int key = 0; key < 8; ++key) many.back().push_back(write(key, i));
  }
  EXPECT_THAT(explain_open(heddle::testing::recorded(registers(many)), {"h.edn", 10'000, false}),
              ::testing::AllOf(HasSubstr("(9 versions"), HasSubstr(", ...)"), HasSubstr("and 3 other keys")));
}

TEST(TransactionOrders, StartsAndCommitsAreEvents) {
  const TransactionHistory history =
      heddle::testing::recorded(registers({{read(0, 0), write(1, 1)}, {read(1, 0), write(0, 1)}}));
  const TransactionsResult result = check_transactions(history, {.asked = *level_named("snapshot-isolation")});
  ASSERT_EQ(result.verdict, Verdict::Holds);
  const std::vector<OrderEvent> events = events_of(result.certificates.back());
  ASSERT_EQ(events.size(), 4u);
  std::vector<bool> started(2, false);
  for (const OrderEvent& event : events) {
    ASSERT_NE(event.kind, OrderEvent::Kind::Whole);
    EXPECT_EQ(started[event.transaction], event.kind == OrderEvent::Kind::Commit);
    started[event.transaction] = true;
  }
  const std::string text =
      explain_order(history, *level_named("snapshot-isolation"), result.certificates.back(), {"h.edn", 80, false}, 2);
  EXPECT_THAT(text, HasSubstr("starts"));
  EXPECT_THAT(text, HasSubstr("... and 2 more"));
}

}  // namespace
}  // namespace heddle::explain::transaction_orders_test
