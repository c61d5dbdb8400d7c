// Every isolation level against its definition, by brute force over all orders (support/isolation_oracle.h).
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "check/transactions/certificates.h"
#include "check/transactions/check_transactions.h"
#include "check/transactions/choices.h"
#include "check/transactions/restricted.h"
#include "support/isolation_oracle.h"
#include "support/long_run.h"
#include "support/register_stores.h"
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

// Some order that is only a guess is accepted if and only if the level holds: so what accepts orders knows the
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

// What stores of known kinds have recorded gets an answer, and the right one. Whether a store without promises has
// broken a level is not known beforehand, but these have.
void stores(std::size_t transactions, int keys, std::uint64_t seed) {
  const auto verdict = [&](testing::Store store, const Level& level) {
    const TransactionHistory history =
        testing::register_history({.store = store, .transactions = transactions, .keys = keys, .seed = seed});
    return check_transactions(history, {.asked = level}).verdict;
  };
  constexpr Level strict{Isolation::Serializable, Respects::RealTime};
  constexpr Level snapshot{Isolation::SnapshotIsolation, Respects::RealTime};
  EXPECT_EQ(verdict(testing::Store::Serial, strict), Verdict::Holds);
  EXPECT_EQ(verdict(testing::Store::Serial, {}), Verdict::Holds);
  EXPECT_EQ(verdict(testing::Store::Snapshot, snapshot), Verdict::Holds);
  EXPECT_EQ(verdict(testing::Store::Snapshot, strict), Verdict::Violated);
  EXPECT_EQ(verdict(testing::Store::Snapshot, {}), Verdict::Violated);
  EXPECT_EQ(verdict(testing::Store::Broken, snapshot), Verdict::Violated);
  EXPECT_EQ(verdict(testing::Store::Broken, {}), Verdict::Violated);
}
TEST(Transactions, RegistersOfLongRecordingsGetAnAnswer) {
  stores(1'000, 20, 1);
  stores(3'000, 10, 2);
}
// So long a history of snapshots also shows what a step of two edges may not be taken for.
TEST(Transactions, SlowRegistersOfLongRecordingsGetAnAnswer) { stores(100'000, 20, 1); }

// A store that keeps its promise is never said to break it, however few of its versions were read.
TEST(Transactions, StoresThatKeepTheirPromises) {
  for (std::uint64_t seed = 1; seed <= count_of(150, 3'000); ++seed) {
    const testing::StoreOptions options{.transactions = 100 + seed,
                                        .clients = static_cast<int>(2 + seed % 11),
                                        .keys = static_cast<int>(2 + seed % 31),
                                        .longest = static_cast<int>(1 + seed % 5),
                                        .writes_in_ten = static_cast<int>(2 + seed % 7),
                                        .seed = seed};
    for (const auto store : {testing::Store::Serial, testing::Store::Snapshot}) {
      testing::StoreOptions of = options;
      of.store = store;
      const TransactionHistory history = testing::register_history(of);
      const TransactionsResult result = check_transactions(history, {.all_levels = true, .most_steps = 2'000});
      const Isolation promised =
          store == testing::Store::Serial ? Isolation::Serializable : Isolation::SnapshotIsolation;
      for (const Level& level : all_levels()) {
        if (level.isolation > promised) continue;
        ASSERT_NE(result.of(level).verdict, Verdict::Violated) << name(level) << ", seed " << seed;
      }
      ASSERT_EQ(result.of({promised, Respects::RealTime}).verdict, Verdict::Holds) << seed;
    }
  }
}

// ... not even if the file says nothing about time, or what is false: then clauses over several pairs decide. One that
// lacks a literal rules out orders that are right, and one that rests on time has to go when the time goes.
TEST(Transactions, StoresThatKeepTheirPromisesInAnyOrder) {
  for (std::uint64_t seed = 1; seed <= count_of(200, 2'000); ++seed) {
    for (const auto store : {testing::Store::Serial, testing::Store::Snapshot}) {
      TransactionHistory history = testing::register_history({.store = store,
                                                              .transactions = 30 + seed % 60,
                                                              .clients = static_cast<int>(2 + seed % 11),
                                                              .keys = static_cast<int>(2 + seed % 31),
                                                              .longest = static_cast<int>(1 + seed % 5),
                                                              .writes_in_ten = static_cast<int>(2 + seed % 7),
                                                              .seed = seed});
      std::mt19937_64 random(seed);
      const bool has_times = seed % 2 == 0;
      // Where an event is put: anywhere, or near its place.
      std::uniform_real_distribution<double> anywhere(0, static_cast<double>(history.transactions.size())), near(0, 20),
          soon(0, 3);
      std::vector<std::pair<double, std::uint32_t*>> events;
      for (std::size_t t = 0; t < history.transactions.size(); ++t) {
        Transaction& one = history.transactions[t];
        one.process = never;
        const double begin = has_times ? static_cast<double>(t) + near(random) : anywhere(random);
        if (has_times) events.emplace_back(begin, &one.invoked);
        one.invoked = never;
        if (one.outcome != Outcome::Unknown) events.emplace_back(begin + soon(random), &one.returned);
      }
      history.has_invocations = has_times;
      history.events = 0;
      std::ranges::sort(events);
      for (const auto& [moment, event] : events) *event = history.events++;
      const Isolation promised =
          store == testing::Store::Serial ? Isolation::Serializable : Isolation::SnapshotIsolation;
      const TransactionsResult result = check_transactions(history, {.asked = {promised}, .most_steps = 300});
      ASSERT_EQ(result.verdict, Verdict::Holds) << "seed " << seed << (has_times ? ", with times" : "");
    }
  }
}

// The order of two versions that nobody has seen side by side is inferred, with the reason.
TEST(Transactions, AnOrderIsInferred) {
  // Transaction 2 has read what 1 wrote, and what 0 wrote to another key. So 0 overwrote nothing that 1 did: its x
  // comes first. Transaction 3 has seen that the other way round.
  oracle::History h;
  h.lists = false;
  const auto write = [](int key, int value) { return oracle::Op{oracle::Op::Write, key, value, {}}; };
  const auto read = [](int key, int value) { return oracle::Op{oracle::Op::Read, key, value, {}}; };
  const auto add = [&](std::vector<oracle::Op> ops) {
    const int t = static_cast<int>(h.txns.size());
    h.txns.push_back({oracle::Txn::Ok, t, t, 4 + t, std::move(ops)});
  };
  add({write(0, 1), write(1, 1)});
  add({write(0, 2), write(2, 2)});
  add({read(0, 2), read(1, 1)});
  add({read(0, 1), read(2, 2)});
  const TransactionsResult result = check_transactions(testing::recorded(h), {.all_levels = true});
  EXPECT_EQ(result.verdict, Verdict::Violated);
  const transactions::IsolationFinding& finding = result.findings[result.of(Level{}).finding];
  EXPECT_FALSE(finding.inferred.empty());
  for (const transactions::InferredOrder& one : finding.inferred) {
    EXPECT_TRUE(std::ranges::any_of(one.cycle, [](const transactions::CycleStep& step) { return step.assumed; }));
  }
  EXPECT_TRUE(std::ranges::none_of(finding.cycle, [](const transactions::CycleStep& step) { return step.assumed; }));
}

TEST(Transactions, WritesFollowReads) {
  oracle::History h;
  h.lists = false;
  for (int t = 0; t < 2; ++t) {
    h.txns.push_back(
        {oracle::Txn::Ok, t, t, 2 + t, {{oracle::Op::Read, 0, 2 - t, {}}, {oracle::Op::Write, 0, 1 + t, {}}}});
  }
  const Level uncommitted{Isolation::ReadUncommitted, Respects::Nothing};
  EXPECT_EQ(check_transactions(testing::recorded(h), {.asked = uncommitted}).verdict, Verdict::Holds);
  const TransactionsResult assumed =
      check_transactions(testing::recorded(h), {.asked = uncommitted, .writes_follow_reads = true});
  EXPECT_EQ(assumed.verdict, Verdict::Violated);
  EXPECT_EQ(assumed.findings.front().anomaly, Anomaly::G0);
}

// Chosen are literals of every clause, if there is a choice at all.
TEST(Choices, AgreeWithAllAnswers) {
  using transactions::Choices;
  std::mt19937_64 random(9);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); };
  int possible = 0, impossible = 0;
  for (int round = 0; round < 500; ++round) {
    const int variables = 1 + below(7);
    Choices choices;
    for (int v = 0; v < variables; ++v) choices.variable();
    std::vector<std::vector<Choices::Literal>> clauses;
    for (int count = below(30); count >= 0; --count) {
      std::vector<Choices::Literal>& clause = clauses.emplace_back();
      for (int size = below(3); size >= 0; --size) {
        const auto literal = static_cast<Choices::Literal>(below(2 * variables));
        if (std::ranges::find(clause, literal) == clause.end()) clause.push_back(literal);
      }
      choices.add(clause);
      bool any = false;
      for (unsigned answers = 0; answers < 1U << variables && !any; ++answers) {
        any = std::ranges::all_of(clauses, [&](const auto& one) {
          return std::ranges::any_of(one, [&](Choices::Literal l) { return (answers >> (l >> 1) & 1) == (l & 1); });
        });
      }
      ASSERT_EQ(choices.solve(), any);
      ++(any ? possible : impossible);
      if (!any) break;
      for (const auto& one : clauses) {
        ASSERT_TRUE(std::ranges::any_of(one, [&](Choices::Literal l) { return choices.is_chosen(l); }));
      }
    }
  }
  EXPECT_GT(possible, 100);
  EXPECT_GT(impossible, 100);
}

// As many clauses of three as are hard: many conflicts, so that what is learned from one decides later ones. A learned
// clause that lacks a literal forbids what is possible.
TEST(Choices, HardOnesAgreeWithAllAnswers) {
  using transactions::Choices;
  constexpr unsigned variables = 12;
  constexpr int most = 56;
  std::mt19937_64 random(9);
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  int possible = 0, impossible = 0;
  std::uint64_t conflicts = 0;
  for (std::size_t round = 0; round < count_of(200, 5'000); ++round) {
    Choices choices;
    for (unsigned v = 0; v < variables; ++v) choices.variable();
    struct Clause {
      unsigned yes = 0, no = 0;  // sets of variables
    };
    std::vector<Clause> clauses;
    const auto holds = [&](unsigned answers) {
      return std::ranges::all_of(
          clauses, [&](const Clause& one) { return (answers & one.yes) != 0 || (~answers & one.no) != 0; });
    };
    bool any = true;
    for (int i = 0; i < most && any; ++i) {
      Clause& clause = clauses.emplace_back();
      std::vector<Choices::Literal> literals;
      while (literals.size() < 3) {
        const unsigned variable = below(variables), bit = 1U << variable;
        if (((clause.yes | clause.no) & bit) != 0) continue;
        const bool yes = below(2) == 0;
        (yes ? clause.yes : clause.no) |= bit;
        literals.push_back(yes ? Choices::yes(variable) : Choices::no(variable));
      }
      choices.add(literals);
      if (i < most * 3 / 4 || below(4) != 0) continue;
      any = false;
      for (unsigned answers = 0; answers < 1U << variables && !any; ++answers) any = holds(answers);
      ASSERT_EQ(choices.solve(), any) << "round " << round;
      ++(any ? possible : impossible);
      if (!any) break;
      unsigned yes = 0, no = 0;
      for (unsigned v = 0; v < variables; ++v) {
        yes |= choices.is_chosen(Choices::yes(v)) ? 1U << v : 0U;
        no |= choices.is_chosen(Choices::no(v)) ? 1U << v : 0U;
      }
      ASSERT_EQ(yes & no, 0U);
      // What is left open may be either way.
      ASSERT_TRUE(holds(yes) && holds(~no));
    }
    conflicts += choices.conflicts();
  }
  EXPECT_GT(possible, 100);
  EXPECT_GT(impossible, 30);
  EXPECT_GT(conflicts, 500u);
}

}  // namespace
}  // namespace heddle::transactions_test
