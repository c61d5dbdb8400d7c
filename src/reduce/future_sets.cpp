// Binary trees over places, interned, so that the union of two sets is computed once.
#include "reduce/future_sets.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "reduce/thread_actions.h"

namespace heddle {

FutureSets::FutureSets(std::size_t places)
    : leaves_(1), levels_(std::max<std::size_t>(1, static_cast<std::size_t>(std::bit_width(places)))) {}

std::uint32_t FutureSets::leaf(const Leaf& content) {
  const auto [it, is_new] = leaf_numbers_.try_emplace(content, static_cast<std::uint32_t>(leaves_.size()));
  if (is_new) leaves_.push_back(content);
  return it->second;
}

std::uint32_t FutureSets::node(std::size_t level, std::uint32_t left, std::uint32_t right) {
  if (left == 0 && right == 0) return 0;
  Level& l = levels_[level];
  const std::uint64_t content = std::uint64_t{left} << 32 | right;
  const auto [it, is_new] = l.numbers.try_emplace(content, static_cast<std::uint32_t>(l.nodes.size()));
  if (is_new) l.nodes.push_back(content);
  return it->second;
}

FutureSets::Set FutureSets::single(std::uint32_t thread, std::span<const Access> accesses) {
  assert(thread < 64);
  Set set = empty;
  for (const Access& a : accesses) {
    Leaf content{};
    content[static_cast<unsigned>(a.kind)] = std::uint64_t{1} << thread;
    std::uint32_t n = leaf(content);
    const std::uint32_t at = index(a.slot);
    for (std::size_t level = 0; level < levels_.size(); ++level) {
      n = (at >> level & 1) == 0 ? node(level, n, 0) : node(level, 0, n);
    }
    set = unite(set, n);
  }
  return set;
}

FutureSets::Set FutureSets::unite(Set a, Set b) {
  if (a == everything || b == everything) return everything;
  return unite(levels_.size(), a, b);
}

std::uint32_t FutureSets::unite(std::size_t height, std::uint32_t a, std::uint32_t b) {
  if (a == b || b == 0) return a;
  if (a == 0) return b;
  const std::uint64_t key = std::uint64_t{std::min(a, b)} << 32 | std::max(a, b);
  auto& unions = height == 0 ? leaf_unions_ : levels_[height - 1].unions;
  if (const auto known = unions.find(key); known != unions.end()) return known->second;
  std::uint32_t out = 0;
  if (height == 0) {
    Leaf content = leaves_[a];
    for (unsigned k = 0; k < kinds; ++k) content[k] |= leaves_[b][k];
    out = leaf(content);
  } else {
    const std::uint64_t x = levels_[height - 1].nodes[a], y = levels_[height - 1].nodes[b];
    const std::uint32_t left =
        unite(height - 1, static_cast<std::uint32_t>(x >> 32), static_cast<std::uint32_t>(y >> 32));
    const std::uint32_t right = unite(height - 1, static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
    out = node(height - 1, left, right);
  }
  assert(out != 0);
  unions.emplace(key, out);
  return out;
}

std::uint64_t FutureSets::conflicting_threads(Set set, std::span<const Access> accesses) const {
  if (set == everything) return ~std::uint64_t{0};
  std::uint64_t threads = 0;
  for (const Access& a : accesses) {
    const std::uint32_t at = index(a.slot);
    std::uint32_t n = set;
    assert(n < levels_.back().nodes.size());
    for (std::size_t level = levels_.size(); level-- > 0 && n != 0;) {
      const std::uint64_t children = levels_[level].nodes[n];
      n = static_cast<std::uint32_t>((at >> level & 1) == 0 ? children >> 32 : children);
    }
    for (unsigned k = 0; k < kinds; ++k) {
      if ((conflicting(a.kind) >> k & 1) != 0) threads |= leaves_[n][k];
    }
  }
  return threads;
}

std::size_t FutureSets::bytes() const {
  std::size_t bytes = leaves_.capacity() * sizeof(Leaf) + leaf_numbers_.bucket_count() * (sizeof(Leaf) + 4) +
                      leaf_unions_.bucket_count() * 12;
  for (const Level& l : levels_) {
    bytes += l.nodes.capacity() * 8 + (l.numbers.bucket_count() + l.unions.bucket_count()) * 16;
  }
  return bytes;
}

}  // namespace heddle
