// Shapes of binary trees over the slots of a state, for tree compression (slot_tree.h).
//
// Every inner node but the root costs memory for each combination of the values below it that occurs. So a good tree
// puts slots together that hang together. fitted_shape() learns from a sample of states which ones do:
//   1. Slots that never change in the sample form a subtree of their own, which costs nothing.
//   2. The others are put in a row, as they come, or so that slots with few common combinations are neighbours
//      (agglomerative clustering).
//   3. Dynamic programming finds the cheapest tree over a row, among those that are at most one level deeper than the
//      balanced tree. The cheaper row wins.
// What the sample does not show costs memory, never correctness.
// Thread-safe: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/transition_system.h"

namespace heddle {

// Nodes are numbered: first the fringe, then inner nodes, children before parents. The root is last.
struct TreeShape {
  static constexpr std::uint32_t left_sibling = std::uint32_t{1} << 31;

  std::uint32_t leaves = 0;
  std::vector<std::uint32_t> left, right;  // of inner node leaves + i
  std::vector<std::uint32_t> parent;       // of every node
  std::vector<std::uint32_t> sibling;      // of every node but the root; with left_sibling if it is the left one
  std::uint32_t nodes() const { return leaves + static_cast<std::uint32_t>(left.size()); }
};

TreeShape balanced_shape(std::uint32_t leaves);
// REQUIRES: the states of the sample have `leaves` slots.
TreeShape fitted_shape(std::uint32_t leaves, std::span<const SlotVector> sample);

}  // namespace heddle
