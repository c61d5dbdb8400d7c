// Decision trees against the functions they remember.
#include "core/decision_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "core/reclaim.h"

namespace heddle::decision_tree_test {
namespace {

// Function i reads up to four of eight values; which, and what it makes of them, is a hash of i and of what it has
// read.
struct Hashed {
  std::uint32_t i;
  const std::vector<std::uint32_t>& values;
  std::vector<std::uint32_t> reads;

  std::uint32_t run() {
    std::uint32_t seen = i * 2654435761u + 1;
    for (std::uint32_t n = 0; n < i % 5; ++n) {
      const std::uint32_t what = (seen >> 7) % 8;
      if (std::find(reads.begin(), reads.end(), what) == reads.end()) reads.push_back(what);
      seen = (seen ^ (values[what] + 1)) * 0x9E3779B1u;
    }
    return seen % 1000;
  }
};

class Memo {
 public:
  std::uint32_t evaluate(std::uint32_t i, const std::vector<std::uint32_t>& values, DecisionTrees::Recent& recent) {
    const auto value_of = [&](std::uint32_t what) { return values[what]; };
    const auto walked = trees.walk(i, recent, value_of);
    if (walked.known()) return walked.result();
    ++runs;
    Hashed function{i, values, {}};
    const std::uint32_t result = function.run();
    trees.lengthen(walked, function.reads, value_of, result);
    return result;
  }

  DecisionTrees trees;
  std::atomic<int> runs{0};
};

std::vector<std::uint32_t> random_values(std::mt19937& random) {
  std::vector<std::uint32_t> values(8);
  for (std::uint32_t& v : values) v = random() % 3;
  return values;
}

TEST(DecisionTrees, GiveWhatTheFunctionGivesAndRunItOncePerCombinationRead) {
  Memo memo;
  DecisionTrees::Recent recent;
  std::mt19937 random(1);
  std::set<std::pair<std::uint32_t, std::vector<std::pair<std::uint32_t, std::uint32_t>>>> combinations;
  for (int n = 0; n < 20'000; ++n) {
    const auto values = random_values(random);
    const std::uint32_t i = random() % 20;
    Hashed function{i, values, {}};
    const std::uint32_t expected = function.run();
    ASSERT_EQ(memo.evaluate(i, values, recent), expected);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> read;
    for (const std::uint32_t what : function.reads) read.emplace_back(what, values[what]);
    combinations.emplace(i, read);
    ASSERT_EQ(memo.trees.reads_nothing(i), function.reads.empty());
  }
  EXPECT_EQ(static_cast<std::size_t>(memo.runs), combinations.size());
  // Leaves are the combinations, from the last read to the first; those of functions that read nothing are not listed.
  std::size_t leaves = 0;
  memo.trees.each_leaf([&](std::uint32_t i, std::span<const DecisionTrees::Found> found, std::uint32_t result) {
    ++leaves;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> read;
    for (auto f = found.rbegin(); f != found.rend(); ++f) read.emplace_back(f->what, f->value);
    EXPECT_TRUE(combinations.contains({i, read}));
    std::vector<std::uint32_t> values(8);
    for (const auto& [what, value] : read) values[what] = value;
    EXPECT_EQ((Hashed{i, values, {}}.run()), result);
  });
  EXPECT_EQ(leaves + 4, combinations.size());  // functions 0, 5, 10, 15 read nothing
}

TEST(DecisionTrees, AreSharedByThreads) {
  Memo memo;
  const auto work = [&](unsigned seed) {
    const Reclaimer::Worker worker;
    DecisionTrees::Recent recent;
    std::mt19937 random(seed);
    for (int n = 0; n < 20'000; ++n) {
      const auto values = random_values(random);
      const std::uint32_t i = random() % 20;
      if (memo.evaluate(i, values, recent) != (Hashed{i, values, {}}.run())) ADD_FAILURE() << i;
    }
  };
  std::thread other(work, 1);
  work(2);
  other.join();
}

TEST(DecisionTrees, ACacheOfOtherTreesIsNotBelieved) {
  DecisionTrees::Recent recent;
  DecisionTrees one, other;
  EXPECT_NE(one.id(), other.id());
  const auto value_of = [](std::uint32_t) { return 7u; };
  const std::uint32_t reads[] = {3};
  one.lengthen(one.walk(0, recent, value_of), reads, value_of, 1);
  other.lengthen(other.walk(0, recent, value_of), reads, value_of, 2);
  EXPECT_EQ(one.walk(0, recent, value_of).result(), 1u);
  EXPECT_EQ(other.walk(0, recent, value_of).result(), 2u);
}

// A function that is not pure reads less the second time: its result is kept, and nothing else is harmed.
TEST(DecisionTrees, AFunctionThatReadsLessThanBeforeIsNoDisaster) {
  DecisionTrees trees;
  DecisionTrees::Recent recent;
  std::uint32_t value = 0;
  const auto value_of = [&](std::uint32_t) { return value; };
  const std::uint32_t reads[] = {0, 1};
  trees.lengthen(trees.walk(0, recent, value_of), reads, value_of, 5);
  value = 1;
  const auto walked = trees.walk(0, recent, value_of);
  EXPECT_FALSE(walked.known());
  trees.lengthen(walked, {}, value_of, 6);
  EXPECT_EQ(trees.walk(0, recent, value_of).result(), 6u);
  value = 0;
  EXPECT_EQ(trees.walk(0, recent, value_of).result(), 5u);
}

}  // namespace
}  // namespace heddle::decision_tree_test
