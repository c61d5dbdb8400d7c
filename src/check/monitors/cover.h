// Times at which a collection cannot be empty.
//
// An item is surely inside between its insertion's return and its removal's invocation. Where such intervals leave no
// gap, the collection is not empty whatever the linearization. At every time outside all intervals, every linearization
// can be changed so that the collection is empty (each value inside could have been removed earlier or inserted later).
// So emptiness depends on the union of these intervals alone.
//
// The ends of the intervals cut the line of time into gaps: gap g lies just before ends[g].
// Thread-safe: no state.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "check/monitors/collection.h"

namespace heddle::monitors {

// Returns both ends of the intervals of all items that are surely inside at some time, ascending.
std::vector<std::uint32_t> interval_ends(std::span<const Item> items);

// The first gap after event `time`, and the last gap before it.
inline std::uint32_t gap_after(std::span<const std::uint32_t> ends, std::uint32_t time) {
  return static_cast<std::uint32_t>(std::ranges::upper_bound(ends, time) - ends.begin());
}
inline std::uint32_t gap_before(std::span<const std::uint32_t> ends, std::uint32_t time) {
  return static_cast<std::uint32_t>(std::ranges::lower_bound(ends, time) - ends.begin());
}

// A set of gaps that only grows. first_free() returns the first gap from `gap` on that is not in the set, in nearly
// constant time.
class CoveredGaps {
 public:
  explicit CoveredGaps(std::size_t gaps);
  void cover(std::uint32_t first, std::uint32_t last);
  std::uint32_t first_free(std::uint32_t gap);
  std::size_t bytes() const { return next_.size() * sizeof(std::uint32_t); }

 private:
  std::vector<std::uint32_t> next_;  // union-find towards the right
};

// Returns as few items as possible such that at every time from event `from` to event `to` one of them is surely
// inside.
// REQUIRES: at every such time one of `items` is surely inside.
std::vector<Item> shortest_cover(std::span<const Item> items, std::uint32_t from, std::uint32_t to);

// Returns a removal that found the collection empty, with the items that show it was not; or nothing.
std::optional<Violation> check_empties(const Context& context, const Collection& collection);

}  // namespace heddle::monitors
