// Immutable lists that grow at their end: the states of stacks and logs. A list is an interned pair of a shorter list
// and its last value, so equal lists have the same number. Not thread-safe.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

namespace heddle::specs {

class PersistentLists {
 public:
  using List = std::uint32_t;
  static constexpr List empty = 0;

  PersistentLists() : nodes_(1) {}

  List with(List list, std::uint32_t value) {
    const auto key = std::uint64_t{list} << 32 | value;
    const auto [it, is_new] = numbers_.try_emplace(key, static_cast<List>(nodes_.size()));
    if (is_new) nodes_.push_back({list, value, nodes_[list].size + 1});
    return it->second;
  }
  // REQUIRES: the list is not empty.
  std::uint32_t last(List list) const { return nodes_[list].value; }
  List without_last(List list) const { return nodes_[list].rest; }

  std::uint32_t size(List list) const { return nodes_[list].size; }
  std::vector<std::uint32_t> values(List list) const {
    std::vector<std::uint32_t> result;
    for (; list != empty; list = nodes_[list].rest) result.push_back(nodes_[list].value);
    std::ranges::reverse(result);
    return result;
  }
  std::size_t bytes() const { return nodes_.capacity() * sizeof(Node) + numbers_.bucket_count() * 17; }

 private:
  struct Node {
    List rest = empty;
    std::uint32_t value = 0, size = 0;
  };
  std::vector<Node> nodes_;
  boost::unordered_flat_map<std::uint64_t, List> numbers_;
};

}  // namespace heddle::specs
