// In which order a depth-first search takes threads: ascending numbers, a permutation, or any order by chance (Cirisci
// 2022, section 2.2.3.3).
//
//   options.step_order = step_order(system, {.first = {2, 0}});   // thread 2, then 0, then all others
//
// What a complete search finds does not depend on the order. How soon a search finds a violation does, and so does how
// many states source sets explore. One seed gives one order; a ranking belongs to one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "explore/reduction.h"

namespace heddle {

struct ThreadOrder {
  std::vector<std::uint32_t> first = {};   // these come before all others, in this order
  bool descending = false;                 // of all others the one with the largest number comes first
  std::optional<std::uint64_t> seed = {};  // every state has an order of its own, by chance; nothing else counts then

  bool given() const { return !first.empty() || descending || seed.has_value(); }
  // "threads 2, 0 first", "last thread first", "threads in random order, seed 7"; empty if nothing is given
  std::string text() const;
};

class ThreadRanking {
 public:
  explicit ThreadRanking(ThreadOrder order) : order_(std::move(order)), random_(order_.seed.value_or(0)) {}
  // The smallest comes first. Below 2^62. With a seed another number for each call.
  std::uint64_t rank(std::uint32_t thread);

 private:
  ThreadOrder order_;
  std::mt19937_64 random_;
};

// REQUIRES: the system has Threads and outlives what is made.
std::function<std::unique_ptr<StepOrder>()> step_order(const TransitionSystem& system, ThreadOrder order);

}  // namespace heddle
