// Depth-first search with reductions: nothing is postponed for ever, and paths between representatives become runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <latch>
#include <random>
#include <set>
#include <thread>

#include "core/facets/describer.h"
#include "explore/search.h"
#include "support/silent_describer.h"

namespace heddle::depth_first_test {
namespace {

using Graph = std::vector<std::vector<std::uint32_t>>;

// Several graphs side by side, a slot each; a transition is an edge of one of them.
class Product : public TransitionSystem, private testing::SilentDescriber {
 public:
  const Describer& describer() const override { return *this; }
  explicit Product(std::vector<Graph> graphs, std::function<bool(std::span<const Slot>)> good = {})
      : graphs_(std::move(graphs)), good_(std::move(good)) {
    if (good_) properties_.push_back({"good", Property::Kind::Always});
  }
  std::vector<SlotVector> initial_states() const override { return {SlotVector(graphs_.size(), 1)}; }
  void expand(std::span<const Slot> state, StepBuffer& out) const override {
    for (std::uint32_t g = 0; g < graphs_.size(); ++g) {
      const auto& targets = graphs_[g][state[g] - 1];
      for (std::uint32_t k = 0; k < targets.size(); ++k) {
        out.begin({g, k});
        out.change(g, targets[k] + 1);
      }
    }
  }
  std::uint32_t transition_count() const override { return static_cast<std::uint32_t>(graphs_.size()); }
  std::string transition_name(std::uint32_t t) const override { return std::to_string(t); }
  void footprint(std::span<const Slot>, Step step, std::vector<Access>& out) const override {
    out = {{step.transition, Access::Kind::Write}};
  }
  std::span<const Property> properties() const override { return properties_; }
  std::uint64_t evaluate(std::span<const Slot> state, std::uint64_t) const override {
    return !good_ || good_(state) ? 1 : 0;
  }
  std::size_t bytes() const override { return 0; }

 private:
  std::vector<Graph> graphs_;
  std::function<bool(std::span<const Slot>)> good_;
  std::vector<Property> properties_;
};

// Only the first graph's steps, wherever it has any. The graphs share nothing, so this is a stubborn set, and one whose
// steps no property of the others can see.
class FirstGraphFirst : public Selector {
 public:
  std::size_t select(std::span<const Slot>, const StepBuffer& steps, std::size_t first,
                     std::vector<char>& keep) override {
    const std::size_t count = steps.size() - first;
    keep.assign(count, 0);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) kept += keep[i] = steps.step(first + i).transition == 0 ? 1 : 0;
    if (kept > 0) return kept;
    keep.assign(count, 1);
    return count;
  }
};

Graph random_graph(std::mt19937_64& random) {
  Graph graph(1 + random() % 4);
  for (auto& targets : graph) {
    for (std::uint64_t k = random() % 3; k > 0; --k)
      targets.push_back(static_cast<std::uint32_t>(random() % graph.size()));
  }
  return graph;
}

std::vector<SearchOptions> every_depth_first_search(bool lossy) {
  std::vector<SearchOptions> all;
  for (const unsigned threads : {1u, 2u}) {
    for (const bool push : {false, true}) {
      SearchOptions o;
      o.order = SearchOptions::Order::DepthFirst;
      o.threads = threads;
      o.selective_push = push;
      o.bitstate_bytes = std::size_t{1} << 16;
      for (const bool compressed : {true, false}) {
        o.tree_compression = compressed;
        all.push_back(o);
      }
      o.tree_compression = true;
      o.store = SearchOptions::Store::HashCompact;
      if (lossy) all.push_back(o);
    }
  }
  return all;
}

TEST(DepthFirst, SlowNoStepIsPostponedForEver) {
  std::mt19937_64 random(1);
  std::uint64_t states = 0, reduced = 0;
  for (int i = 0; i < 400; ++i) {
    const Graph first = random_graph(random), second = random_graph(random);
    const auto bad = static_cast<Slot>(1 + random() % 4);
    const Product system({first, second}, [bad](std::span<const Slot> s) { return s[1] != bad; });
    SearchOptions full;
    full.stop_at_violation = false;
    const SearchResult expected = search(system, full);
    for (SearchOptions o : every_depth_first_search(true)) {
      o.stop_at_violation = false;
      o.selector = [] { return std::make_unique<FirstGraphFirst>(); };
      const SearchResult r = search(system, o);
      ASSERT_EQ(r.violations.size(), expected.violations.size())
          << "graph " << i << ", " << o.threads << " threads, selective push " << o.selective_push;
      EXPECT_EQ(r.counters.deadlocks, expected.counters.deadlocks);
      EXPECT_LE(r.counters.states, expected.counters.states);
      for (const Finding& f : r.violations) {
        const auto run = follow(system, f.path);
        ASSERT_TRUE(run.has_value());
        EXPECT_EQ(run->back()[1], bad);
      }
      states += expected.counters.states;
      reduced += r.counters.states;
    }
  }
  EXPECT_LT(reduced, states) << "nothing was reduced";
}

// Two threads on a cycle, each at one of its states: the other's state is on no path of its own, and still nobody will
// come by it again.
TEST(DepthFirst, ThePathOfAnotherThreadIsNotKnown) {
  class TwoStarts : public Product {
   public:
    using Product::Product;
    std::vector<SlotVector> initial_states() const override { return {{1, 1}, {2, 1}}; }
  };
  // Lets nobody choose before both have entered their first state.
  class Together : public FirstGraphFirst {
   public:
    explicit Together(std::latch& entered) : entered_(&entered) {}
    std::size_t select(std::span<const Slot> state, const StepBuffer& steps, std::size_t first,
                       std::vector<char>& keep) override {
      if (entered_ != nullptr) std::exchange(entered_, nullptr)->arrive_and_wait();
      return FirstGraphFirst::select(state, steps, first, keep);
    }

   private:
    std::latch* entered_;
  };
  const Graph cycle{{1}, {0}}, chain{{1}, {}};
  const TwoStarts system({cycle, chain}, [](std::span<const Slot> s) { return s[1] == 1; });
  for (const bool push : {false, true}) {
    SearchOptions o;
    o.order = SearchOptions::Order::DepthFirst;
    o.threads = 2;
    o.selective_push = push;
    std::latch entered(2);
    o.selector = [&] { return std::make_unique<Together>(entered); };
    EXPECT_EQ(search(system, o).verdict, Verdict::Violated);
  }
}

// A subtree that was given away knows the whole path to it: in a tree there is no other.
TEST(DepthFirst, PathsOfSubtreesGivenAwayAreRuns) {
  Graph tree(4096);
  for (std::uint32_t n = 0; 2 * n + 2 < tree.size(); ++n) tree[n] = {2 * n + 1, 2 * n + 2};
  std::mt19937_64 random(2);
  for (int i = 0; i < 40; ++i) {
    const auto bad = static_cast<Slot>(2049 + random() % 2047);
    const Product system({tree}, [bad](std::span<const Slot> s) {
      if (s[0] % 64 == 0) std::this_thread::yield();  // so that others come to ask for work
      return s[0] != bad;
    });
    SearchOptions o;
    o.order = SearchOptions::Order::DepthFirst;
    o.threads = 4;
    o.selective_push = i % 2 == 0;
    const SearchResult r = search(system, o);
    ASSERT_EQ(r.violations.size(), 1u);
    const auto run = follow(system, r.violations[0].path);
    ASSERT_TRUE(run.has_value());
    EXPECT_EQ(run->back()[0], bad);
  }
}

// Where nothing is cyclic there is nothing to guard against: two chains, one order.
TEST(DepthFirst, AcyclicSystemsAreReducedInFull) {
  const Graph chain{{1}, {2}, {3}, {}};
  const Product system({chain, chain});
  for (SearchOptions o : every_depth_first_search(true)) {
    EXPECT_EQ(search(system, o).counters.states, 16u);
    o.selector = [] { return std::make_unique<FirstGraphFirst>(); };
    const SearchResult r = search(system, o);
    EXPECT_EQ(r.counters.states, 7u);
    EXPECT_EQ(r.counters.transitions, 6u);
    // One step to execute in every state: with selective push-on-stack there is no frame at all.
    EXPECT_EQ(r.counters.pushes, o.selective_push ? 0u : 7u);
    // Where threads take over subtrees from each other, how much lies on one stack is a matter of chance.
    if (o.threads == 1) {
      EXPECT_EQ(r.counters.stack, o.selective_push ? 0u : 7u);
    }
  }
}

// Equal graphs may change places.
class Sorted : public Canonicalizer {
 public:
  void canonical(SlotVector& state) override { std::sort(state.begin(), state.end()); }
};

TEST(DepthFirst, RepresentativesAreStoredAndPathsAreRuns) {
  const Graph chain{{1}, {2}, {3}, {}};
  // All of them at the places 1, 2, 4, in any order.
  const Product system({chain, chain, chain}, [](std::span<const Slot> s) {
    SlotVector sorted(s.begin(), s.end());
    std::sort(sorted.begin(), sorted.end());
    return sorted != SlotVector{1, 2, 4};
  });
  for (SearchOptions o : every_depth_first_search(true)) {
    o.stop_at_violation = false;
    EXPECT_EQ(search(system, o).counters.states, 64u);
    o.canonicalizer = [] { return std::make_unique<Sorted>(); };
    const SearchResult r = search(system, o);
    EXPECT_EQ(r.counters.states, 20u);
    ASSERT_EQ(r.violations.size(), 1u);
    const auto run = follow(system, r.violations[0].path);
    ASSERT_TRUE(run.has_value());
    EXPECT_EQ(system.evaluate(run->back(), 1), 0u);
  }
}

TEST(DepthFirst, BothReductionsTogether) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 200; ++i) {
    const Graph twin = random_graph(random), first = random_graph(random);
    const Product system({first, twin, twin}, [](std::span<const Slot> s) { return s[1] + s[2] != 5; });
    SearchOptions full;
    full.stop_at_violation = false;
    const std::size_t expected = search(system, full).violations.size();
    class SortTwins : public Canonicalizer {
     public:
      void canonical(SlotVector& state) override {
        if (state[1] > state[2]) std::swap(state[1], state[2]);
      }
    };
    for (SearchOptions o : every_depth_first_search(true)) {
      o.stop_at_violation = false;
      o.selector = [] { return std::make_unique<FirstGraphFirst>(); };
      o.canonicalizer = [] { return std::make_unique<SortTwins>(); };
      const SearchResult r = search(system, o);
      ASSERT_EQ(r.violations.size(), expected) << "graph " << i;
      for (const Finding& f : r.violations) {
        const auto run = follow(system, f.path);
        ASSERT_TRUE(run.has_value());
        EXPECT_EQ(run->back()[1] + run->back()[2], 5u);
      }
    }
  }
}

}  // namespace
}  // namespace heddle::depth_first_test
