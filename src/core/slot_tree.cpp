// Computes the root of a vector by its tree, and the roots of successors by the changed branches alone.
#include "core/slot_tree.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace heddle {

SlotTree::SlotTree(std::size_t length, std::span<const SlotVector> sample) : varying_(length == 0) {
  if (varying_) {
    for (std::uint32_t level = 0; level < 24; ++level) {
      // The higher levels have no shape: use_shape refuses them, because all shapes together would have 2^24 entries.
      shapes_.push_back(level <= 12 ? balanced_shape(std::uint32_t{1} << level) : TreeShape{});
    }
  } else {
    const auto leaves = static_cast<std::uint32_t>(length);
    shapes_.push_back(leaves >= 4 && sample.size() > 1 ? fitted_shape(leaves, sample) : balanced_shape(leaves));
  }
}

SlotTree::Cursor::Cursor(SlotTree& tree) : tree_(&tree), cache_(std::size_t{1} << cache_bits) {
  if (!tree.varying_) use_shape(tree.shapes_[0].leaves);
}

void SlotTree::Cursor::use_shape(std::size_t length) {
  level_ = tree_->varying_
               ? static_cast<std::uint32_t>(std::bit_width(std::bit_ceil(std::max<std::size_t>(length, 1)) - 1))
               : 0;
  if (tree_->varying_ && level_ > 12) throw TableFull();
  shape_ = &tree_->shapes_[level_];
  assert(tree_->varying_ ? length <= shape_->leaves : length == shape_->leaves);
  if (expanded_.size() != shape_->left.size()) expanded_.assign(shape_->left.size(), 0);
  nodes_.resize(shape_->nodes());
  dirty_.assign((shape_->left.size() + 63) / 64 + 1, 0);
}

inline std::uint32_t SlotTree::Cursor::node(std::uint32_t left, std::uint32_t right) {
  const std::uint64_t key = make_pair_key(left, right);
  Known& known = cache_[(key * 0x9E3779B97F4A7C15u) >> (64 - cache_bits)];
  if (known.key != key || known.number == 0) known = {key, tree_->node(left, right)};
  return known.number;
}

std::uint64_t SlotTree::Cursor::root() const {
  if (tree_->varying_) return make_pair_key(nodes_.back(), level_ + 1);
  if (shape_->left.empty()) return make_pair_key(nodes_[0], 0);
  return make_pair_key(nodes_[shape_->left.back()], nodes_[shape_->right.back()]);
}

std::uint64_t SlotTree::Cursor::load(std::span<const Slot> slots) {
  length_ = slots.size();
  if (tree_->varying_) {
    while (length_ > 0 && slots[length_ - 1] == 0) --length_;
    use_shape(length_);
  }
  assert(tree_->varying_ || length_ == shape_->leaves);
  std::copy_n(slots.begin(), length_, nodes_.begin());
  std::fill(nodes_.begin() + static_cast<std::ptrdiff_t>(length_), nodes_.begin() + shape_->leaves, 0);
  const std::size_t inner = shape_->left.size() - (tree_->varying_ || shape_->left.empty() ? 0 : 1);
  for (std::size_t i = 0; i < inner; ++i) {
    expanded_[i] = nodes_[shape_->leaves + i] = node(nodes_[shape_->left[i]], nodes_[shape_->right[i]]);
  }
  return root();
}

void SlotTree::Cursor::load(std::uint64_t root) {
  std::size_t i;
  if (tree_->varying_) {
    assert(right_of(root) >= 1 && right_of(root) <= tree_->shapes_.size());  // a level, counted from 1
    use_shape(std::size_t{1} << (right_of(root) - 1));
    nodes_.back() = left_of(root);
    i = shape_->left.size();
  } else if (shape_->left.empty()) {
    nodes_[0] = left_of(root);
    length_ = 1;
    return;
  } else {
    nodes_[shape_->left.back()] = left_of(root);
    nodes_[shape_->right.back()] = right_of(root);
    i = shape_->left.size() - 1;
  }
  const std::uint32_t leaves = shape_->leaves;
  while (i-- > 0) {
    const std::uint32_t number = nodes_[leaves + i];
    if (number != 0 && number == expanded_[i]) continue;
    expanded_[i] = number;
    const std::uint64_t key = number == 0 ? 0 : tree_->nodes_.key(number);
    nodes_[shape_->left[i]] = left_of(key);
    nodes_[shape_->right[i]] = right_of(key);
  }
  length_ = leaves;
  if (tree_->varying_) {
    while (length_ > 0 && nodes_[length_ - 1] == 0) --length_;
  }
}

// The most frequent case needs nothing saved: only the path from one leaf to the root changes.
std::uint64_t SlotTree::Cursor::after_one(Change change) {
  const std::uint32_t root = shape_->nodes() - 1;
  assert(change.slot < shape_->leaves);
  std::uint32_t at = change.slot;
  std::uint32_t number = change.value;
  for (;;) {
    const std::uint32_t sibling = shape_->sibling[at];
    const bool right = (sibling & TreeShape::left_sibling) != 0;
    const std::uint32_t other = nodes_[sibling & ~TreeShape::left_sibling];
    at = shape_->parent[at];
    const std::uint32_t l = right ? other : number;
    const std::uint32_t r = right ? number : other;
    if (at == root) return make_pair_key(l, r);
    number = node(l, r);
  }
}

std::uint64_t SlotTree::Cursor::after(std::span<const Change> changes) {
  assert(shape_ != nullptr);
  if (changes.size() == 1 && !tree_->varying_ && shape_->leaves > 1) return after_one(changes[0]);
  if (tree_->varying_) {
    // A change may lengthen or shorten the vector. Then the shape differs, and the root is computed from scratch.
    std::size_t length = length_;
    for (const Change& c : changes) {
      if (c.value != 0) length = std::max<std::size_t>(length, c.slot + 1);
    }
    bool same_level = std::bit_ceil(std::max<std::size_t>(length, 1)) == shape_->leaves;
    for (const Change& c : changes) same_level &= c.value != 0;
    if (!same_level) {
      SlotVector next(nodes_.begin(), nodes_.begin() + static_cast<std::ptrdiff_t>(length_));
      next.resize(length, 0);
      for (const Change& c : changes) {
        if (c.slot < next.size()) next[c.slot] = c.value;
      }
      Cursor other(*tree_);
      return other.load(next);
    }
  }
  saved_.clear();
  const std::uint32_t leaves = shape_->leaves;
  const std::size_t inner = shape_->left.size() - (tree_->varying_ || shape_->left.empty() ? 0 : 1);
  // The root of a fixed shape is not in the table, so its bit is never looked at.
  const std::uint32_t top = static_cast<std::uint32_t>(leaves + inner);
  for (const Change& c : changes) {
    assert(c.slot < leaves);
    saved_.push_back({c.slot, nodes_[c.slot]});
    nodes_[c.slot] = c.value;
    for (std::uint32_t p = c.slot; p + 1 < shape_->nodes();) {
      p = shape_->parent[p];
      if (p >= top) break;
      std::uint64_t& word = dirty_[(p - leaves) / 64];
      const std::uint64_t bit = std::uint64_t{1} << ((p - leaves) % 64);
      if ((word & bit) != 0) break;  // the rest of the path is already marked
      word |= bit;
    }
  }
  for (std::size_t w = 0; w * 64 < inner; ++w) {
    for (std::uint64_t word = dirty_[w]; word != 0; word &= word - 1) {
      const std::size_t i = w * 64 + static_cast<std::size_t>(std::countr_zero(word));
      const auto n = static_cast<std::uint32_t>(leaves + i);
      saved_.push_back({n, nodes_[n]});
      nodes_[n] = node(nodes_[shape_->left[i]], nodes_[shape_->right[i]]);
    }
    dirty_[w] = 0;
  }
  const std::uint64_t result = root();
  for (const Saved& s : saved_) nodes_[s.node] = s.value;
  return result;
}

}  // namespace heddle
