// A map from the values that one history inserts to small numbers.
//
// Values are numbered in the order in which a history first shows them, so the values of one part usually lie close
// together. Then the map is a plain table, and neighbours in time are neighbours in memory. Otherwise it is a hash
// table.
// Not thread-safe.
#pragma once

#include <algorithm>
#include <cstdint>
#include <ranges>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "check/recorded_history.h"

namespace heddle::monitors {

class ValueIndex {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  // Each member of `things` has a `value`, whose number is the member's position.
  template <typename Things>
  explicit ValueIndex(const Things& things) {
    if (things.empty()) return;
    const auto [least, greatest] =
        std::ranges::minmax(things | std::views::transform([](const auto& t) { return t.value; }));
    if (std::size_t{greatest} - least < 8 * things.size() + 64) {
      least_ = least;
      table_.assign(std::size_t{greatest} - least + 1, none);
    } else {
      map_.reserve(things.size());
    }
    for (std::uint32_t i = 0; i < things.size() && distinct_; ++i) distinct_ = insert(things[i].value, i);
  }

  // False if a value occurs twice; then some values have no number.
  bool distinct() const { return distinct_; }

  std::uint32_t find(Value value) const {
    if (!table_.empty()) return value - least_ < table_.size() ? table_[value - least_] : none;
    const auto found = map_.find(value);
    return found == map_.end() ? none : found->second;
  }

  std::size_t bytes() const { return table_.size() * sizeof(std::uint32_t) + map_.bucket_count() * 9; }

 private:
  bool insert(Value value, std::uint32_t number) {
    if (table_.empty()) return map_.emplace(value, number).second;
    std::uint32_t& entry = table_[value - least_];
    if (entry != none) return false;
    entry = number;
    return true;
  }

  bool distinct_ = true;
  Value least_ = 0;
  std::vector<std::uint32_t> table_;
  boost::unordered_flat_map<Value, std::uint32_t> map_;
};

}  // namespace heddle::monitors
