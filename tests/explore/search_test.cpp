// Searches on systems whose state spaces are known in closed form: a grid of counters, and stacks that grow and shrink
// (states of varying length). Budgets, bounds and determinism.
#include "explore/search.h"
#include "core/facets/describer.h"
#include "core/model_error.h"
#include "core/reserved_array.h"
#include "explore/reduction.h"
#include "support/silent_describer.h"

#include <gtest/gtest.h>

#include <atomic>

namespace heddle::search_test {
namespace {

// What the systems of this file have in common.
class Toy : public TransitionSystem, private testing::SilentDescriber {
 public:
  const Describer& describer() const override { return *this; }
  std::uint32_t transition_count() const override { return 100; }
  std::string transition_name(std::uint32_t t) const override { return "t" + std::to_string(t); }
  void footprint(std::span<const Slot>, Step, std::vector<Access>&) const override {}
  std::span<const Property> properties() const override { return properties_; }
  std::uint64_t evaluate(std::span<const Slot>, std::uint64_t) const override { return ~std::uint64_t{0}; }
  std::size_t bytes() const override { return 0; }

 protected:
  std::vector<Property> properties_;
};

// `dimensions` counters from 1 to `side`: side^dimensions states, longest distance dimensions * (side - 1).
class Grid : public Toy {
 public:
  Grid(std::uint32_t dimensions, Slot side, SlotVector forbidden = {})
      : dimensions_(dimensions), side_(side), forbidden_(std::move(forbidden)) {
    properties_.push_back({"not there", Property::Kind::Always});
  }
  std::vector<SlotVector> initial_states() const override { return {SlotVector(dimensions_, 1)}; }
  void expand(std::span<const Slot> state, StepBuffer& out) const override {
    for (std::uint32_t d = 0; d < dimensions_; ++d) {
      if (state[d] == side_) continue;
      out.begin({d, 0});
      out.change(d, state[d] + 1);
    }
  }
  std::uint64_t evaluate(std::span<const Slot> state, std::uint64_t) const override {
    return SlotVector(state.begin(), state.end()) == forbidden_ ? 0 : 1;
  }

 private:
  std::uint32_t dimensions_;
  Slot side_;
  SlotVector forbidden_;
};

// A stack of at most `depth` symbols out of two: push 1, push 2, pop. 2^(depth+1) - 1 states of different lengths.
class Stack : public Toy {
 public:
  explicit Stack(std::size_t depth) : depth_(depth) {}
  bool varying_length() const override { return true; }
  std::vector<SlotVector> initial_states() const override { return {SlotVector{}}; }
  void expand(std::span<const Slot> state, StepBuffer& out) const override {
    const auto size = static_cast<std::uint32_t>(state.size());
    if (size < depth_) {
      for (const Slot symbol : {1u, 2u}) {
        out.begin({symbol, 0});
        out.change(size, symbol);
      }
    }
    if (size > 0) {
      out.begin({0, 0});
      out.change(size - 1, 0);
    }
  }

 private:
  std::size_t depth_;
};

std::vector<SearchOptions> every_exact_search() {
  std::vector<SearchOptions> all;
  for (const auto order : {SearchOptions::Order::BreadthFirst, SearchOptions::Order::DepthFirst}) {
    for (const unsigned threads : {1u, 2u, 3u}) {
      for (const bool compressed : {true, false}) {
        SearchOptions o;
        o.order = order;
        o.threads = threads;
        o.tree_compression = compressed;
        all.push_back(o);
      }
    }
  }
  return all;
}

TEST(Search, CountsAGrid) {
  for (const SearchOptions& o : every_exact_search()) {
    const SearchResult r = search(Grid(4, 9), o);
    EXPECT_EQ(r.counters.states, 6561u);
    EXPECT_EQ(r.counters.transitions, 4u * 8 * 729);
    EXPECT_EQ(r.counters.deadlocks, 1u);
    EXPECT_EQ(r.counters.depth, 32u);
    EXPECT_TRUE(r.complete);
    EXPECT_EQ(r.verdict, Verdict::Holds);
  }
}

TEST(Search, CountsStatesOfVaryingLength) {
  for (const SearchOptions& o : every_exact_search()) {
    const SearchResult r = search(Stack(9), o);
    EXPECT_EQ(r.counters.states, 1023u);
    EXPECT_TRUE(r.complete);
  }
}

TEST(Search, BreadthFirstFindsAShortestPath) {
  for (const unsigned threads : {1u, 2u}) {
    SearchOptions o;
    o.threads = threads;
    const Grid grid(3, 9, {4, 3, 6});
    const SearchResult r = search(grid, o);
    ASSERT_EQ(r.violations.size(), 1u);
    EXPECT_EQ(r.violations[0].path.steps.size(), 3u + 2 + 5);
    EXPECT_EQ(r.verdict, Verdict::Violated);
    EXPECT_FALSE(r.complete);
    const auto states = follow(grid, r.violations[0].path);
    ASSERT_TRUE(states.has_value());
    EXPECT_EQ(states->back(), (SlotVector{4, 3, 6}));
    // The level of the violation is finished, so the count does not depend on the number of threads.
    EXPECT_EQ(r.counters.states, search(grid, {}).counters.states);
  }
}

TEST(Search, DepthFirstPathsAreRuns) {
  for (const unsigned threads : {1u, 2u}) {
    SearchOptions o;
    o.order = SearchOptions::Order::DepthFirst;
    o.threads = threads;
    const Grid grid(3, 9, {4, 3, 6});
    const SearchResult r = search(grid, o);
    ASSERT_EQ(r.violations.size(), 1u);
    const auto states = follow(grid, r.violations[0].path);
    ASSERT_TRUE(states.has_value());
    EXPECT_EQ(states->back(), (SlotVector{4, 3, 6}));
  }
}

// 1 -> 2 -> 4, and 3 stands alone. Whoever takes 2 and 3 to be alike sees a run end in 3.
class Alike : public Toy {
 public:
  Alike() { properties_.push_back({"ends well", Property::Kind::Finally}); }
  std::vector<SlotVector> initial_states() const override { return {SlotVector{1}}; }
  void expand(std::span<const Slot> state, StepBuffer& out) const override {
    if (state[0] > 2) return;
    out.begin({0, 0});
    out.change(0, state[0] * 2);
  }
  std::uint64_t evaluate(std::span<const Slot> state, std::uint64_t) const override { return state[0] == 4 ? 1 : 0; }
};

// A finding about final states is followed to a state that is one.
TEST(Search, AFinalStateThatOnlySymmetryMakesIsNotBelieved) {
  struct Wrong : Canonicalizer {
    void canonical(SlotVector& state) override {
      if (state[0] == 2) state[0] = 3;
    }
  };
  for (SearchOptions o : every_exact_search()) {
    EXPECT_EQ(search(Alike(), o).verdict, Verdict::Holds);
    o.canonicalizer = [] { return std::make_unique<Wrong>(); };
    EXPECT_THROW(search(Alike(), o), NotSymmetric);
  }
}

TEST(Search, ADepthLimitIsExactAndNeverAPass) {
  SearchOptions o;
  for (const std::uint32_t limit : {0u, 1u, 2u, 7u}) {
    o.limits.depth = limit;
    const SearchResult r = search(Grid(2, 50), o);
    EXPECT_EQ(r.counters.states, (limit + 1) * (limit + 2) / 2);
    EXPECT_EQ(r.counters.depth, limit);
    EXPECT_EQ(r.counters.cut_off, limit + 1);
    EXPECT_EQ(r.verdict, Verdict::Unknown);
    EXPECT_FALSE(r.stopped_by.empty());
  }
}

TEST(Search, ATimeLimitStopsEverySearch) {
  for (const auto order :
       {SearchOptions::Order::BreadthFirst, SearchOptions::Order::DepthFirst, SearchOptions::Order::RandomWalk}) {
    SearchOptions o;
    o.order = order;
    o.limits.seconds = 0.05;
    o.walks = ~std::uint64_t{0};
    const SearchResult r = search(Grid(7, 60), o);
    EXPECT_EQ(r.verdict, Verdict::Unknown);
    EXPECT_NE(r.stopped_by.find("time limit"), std::string::npos);
    EXPECT_GT(r.counters.states, 1u);
  }
}

TEST(Search, AMemoryLimitStopsInTime) {
  for (const auto order : {SearchOptions::Order::BreadthFirst, SearchOptions::Order::DepthFirst}) {
    SearchOptions o;
    o.order = order;
    o.limits.bytes = 8 << 20;
    const SearchResult r = search(Grid(7, 60), o);
    EXPECT_EQ(r.verdict, Verdict::Unknown);
    EXPECT_NE(r.stopped_by.find("memory limit"), std::string::npos);
    EXPECT_LT(r.counters.store_bytes, (8u << 20) + (1u << 20));
  }
}

// A budget is for work, and one state may be much of it.
class Wide : public Grid {
 public:
  Wide() : Grid(1, 1'000'000) {}
  void expand(std::span<const Slot> state, StepBuffer& out) const override {
    for (std::uint32_t i = 1; i <= 3'000; ++i) {
      out.begin({0, i});
      out.change(0, state[0] + i);
    }
  }
};

TEST(Search, LooksAtItsBudgetAfterFewStatesOfManySteps) {
  SearchOptions o;
  o.order = SearchOptions::Order::DepthFirst;
  o.limits.bytes = 1;
  const SearchResult r = search(Wide(), o);
  EXPECT_EQ(r.verdict, Verdict::Unknown);
  EXPECT_LE(r.counters.states, 2u);
}

// A door whose tables are full when it has expanded some states.
class Full : public Grid {
 public:
  Full() : Grid(3, 20) {}
  void expand(std::span<const Slot> state, StepBuffer& out) const override {
    if (++expanded_ > 500) throw TableFull();
    Grid::expand(state, out);
  }

 private:
  mutable std::atomic<unsigned> expanded_{0};
};

TEST(Search, AFullTableOfTheDoorEndsInUnknown) {
  for (const unsigned threads : {1u, 2u}) {
    for (const auto order :
         {SearchOptions::Order::BreadthFirst, SearchOptions::Order::DepthFirst, SearchOptions::Order::RandomWalk}) {
      SearchOptions o;
      o.order = order;
      o.threads = order == SearchOptions::Order::RandomWalk ? 1 : threads;
      const SearchResult r = search(Full(), o);
      EXPECT_EQ(r.verdict, Verdict::Unknown);
      EXPECT_NE(r.stopped_by.find("memory"), std::string::npos) << r.stopped_by;
      EXPECT_FALSE(r.complete);
    }
  }
}

}  // namespace
}  // namespace heddle::search_test
