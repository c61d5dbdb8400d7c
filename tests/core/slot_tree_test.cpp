#include "core/slot_tree.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

namespace heddle::slot_tree_test {
namespace {

SlotVector changed(SlotVector state, const std::vector<Change>& changes) {
  for (const Change& c : changes) {
    if (c.slot >= state.size()) state.resize(c.slot + 1, 0);
    state[c.slot] = c.value;
  }
  return state;
}

// At most one change for each slot.
std::vector<Change> random_changes(std::size_t length, bool absent) {
  std::map<std::uint32_t, Slot> wanted;
  const int count = *rc::gen::inRange(0, 5);
  for (int i = 0; i < count; ++i) {
    wanted[*rc::gen::inRange<std::uint32_t>(0, static_cast<std::uint32_t>(length))] =
        *rc::gen::inRange<Slot>(absent ? 0 : 1, 6);
  }
  std::vector<Change> changes;
  for (const auto& [slot, value] : wanted) changes.push_back({slot, value});
  return changes;
}

// Whatever the sample shows, and however little it has to do with the states that come.
RC_GTEST_PROP(SlotTree, FixedLengthRoundTripAndUpdate, ()) {
  const auto length = *rc::gen::inRange<std::size_t>(1, 150);
  const auto sampled = *rc::gen::element<std::size_t>(0, 1, 2, 20);
  const auto constant = *rc::gen::inRange<std::size_t>(0, length + 1);  // the first slots never change in the sample
  std::vector<SlotVector> sample;
  for (std::size_t i = 0; i < sampled; ++i) {
    sample.push_back(*rc::gen::container<SlotVector>(length, rc::gen::inRange<Slot>(1, 4)));
    std::fill_n(sample.back().begin(), constant, 1);
  }
  SlotTree tree(length, sample);
  SlotTree::Cursor cursor(tree), other(tree);
  SlotVector state = *rc::gen::container<SlotVector>(length, rc::gen::inRange<Slot>(1, 6));
  for (int i = 0; i < 8; ++i) {
    const std::uint64_t root = cursor.load(state);
    const auto changes = random_changes(length, false);
    const std::uint64_t next = cursor.after(changes);
    // The cursor stays where it was.
    RC_ASSERT(SlotVector(cursor.slots().begin(), cursor.slots().end()) == state);
    RC_ASSERT(cursor.after({}) == root);
    state = changed(state, changes);
    RC_ASSERT(other.load(state) == next);
    cursor.load(next);
    RC_ASSERT(SlotVector(cursor.slots().begin(), cursor.slots().end()) == state);
  }
}

SlotVector trimmed(SlotVector v) {
  while (!v.empty() && v.back() == 0) v.pop_back();
  return v;
}

// Vectors come and go in length: equal vectors (trailing absent slots aside) and only those have equal roots.
RC_GTEST_PROP(SlotTree, VaryingLength, ()) {
  SlotTree tree(0);
  SlotTree::Cursor cursor(tree), other(tree);
  std::map<SlotVector, std::uint64_t> roots;
  SlotVector state;
  for (int i = 0; i < 20; ++i) {
    const std::uint64_t root = cursor.load(state);
    const auto [it, is_new] = roots.try_emplace(trimmed(state), root);
    RC_ASSERT(it->second == root);
    if (is_new) {
      for (const auto& [v, r] : roots) RC_ASSERT(v == it->first || r != root);
    }
    const auto changes = random_changes(state.size() + 3, true);
    const std::uint64_t next = cursor.after(changes);
    state = changed(state, changes);
    RC_ASSERT(other.load(state) == next);
    cursor.load(next);
    RC_ASSERT(SlotVector(cursor.slots().begin(), cursor.slots().end()) == trimmed(state));
  }
}

TEST(SlotTree, SharesSubtrees) {
  SlotTree tree(8);
  SlotTree::Cursor cursor(tree);
  // Ten thousand states over two halves of a hundred contents each.
  for (Slot left = 1; left <= 100; ++left) {
    for (Slot right = 1; right <= 100; ++right) cursor.load(SlotVector{left, 1, 1, 1, right, 1, 1, 1});
  }
  EXPECT_LE(tree.node_count(), 410u);
}

// Slots that hang together lie far apart, among many that never change. A sample of the states tells.
TEST(SlotTree, LearnsWhichSlotsHangTogether) {
  std::vector<SlotVector> states;
  for (Slot a = 1; a <= 40; ++a) {
    for (Slot b = 1; b <= 40; ++b) {
      SlotVector state(100, 7);
      state[3] = state[50] = state[99] = a;
      state[4] = state[51] = state[98] = b;
      states.push_back(state);
    }
  }
  std::vector<SlotVector> sample;
  for (std::size_t i = 0; i < states.size(); i += 7) sample.push_back(states[i]);
  SlotTree balanced(100), fitted(100, sample);
  SlotTree::Cursor in_balanced(balanced), in_fitted(fitted);
  for (const SlotVector& state : states) {
    in_balanced.load(state);
    in_fitted.load(state);
  }
  EXPECT_GT(balanced.node_count(), 1'600u);
  // Two nodes for each value of a and of b, and those of what never changes.
  EXPECT_LE(fitted.node_count(), 300u);
}

}  // namespace
}  // namespace heddle::slot_tree_test
