// What a search has found out about the properties: which were violated, which were witnessed, and where.
//
// A place is whatever the search can later turn into a path (a state's number, a finished path). The first
// place for a property is kept. Thread-safe. REQUIRES: a system has at most 64 properties.
#pragma once

#include <atomic>
#include <cassert>
#include <cstdint>
#include <map>
#include <mutex>

#include "core/transition_system.h"

namespace heddle {

template <class Place>
class FindingsBoard {
 public:
  explicit FindingsBoard(const TransitionSystem& system) {
    const auto properties = system.properties();
    assert(properties.size() <= 64);
    for (std::size_t i = 0; i < properties.size(); ++i) {
      const std::uint64_t bit = std::uint64_t{1} << i;
      switch (properties[i].kind) {
        case Property::Kind::Always:
          always_ |= bit;
          break;
        case Property::Kind::Sometimes:
          sometimes_ |= bit;
          break;
        case Property::Kind::DeadlockFree:
        case Property::Kind::Finally:
          deadlock_free_ |= bit;
          break;
        case Property::Kind::Bound:
          bound_ |= bit;
          break;
      }
    }
    open_ = always_ | sometimes_;
  }

  std::uint64_t deadlock_free() const { return deadlock_free_; }
  std::uint64_t bound() const { return bound_; }
  // Returns whether states have to be looked at.
  bool interested() const { return open() != 0; }
  // The properties whose truth in a state still matters.
  std::uint64_t open() const { return open_.load(std::memory_order_relaxed); }

  // `truth` is evaluate() of a stored state.
  template <class MakePlace>
  void state(std::uint64_t truth, MakePlace&& place) {
    const std::uint64_t open = open_.load(std::memory_order_relaxed);
    const std::uint64_t hits = ((always_ & ~truth) | (sometimes_ & truth)) & open;
    if (hits != 0) [[unlikely]]
      record(hits, place);
  }
  template <class MakePlace>
  void deadlock(std::uint64_t truth, MakePlace&& place) {
    if (const std::uint64_t hits = deadlock_free_ & ~truth; hits != 0) record(hits, place);
  }

  bool violated() const { return violated_.load(std::memory_order_relaxed); }

  // Property -> place. REQUIRES: the search has ended.
  const std::map<std::size_t, Place>& found() const { return found_; }
  bool is_sometimes(std::size_t property) const {
    assert(property < 64);
    return (sometimes_ >> property & 1) != 0;
  }

 private:
  template <class MakePlace>
  void record(std::uint64_t hits, MakePlace&& place) {
    assert((hits & bound_) == 0);  // a bound is never a finding
    std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < 64; ++i) {
      if ((hits >> i & 1) == 0 || found_.contains(i)) continue;
      found_.emplace(i, place());
      open_.fetch_and(~(std::uint64_t{1} << i), std::memory_order_relaxed);
      if (!is_sometimes(i)) violated_.store(true, std::memory_order_relaxed);
    }
  }

  std::uint64_t always_ = 0, sometimes_ = 0, deadlock_free_ = 0, bound_ = 0;
  std::atomic<std::uint64_t> open_{0};
  std::atomic<bool> violated_{false};
  std::mutex mutex_;
  std::map<std::size_t, Place> found_;
};

}  // namespace heddle
