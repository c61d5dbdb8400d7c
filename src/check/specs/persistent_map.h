// Immutable maps from numbers to numbers: Patricia tries (Okasaki and Gill 1998) whose nodes are interned, so equal
// maps have the same number.
//
//   PersistentMaps maps;
//   auto one = maps.with(PersistentMaps::empty, 7, 1);   // {7: 1}
//   maps.without(one, 7) == PersistentMaps::empty
//
// A trie over the bits of its keys, from the highest, has one shape for each set of keys. So equal contents are equal
// numbers, and a change takes as many look-ups as there are levels above it. The states of sets, queues, deques and
// priority queues are such maps. Values are not 0. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

namespace heddle::specs {

class PersistentMaps {
 public:
  using Map = std::uint32_t;
  static constexpr Map empty = 0;

  PersistentMaps() : nodes_(1) {}

  std::uint32_t get(Map map, std::uint32_t key) const;  // 0 if absent
  Map with(Map map, std::uint32_t key, std::uint32_t value);
  Map without(Map map, std::uint32_t key);
  // Returns the least key and its value. REQUIRES: the map is not empty.
  std::pair<std::uint32_t, std::uint32_t> first(Map map) const;
  std::pair<std::uint32_t, std::uint32_t> last(Map map) const;
  // Returns all entries in ascending order of keys.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> entries(Map map) const;

  std::size_t bytes() const { return nodes_.capacity() * sizeof(Node) + numbers_.bucket_count() * (sizeof(Node) + 5); }

 private:
  // A leaf has the bit 0, its key, and its value in `left`. A branch splits by `bit`, a power of two, and has the bits
  // above it in `key`.
  struct Node {
    std::uint32_t key = 0, bit = 0, left = 0, right = 0;
    bool operator==(const Node&) const = default;
  };
  struct Hash {
    using is_avalanching = void;
    std::size_t operator()(const Node& node) const noexcept;
  };

  Map intern(const Node& node);
  Map joined(Map a, std::uint32_t key_a, Map b, std::uint32_t key_b);
  static std::uint32_t above(std::uint32_t key, std::uint32_t bit) { return key & ~(bit | (bit - 1)); }

  std::vector<Node> nodes_;
  boost::unordered_flat_map<Node, Map, Hash> numbers_;
};

}  // namespace heddle::specs
