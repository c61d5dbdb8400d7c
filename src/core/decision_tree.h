// A memo for pure functions that is keyed by the values they read: decision trees.
//
// A function reads values one after the other; what it has read determines what it reads next. So its evaluations form
// a tree: a node says what is read, its edges are the values, its leaves are results. To evaluate is to walk down the
// tree, with one look-up for each value read. The function runs only where a path ends, and its further reads lengthen
// the path.
//
//   const auto value_of = [&](std::uint32_t what) { return state[what]; };
//   const auto walked = trees.walk(i, recent, value_of);       // recent: this thread's own
//   if (walked.known()) return walked.result();
//   ... run function i, noting all it reads in `reads` ...
//   trees.lengthen(walked, reads, value_of, result);
//
// Invariants
//   1. Functions are numbers below 2^31; reads and results are numbers below 2^31 - 1. None has to be declared.
//   2. A function that is run again on the same values reads the same in the same order. So threads that lengthen one
//      path at the same time write the same, and a node never changes once it says something. A function that breaks
//      this gets wrong results; other functions are not affected.
// Thread-safe; a Recent belongs to one thread.
#pragma once

#include <atomic>
#include <cassert>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>

#include "core/pair_map.h"
#include "core/recent_pairs.h"
#include "core/reserved_array.h"

namespace heddle {

class DecisionTrees {
 public:
  // An entry is an edge: its value is what the node at the end of the edge says, `more` is the number of that node.
  using Recent = RecentPairs<14>;

  // Where a walk ended, and after how many reads: at a leaf, or where nothing is known yet.
  struct Walked {
    std::uint32_t node, says;
    std::size_t reads;
    bool known() const { return says != 0; }
    std::uint32_t result() const { return says & ~leaf; }
  };
  // Throws TableFull if `i` is too large a number.
  template <class ValueOf>
  Walked walk(std::uint32_t i, Recent& recent, ValueOf&& value_of);

  // REQUIRES: `walked` is not known; `reads` is everything the function has read, each once, in order.
  template <class ValueOf>
  void lengthen(const Walked& walked, std::span<const std::uint32_t> reads, ValueOf&& value_of, std::uint32_t result);

  // Whether function i has been evaluated and reads nothing: its tree is a leaf.
  bool reads_nothing(std::size_t i) { return (std::atomic_ref(roots_[i]).load(std::memory_order_acquire) & leaf) != 0; }

  // Calls f(i, found, result) for every distinct combination of values that function i has found so far; the last read
  // comes first. Functions that read nothing are left out.
  // REQUIRES: nobody evaluates meanwhile.
  struct Found {
    std::uint32_t what, value;
  };
  void each_leaf(
      const std::function<void(std::uint32_t i, std::span<const Found> found, std::uint32_t result)>& f) const;

  // Returns a number that no other DecisionTrees of this program has or had. Those made one after the other have
  // neighbouring numbers.
  std::uint64_t id() const { return id_; }
  std::size_t bytes() const { return edges_.bytes() + nodes_used_ * sizeof(std::uint32_t); }

 private:
  // A node says 0 (not known yet), a result with the bit `leaf`, or what to read plus `first_read`.
  static constexpr std::uint32_t leaf = std::uint32_t{1} << 31, first_read = 1, root = std::uint32_t{1} << 31;

  std::uint32_t next_node() { return ++nodes_used_; }

  static inline std::atomic<std::uint64_t> next_id_{1};
  const std::uint64_t id_ = next_id_++;
  ReservedArray<std::uint32_t> roots_,
      nodes_;  // what each says; the root of function i is roots_[i], as a node root | i
  std::atomic<std::uint32_t> nodes_used_{0};
  PairMap edges_;  // (node, value) -> node
  std::mutex mutex_;
};

template <class ValueOf>
inline DecisionTrees::Walked DecisionTrees::walk(std::uint32_t i, Recent& recent, ValueOf&& value_of) {
  recent.belong_to(id_);
  if (i >= roots_.capacity()) [[unlikely]]
    throw TableFull();
  Walked at{root | i, std::atomic_ref(roots_[i]).load(std::memory_order_acquire), 0};
  while (at.says != 0 && (at.says & leaf) == 0) {
    const std::uint32_t value = value_of(at.says - first_read);
    const std::uint64_t key = make_pair_key(at.node, value);
    auto& edge = recent.at(key);
    if (edge.key != key || edge.value == 0) {
      const std::uint32_t target = edges_.get(at.node, value, [&] { return next_node(); });
      edge = {key, std::atomic_ref(nodes_[target]).load(std::memory_order_acquire), target};
    }
    at = {edge.more, edge.value, at.reads + 1};
  }
  return at;
}

template <class ValueOf>
void DecisionTrees::lengthen(const Walked& walked, std::span<const std::uint32_t> reads, ValueOf&& value_of,
                             std::uint32_t result) {
  assert(!walked.known() && (result & leaf) == 0);
  std::lock_guard lock(mutex_);
  std::uint32_t node = walked.node;
  const auto set = [&](std::uint32_t says) {
    std::atomic_ref((node & root) != 0 ? roots_[node & ~root] : nodes_[node]).store(says, std::memory_order_release);
  };
  for (std::size_t r = walked.reads; r < reads.size(); ++r) {
    assert(reads[r] < leaf - first_read);
    set(reads[r] + first_read);
    node = edges_.get(node, value_of(reads[r]), [&] { return next_node(); });
  }
  set(leaf | result);
}

}  // namespace heddle
