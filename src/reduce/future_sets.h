// Sets of accesses by threads: what may still happen after a state. Equal sets have equal numbers.
//
//   FutureSets sets(slots);
//   FutureSets::Set a = sets.unite(sets.single(thread, accesses), b);
//   std::uint64_t threads = sets.conflicting_threads(a, accesses);
//
// A set maps slots to leaves. A leaf has, for each kind of access, a mask of the threads that may make it. The leaves
// hang in a binary tree over the numbers of slots. Nodes are hash-consed and unions are remembered: neighbouring states
// share most of their trees, and a union costs a look-up for every node in which two sets differ.
// Not thread-safe.
#pragma once

#include <array>
#include <boost/container_hash/hash.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "core/access.h"

namespace heddle {

class FutureSets {
 public:
  using Set = std::uint32_t;
  static constexpr Set empty = 0;
  static constexpr Set everything = 1;  // any access by any thread

  // Places beyond `places` share leaves with others: conflicts may then be seen that do not exist, which is sound.
  explicit FutureSets(std::size_t places);

  // REQUIRES: thread < 64.
  Set single(std::uint32_t thread, std::span<const Access> accesses);
  Set unite(Set a, Set b);
  // Returns the threads with an access in the set that conflicts with one of these.
  std::uint64_t conflicting_threads(Set set, std::span<const Access> accesses) const;
  std::size_t size() const { return levels_.back().nodes.size(); }
  std::size_t bytes() const;

 private:
  static constexpr unsigned kinds = access_kinds;
  using Leaf = std::array<std::uint64_t, kinds>;
  // Nodes of one height. Number 0 is the empty node, 1 is not used below the root.
  struct Level {
    std::vector<std::uint64_t> nodes{0, 0};  // left << 32 | right
    boost::unordered_flat_map<std::uint64_t, std::uint32_t> numbers, unions;
  };

  // seen_by_properties comes first.
  std::uint32_t index(std::uint32_t slot) const { return (slot + 1) & ((1u << levels_.size()) - 1); }
  std::uint32_t leaf(const Leaf& content);
  std::uint32_t node(std::size_t level, std::uint32_t left, std::uint32_t right);
  std::uint32_t unite(std::size_t height, std::uint32_t a, std::uint32_t b);

  std::vector<Leaf> leaves_;
  boost::unordered_flat_map<Leaf, std::uint32_t, boost::hash<Leaf>> leaf_numbers_;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> leaf_unions_;
  std::vector<Level> levels_;  // level 0 has leaves below, the last one has the sets
};

}  // namespace heddle
