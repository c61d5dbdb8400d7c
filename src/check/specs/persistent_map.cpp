// Patricia tries: a branch splits keys at the highest bit in which they differ.
#include "check/specs/persistent_map.h"

#include <bit>

#include <xxhash.h>

namespace heddle::specs {

std::size_t PersistentMaps::Hash::operator()(const Node& node) const noexcept {
  return XXH3_64bits(&node, sizeof node);
}

PersistentMaps::Map PersistentMaps::intern(const Node& node) {
  const auto [it, is_new] = numbers_.try_emplace(node, static_cast<Map>(nodes_.size()));
  if (is_new) nodes_.push_back(node);
  return it->second;
}

std::uint32_t PersistentMaps::get(Map map, std::uint32_t key) const {
  while (map != empty) {
    const Node& node = nodes_[map];
    if (node.bit == 0) return node.key == key ? node.left : 0;
    map = (key & node.bit) == 0 ? node.left : node.right;
  }
  return 0;
}

// Joins two tries. REQUIRES: their keys differ in a bit above all branches of both.
PersistentMaps::Map PersistentMaps::joined(Map a, std::uint32_t key_a, Map b, std::uint32_t key_b) {
  const std::uint32_t bit = std::bit_floor(key_a ^ key_b);
  if ((key_a & bit) != 0) std::swap(a, b);
  return intern({above(key_a, bit), bit, a, b});
}

PersistentMaps::Map PersistentMaps::with(Map map, std::uint32_t key, std::uint32_t value) {
  const Node leaf{key, 0, value, 0};
  if (map == empty) return intern(leaf);
  const Node node = nodes_[map];
  if (node.bit == 0) return node.key == key ? intern(leaf) : joined(map, node.key, intern(leaf), key);
  if (above(key, node.bit) != node.key) return joined(map, node.key, intern(leaf), key);
  if ((key & node.bit) == 0) return intern({node.key, node.bit, with(node.left, key, value), node.right});
  return intern({node.key, node.bit, node.left, with(node.right, key, value)});
}

PersistentMaps::Map PersistentMaps::without(Map map, std::uint32_t key) {
  if (map == empty) return empty;
  const Node node = nodes_[map];
  if (node.bit == 0) return node.key == key ? empty : map;
  if (above(key, node.bit) != node.key) return map;
  const Map left = (key & node.bit) == 0 ? without(node.left, key) : node.left;
  const Map right = (key & node.bit) == 0 ? node.right : without(node.right, key);
  if (left == empty) return right;
  if (right == empty) return left;
  return intern({node.key, node.bit, left, right});
}

std::pair<std::uint32_t, std::uint32_t> PersistentMaps::first(Map map) const {
  while (nodes_[map].bit != 0) map = nodes_[map].left;
  return {nodes_[map].key, nodes_[map].left};
}

std::pair<std::uint32_t, std::uint32_t> PersistentMaps::last(Map map) const {
  while (nodes_[map].bit != 0) map = nodes_[map].right;
  return {nodes_[map].key, nodes_[map].left};
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> PersistentMaps::entries(Map map) const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> result;
  std::vector<Map> todo;
  if (map != empty) todo.push_back(map);
  while (!todo.empty()) {
    const Node& node = nodes_[todo.back()];
    todo.pop_back();
    if (node.bit == 0) {
      result.emplace_back(node.key, node.left);
    } else {
      todo.push_back(node.right);
      todo.push_back(node.left);
    }
  }
  return result;
}

}  // namespace heddle::specs
