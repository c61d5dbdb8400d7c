// What all threads are about to do in a state, as the reductions for threads need it.
//
//   ThreadActions actions(system);
//   actions.look(state, steps, first);
//   for (const ThreadAction& a : actions.all()) ...
//
// Properties that are judged in states on the way see the order of visible steps. So a visible step counts as a write
// to one more slot, `seen_by_properties`: visible steps are dependent on each other. A failure lasts to the end of
// every run, so its property need not be looked at on the way. A safe action is never visible. Whether a blocked action
// will be visible is known when it is no longer blocked.
// Not thread-safe: one object for each thread of a search.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/facets/threads.h"
#include "core/facets/visibility.h"
#include "core/transition_system.h"

namespace heddle {

inline constexpr std::uint32_t seen_by_properties = ~std::uint32_t{0};  // not a slot of a state

constexpr std::uint8_t bit_of(Access::Kind kind) {
  return static_cast<std::uint8_t>(1u << static_cast<unsigned>(kind));
}
// Returns the kinds of accesses to the same slot that conflict with one of this kind.
constexpr std::uint8_t conflicting(Access::Kind kind) {
  std::uint8_t out = 0;
  for (unsigned k = 0; k < access_kinds; ++k) {
    if (conflict(kind, static_cast<Access::Kind>(k))) out = static_cast<std::uint8_t>(out | 1u << k);
  }
  return out;
}

struct ThreadAction {
  PendingAction pending;
  bool exists = false;    // the thread has something to do
  std::size_t first = 0;  // its steps are those of the state from this number on
  bool enabled() const { return !pending.steps.empty(); }
};

class ThreadActions {
 public:
  // REQUIRES: the system has Threads and outlives this.
  explicit ThreadActions(const TransitionSystem& system);
  // The steps of `state` are those of `steps` from number `first` on.
  void look(std::span<const Slot> state, const StepBuffer& steps, std::size_t first);
  // One for each thread.
  std::span<const ThreadAction> all() const { return {actions_.data(), count_}; }

 private:
  const Threads& threads_;
  const Visibility& visibility_;
  bool on_the_way_ = false;  // some property is judged in states on the way
  std::vector<ThreadAction> actions_;
  std::size_t count_ = 0;
};

}  // namespace heddle
