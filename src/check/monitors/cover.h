// Times at which a collection cannot be empty.
//
// An item is surely inside between its insertion's return and its removal's invocation. Where such intervals leave no gap, the
// collection is not empty whatever the linearization; at every time outside all of them, all linearizations can be changed so that
// it is empty there (each value that is inside could have been removed earlier or inserted later). So emptiness is a question
// about the union of these intervals alone.
//
// The line of time is cut at their ends into gaps: gap g lies just before ends[g].
// Thread-safe: no state.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "check/monitors/collection.h"

namespace heddle::monitors {

// Both ends of the intervals of all items that are surely inside at some time, ascending.
std::vector<std::uint32_t> interval_ends(std::span<const Item> items);

// The first gap after event `time`, the last one before it.
inline std::uint32_t gap_after(std::span<const std::uint32_t> ends, std::uint32_t time) {
  return static_cast<std::uint32_t>(std::ranges::upper_bound(ends, time) - ends.begin());
}
inline std::uint32_t gap_before(std::span<const std::uint32_t> ends, std::uint32_t time) {
  return static_cast<std::uint32_t>(std::ranges::lower_bound(ends, time) - ends.begin());
}

// A set of gaps that only grows, with "the first gap not in it from here on" in nearly constant time.
class CoveredGaps {
 public:
  explicit CoveredGaps(std::size_t gaps);
  void cover(std::uint32_t first, std::uint32_t last);
  std::uint32_t first_free(std::uint32_t gap);
  std::size_t bytes() const { return next_.size() * sizeof(std::uint32_t); }

 private:
  std::vector<std::uint32_t> next_;  // union-find towards the right
};

// The fewest items that are surely inside at some time each and together at every time from event `from` to event `to`. Requires that
// all of `items` together are.
std::vector<Item> shortest_cover(std::span<const Item> items, std::uint32_t from, std::uint32_t to);

// The removal that found the collection empty, and the items that say it was not; nothing if there is none.
std::optional<Violation> check_empties(const Context& context, const Collection& collection);

}  // namespace heddle::monitors
