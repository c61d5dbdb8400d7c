// When a state has been explored far enough: the test that lazy and eager source sets have in common (Cirisci 2022,
// UpdateBack, repaired).
//
// Threads are bits of masks. `current[t]` is t and the threads that, after t's step here, may do something that depends
// on that step. If the explored threads have a subset T, not empty, with current[t] within T for all t in T, then T is
// a persistent set, and what has been explored is a source set.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

namespace heddle {

// Returns the largest subset T of `done` with current[t] within T for all t in T.
constexpr std::uint64_t closed_subset(std::uint64_t done, std::span<const std::uint64_t> current) {
  for (std::uint64_t set = done;;) {
    std::uint64_t rest = set;
    for (std::uint64_t todo = set; todo != 0; todo &= todo - 1) {
      const int t = std::countr_zero(todo);
      if ((current[static_cast<std::size_t>(t)] & ~set) != 0) rest &= ~(std::uint64_t{1} << t);
    }
    if (rest == set) return set;
    set = rest;
  }
}

// Returns the threads that have to be explored: `done` if that is enough. What was to be explored before stays so,
// even if the union shrinks. A dependent thread that is not enabled here could come to its action through any of those
// that are, so all of them are explored then.
constexpr std::uint64_t extended_backtrack(std::uint64_t enabled, std::uint64_t done, std::uint64_t backtrack,
                                           std::span<const std::uint64_t> current) {
  if (closed_subset(done, current) != 0) return done;
  std::uint64_t all = 0;
  for (std::uint64_t todo = done; todo != 0; todo &= todo - 1) {
    all |= current[static_cast<std::size_t>(std::countr_zero(todo))];
  }
  return backtrack | ((all & ~enabled) != 0 ? enabled : all);
}

}  // namespace heddle
