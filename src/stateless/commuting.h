// Which steps of one process commute, so that stateless searches need not try both orders (execution.h).
//
// Steps of one process are dependent by default: the second sees what the first has done. Two receipts that leave the
// process in the same state whichever comes first, and send the same messages, are not: two reads at one server, say,
// or answers to different requests. Events a and b are independent iff in every reachable state
//   1. where both are enabled, each is still enabled after the other and sends the same, and both orders lead to the same state,
//      history included;
//   2. where one of them is enabled, it neither enables nor disables the other.
// That is a valid dependency relation in the sense of Katz and Peled, for all states of the system, so reductions by
// traces need no other argument. What a step does is a function of its process's slot as long as it accesses nothing
// else that can differ (no ghost, no fault counter, no bounded channel); steps that do stay dependent. So every slot
// value of every process is looked at once, by a complete search of the states: cheap, because handlers are memoised
// and states are far fewer than runs, but if that search does not end, nothing is taken to commute. Thread-safe once
// made.
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

  // All states were looked at; otherwise nothing commutes.
  bool complete() const { return complete_; }
  // Labels (Effects::label) of one process.
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
