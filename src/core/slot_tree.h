// Tree compression of slot vectors (Laarman, van de Pol, Weber; SPIN 2011; for varying length van der Berg,
// NFM 2021).
//
// A vector of n slots is the fringe of a balanced binary tree. Every inner node is a pair of 32-bit numbers kept
// once in a PairTable. Only the root differs from state to state, so a state costs the 8 bytes of its root's
// pair. The root is *not* put into a table here: it is the key under which a visited set stores the state.
//
//   SlotTree tree(9);
//   SlotTree::Cursor cursor(tree);
//   std::uint64_t root = cursor.load(slots);        // from scratch
//   std::uint64_t next = cursor.after(changes);     // root of a successor; the cursor itself stays where it is
//   cursor.load(next); cursor.slots();              // back to slots
//
// Varying length: vectors are padded with absent slots (0) to the next power of two, and the root is the pair
// (tree, level + 1), so lengths never clash. A subtree of absent slots is the number 0 and costs nothing.
// Such vectors have at most 2^12 slots; a longer one is a TableFull.
//
// A SlotTree is thread-safe like PairTable; a Cursor belongs to one thread.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/pair_table.h"
#include "core/transition_system.h"
#include "core/tree_shape.h"

namespace heddle {

class SlotTree {
 public:
  // `length` is 0 for varying length. Given a sample of states, the tree is shaped after it: slots that hang
  // together (few combinations of their values occur) get a common subtree, so that fewer inner nodes are
  // needed. REQUIRES: the states of the sample have `length` slots.
  explicit SlotTree(std::size_t length, std::span<const SlotVector> sample = {});

  std::size_t bytes() const { return nodes_.bytes(); }
  std::size_t node_count() const { return nodes_.size(); }

  class Cursor;

 private:
  std::uint32_t node(std::uint32_t left, std::uint32_t right) {
    if ((left | right) == 0) return 0;
    return nodes_.insert(make_pair_key(left, right)).number;
  }

  const bool varying_;
  std::vector<TreeShape> shapes_;  // one, or one for each power of two
  PairTable nodes_{8};
};

class SlotTree::Cursor {
 public:
  explicit Cursor(SlotTree& tree);

  // Makes `slots` the state at hand and returns its root. REQUIRES: the tree's length, unless that varies.
  std::uint64_t load(std::span<const Slot> slots);
  // Makes the state of a root at hand. REQUIRES: a cursor of the same tree has returned the root.
  void load(std::uint64_t root);
  std::span<const Slot> slots() const {
    assert(length_ <= nodes_.size());
    return {nodes_.data(), length_};
  }
  // Returns the root of the state at hand after `changes`; the state at hand stays. REQUIRES: a state is at hand.
  std::uint64_t after(std::span<const Change> changes);

 private:
  void use_shape(std::size_t length);
  std::uint64_t root() const;
  std::uint64_t after_one(Change change);
  std::uint32_t node(std::uint32_t left, std::uint32_t right);

  SlotTree* tree_;
  const TreeShape* shape_ = nullptr;
  std::uint32_t level_ = 0;
  std::size_t length_ = 0;
  std::vector<std::uint32_t> nodes_;  // numbers of all nodes, fringe first; the root's is used if length varies
  // Of each inner node, the number whose children nodes_ has; 0: none. States that follow each other share most
  // subtrees, which need not be looked up again.
  std::vector<std::uint32_t> expanded_;
  struct Saved {
    std::uint32_t node, value;
  };
  std::vector<Saved> saved_;
  std::vector<std::uint64_t> dirty_;  // inner nodes to recompute, a bit each
  // Successors change few nodes, and to values seen a moment ago. A small direct-mapped cache answers most
  // look-ups without touching the shared table.
  struct Known {
    std::uint64_t key;
    std::uint32_t number;  // 0: empty
  };
  static constexpr unsigned cache_bits = 14;
  std::vector<Known> cache_;
};

}  // namespace heddle
