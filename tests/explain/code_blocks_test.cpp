// Blocks of code around segments of executions, and the order of repairs.
#include "explain/code_blocks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "support/long_run.h"

namespace heddle::explain::code_blocks_test {
namespace {

using ::testing::ElementsAre;

// { a; while { b; if { c; d; } } e; }     and another function     { f; }
enum : std::uint32_t { body, a, loop, b, test, c, d, e, other, f };
const StatementTree tree = {
    {},
    {.parent = body, .order = 0},
    {.parent = body, .order = 1, .loop = true},
    {.parent = loop, .order = 0},
    {.parent = loop, .order = 1},
    {.parent = test, .order = 0},
    {.parent = test, .order = 1},
    {.parent = body, .order = 2},
    {},
    {.parent = other, .order = 0},
};
const CodeBlocks blocks(tree);

// One invocation, one thread; makes instances as the execution goes.
struct Walk {
  RecordedExecution execution{.threads = 1, .instances = {{body, nothing, 0}}, .actions = {}};
  std::uint32_t loop_instance = nothing, test_instance = nothing, iteration = 0;

  std::uint32_t instance(std::uint32_t statement, std::uint32_t parent, std::uint32_t of_iteration = 0) {
    execution.instances.push_back({statement, parent, of_iteration});
    return static_cast<std::uint32_t>(execution.instances.size() - 1);
  }
  // Returns the action.
  std::uint32_t act(std::uint32_t statement) {
    if (tree[statement].parent != body && statement != loop && loop_instance == nothing) {
      loop_instance = instance(loop, 0);
    }
    if (statement == loop && loop_instance == nothing) loop_instance = instance(loop, 0);
    std::uint32_t own = 0;
    if (statement == loop) {
      own = loop_instance;
    } else if (tree[statement].parent == body) {
      own = instance(statement, 0);
    } else if (statement == b) {
      own = instance(b, loop_instance, iteration);
    } else {
      if (test_instance == nothing) test_instance = instance(test, loop_instance, iteration);
      own = statement == test ? test_instance : instance(statement, test_instance);
    }
    execution.actions.push_back({.instance = own, .line = statement});
    return static_cast<std::uint32_t>(execution.actions.size() - 1);
  }
  void again() { ++iteration, test_instance = nothing; }
};

TEST(CodeBlocks, AreTheShortestRunOfSiblings) {
  Walk w;
  const auto at_a = w.act(a), at_b = w.act(b), at_c = w.act(c), at_d = w.act(d), at_e = w.act(e);
  EXPECT_EQ(blocks.around(w.execution, at_a, at_a), (CodeBlock{a, a}));
  EXPECT_EQ(blocks.around(w.execution, at_c, at_d), (CodeBlock{c, d}));
  EXPECT_EQ(blocks.around(w.execution, at_b, at_c), (CodeBlock{b, test}));
  EXPECT_EQ(blocks.around(w.execution, at_a, at_c), (CodeBlock{a, loop})) << "an inner loop is never cut";
  EXPECT_EQ(blocks.around(w.execution, at_a, at_e), (CodeBlock{a, e}));
}

TEST(CodeBlocks, EndsInDifferentIterationsTakeTheWholeLoop) {
  Walk w;
  const auto first = w.act(c);
  w.again();
  const auto second = w.act(d);
  EXPECT_EQ(blocks.around(w.execution, first, second), (CodeBlock{loop, loop}));
}

TEST(CodeBlocks, AConditionNeedsItsWholeStatement) {
  Walk w;
  const auto condition = w.act(test), inside = w.act(d);
  EXPECT_EQ(blocks.around(w.execution, condition, inside), (CodeBlock{test, test}));
  const auto of_loop = w.act(loop);
  EXPECT_EQ(blocks.around(w.execution, inside, of_loop), (CodeBlock{loop, loop}));
}

TEST(CodeBlocks, NormalisingMergesWhatOverlapsAndDropsWhatIsInside) {
  Repair repair = {{c, c}, {loop, e}, {a, loop}, {f, f}, {a, a}};
  blocks.normalise(repair);
  EXPECT_THAT(repair, ElementsAre(CodeBlock{a, e}, CodeBlock{f, f}));
  Repair apart = {{e, e}, {a, a}};
  blocks.normalise(apart);
  EXPECT_THAT(apart, ElementsAre(CodeBlock{a, a}, CodeBlock{e, e})) << "neighbours are two sections";
}

TEST(CodeBlocks, ContainWhatStandsInside) {
  EXPECT_TRUE(blocks.contains({loop, loop}, {c, d}));
  EXPECT_TRUE(blocks.contains({body, body}, {a, e}));
  EXPECT_FALSE(blocks.contains({c, d}, {test, test}));
  EXPECT_FALSE(blocks.contains({body, body}, {f, f}));
  EXPECT_FALSE(blocks.contains({other, other}, {body, body}));
  EXPECT_TRUE(blocks.subsumes({{a, loop}, {f, f}}, {{b, b}, {d, d}}));
  EXPECT_FALSE(blocks.subsumes({{b, b}}, {{a, loop}}));
  EXPECT_EQ(blocks.statements_in({{a, loop}}), 6);
}

// The instances of a block are intervals; two iterations are two, unless the loop is part of it.
TEST(CodeBlocks, MakeOneIntervalOfEachInstance) {
  Walk w;
  w.act(a), w.act(b), w.act(c), w.again(), w.act(b), w.act(c), w.act(d), w.act(e);
  EXPECT_THAT(blocks.intervals(w.execution, {{b, test}}), ElementsAre(0, 1, 1, 2, 2, 2, 3));
  EXPECT_THAT(blocks.intervals(w.execution, {{c, d}}), ElementsAre(0, 1, 2, 3, 4, 4, 5));
  EXPECT_THAT(blocks.intervals(w.execution, {{loop, e}}), ElementsAre(0, 1, 1, 1, 1, 1, 1));
  EXPECT_THAT(blocks.intervals(w.execution, {}), ElementsAre(0, 1, 2, 3, 4, 5, 6));
}

// A random walk through the statements above, in an order that the code allows.
TEST(CodeBlocks, OfASmallerSegmentAreNeverLarger) {
  std::mt19937_64 random(11);
  for (std::size_t n = 0; n < heddle::testing::count_of(300, 10'000); ++n) {
    Walk w;
    if (random() % 2 == 0) w.act(a);
    for (std::uint64_t i = 0, rounds = random() % 4; i < rounds; ++i) {
      if (random() % 2 == 0) w.act(loop);
      if (random() % 2 == 0) w.act(b);
      for (const std::uint32_t s : {test, c, d}) {
        if (random() % 2 == 0) w.act(s);
      }
      w.again();
    }
    if (random() % 2 == 0) w.act(e);
    const auto count = static_cast<std::uint32_t>(w.execution.actions.size());
    for (std::uint32_t i = 0; i < count; ++i) {
      for (std::uint32_t j = i; j < count; ++j) {
        const CodeBlock outer = blocks.around(w.execution, i, j);
        if (i < j) {
          ASSERT_TRUE(blocks.contains(outer, blocks.around(w.execution, i + 1, j)));
          ASSERT_TRUE(blocks.contains(outer, blocks.around(w.execution, i, j - 1)));
        }
        const auto intervals = blocks.intervals(w.execution, {outer});
        ASSERT_EQ(intervals[i], intervals[j]) << "a block holds both ends in one instance";
      }
    }
  }
}

}  // namespace
}  // namespace heddle::explain::code_blocks_test
