#include "core/pair_table.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <thread>
#include <unordered_map>

#include "core/reclaim.h"

namespace heddle::pair_table_test {
namespace {

TEST(PairTable, NumbersKeysInOrderOfInsertion) {
  PairTable table;
  EXPECT_EQ(table.find(42), 0u);
  for (std::uint64_t key = 100; key < 200; ++key) {
    const auto inserted = table.insert(key);
    EXPECT_TRUE(inserted.is_new);
    EXPECT_EQ(inserted.number, key - 99);
    EXPECT_EQ(table.key(inserted.number), key);
  }
  EXPECT_FALSE(table.insert(150).is_new);
  EXPECT_EQ(table.insert(150).number, 51u);
  EXPECT_EQ(table.size(), 100u);
}

RC_GTEST_PROP(PairTable, AgreesWithAMap, (const std::vector<std::uint16_t>& keys, bool few_segments)) {
  PairTable table(few_segments ? 0 : 4);
  std::unordered_map<std::uint64_t, std::uint32_t> map;
  for (const std::uint64_t raw : keys) {
    const std::uint64_t key = raw * 0x100000001ull + 1;
    const auto inserted = table.insert(key);
    const auto [it, is_new] = map.try_emplace(key, inserted.number);
    RC_ASSERT(inserted.is_new == is_new);
    RC_ASSERT(inserted.number == it->second);
    RC_ASSERT(table.find(key) == it->second);
  }
  RC_ASSERT(table.size() == map.size());
}

// Far more keys than a segment starts with, so that segments grow in size and entries in number bits many times.
TEST(PairTable, KeepsEveryKeyWhileItGrows) {
  PairTable table(2);
  constexpr std::uint64_t count = 300'000;
  for (std::uint64_t i = 1; i <= count; ++i) ASSERT_TRUE(table.insert(i * i * 0x9E3779B97F4A7C15u | 1).is_new || i > 1);
  std::set<std::uint64_t> distinct;
  for (std::uint64_t i = 1; i <= count; ++i) distinct.insert(i * i * 0x9E3779B97F4A7C15u | 1);
  EXPECT_EQ(table.size(), distinct.size());
  for (const std::uint64_t key : distinct) ASSERT_NE(table.find(key), 0u);
}

TEST(PairTable, StaysCompact) {
  PairTable table(4);
  for (std::uint64_t i = 1; i <= 200'000; ++i) table.insert(i);
  EXPECT_LE(static_cast<double>(table.bytes()) / 200'000, 16.0);
}

// Threads insert overlapping ranges in different orders while segments grow under them. Every key must end up in the
// table exactly once, and all threads must be told the same number for it.
TEST(PairTable, ThreadsAgreeOnNumbers) {
  constexpr std::uint64_t keys = 60'000;
  constexpr unsigned threads = 4;
  for (int round = 0; round < 3; ++round) {
    PairTable table(1);
    std::vector<std::vector<std::uint32_t>> numbers(threads, std::vector<std::uint32_t>(keys));
    std::vector<std::uint64_t> fresh(threads);
    {
      std::vector<std::jthread> workers;
      for (unsigned t = 0; t < threads; ++t) {
        workers.emplace_back([&, t] {
          Reclaimer::Worker worker;
          for (std::uint64_t i = 0; i < keys; ++i) {
            const std::uint64_t k = t % 2 == 0 ? i : keys - 1 - i;
            const auto inserted = table.insert(k + 1);
            numbers[t][k] = inserted.number;
            fresh[t] += inserted.is_new;
            if (i % 64 == 0) worker.quiescent();
          }
        });
      }
    }
    EXPECT_EQ(table.size(), keys);
    std::uint64_t total = 0;
    for (const std::uint64_t f : fresh) total += f;
    EXPECT_EQ(total, keys);
    for (unsigned t = 1; t < threads; ++t) ASSERT_EQ(numbers[t], numbers[0]);
    for (std::uint64_t k = 0; k < keys; ++k) ASSERT_EQ(table.key(numbers[0][k]), k + 1);
  }
}

}  // namespace
}  // namespace heddle::pair_table_test
