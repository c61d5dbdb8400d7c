// Finds out which steps of one process commute, so that stateless searches need not try both orders (execution.h).
//
// Steps of one process are dependent by default: the second sees what the first has done. But two receipts may leave
// the process in the same state and send the same messages whichever comes first, for example two reads at one server,
// or answers to different requests. Events a and b are independent iff in every reachable state
//   1. where both are enabled, each is still enabled after the other and sends the same, and both orders lead to the
//      same state, history included;
//   2. where one of them is enabled, it neither enables nor disables the other.
// This is a valid dependency relation in the sense of Katz and Peled, for all states of the system, so reductions by
// traces need no other argument.
//
// What a step does is a function of its process's slot, unless the step accesses something else that can differ (ghost,
// fault counter, bounded channel). Steps that do so stay dependent. Therefore a complete search of the states looks at
// every slot value of every process once. That is cheap, because handlers are memoised and states are far fewer than
// runs. If the search does not end, no steps commute. Thread-safe once made.
#pragma once

#include <algorithm>
#include <boost/container_hash/hash.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>

#include "core/budget.h"
#include "core/transition_system.h"

namespace heddle {

class Commuting {
 public:
  Commuting(const TransitionSystem& system, const Limits& limits);

  // Whether all states were looked at; if not, nothing commutes.
  bool complete() const { return complete_; }
  // `a` and `b` are labels (Effects::label) of steps of the process.
  bool commute(std::uint32_t process, std::uint64_t a, std::uint64_t b) const {
    return complete_ && together_.contains(pair(process, a, b)) && !dependent_.contains(pair(process, a, b));
  }
  std::size_t pairs() const { return complete_ ? together_.size() - dependent_together_ : 0; }

 private:
  struct Pair {
    std::uint32_t process;
    std::uint64_t a, b;
    bool operator==(const Pair&) const = default;
    friend std::size_t hash_value(const Pair& p) {
      std::size_t seed = p.process;
      boost::hash_combine(seed, p.a);
      boost::hash_combine(seed, p.b);
      return seed;
    }
  };
  static Pair pair(std::uint32_t process, std::uint64_t a, std::uint64_t b) {
    return {process, std::min(a, b), std::max(a, b)};
  }
  void look(const TransitionSystem& system, std::span<const Slot> state);
  void look_at_process(const TransitionSystem& system, std::span<const Slot> state, std::uint32_t process);

  bool complete_ = false;
  boost::unordered_flat_set<std::uint64_t> seen_;  // (process, slot value)
  boost::unordered_flat_set<Pair> together_, dependent_;
  std::size_t dependent_together_ = 0;
};

}  // namespace heddle
