// Random schedules of threads, for programs too large to search (facet Threads).
//
//   ThreadSampling sampling(system, {.strategy = ThreadStrategy::Priorities, .depth = 2});
//   const SampledRun run = sampling.run(7);                 // the run that seed 7 stands for
//
// Uniform draws from the threads that can go on. Priorities is PCT (Burckhardt, Kothari, Musuvathi, Nagarakatte: ASPLOS
// 2010): every thread has a random priority and the highest goes on; at depth - 1 random steps the one that would go on
// falls below all others. A bug of depth d is found by one run with probability at least 1/(n k^(d-1)), n threads, k
// steps; k is the longest run so far. Partial orders is POS (Yuan, Yang, Gu: CAV 2018): every pending action has a
// random priority, the highest is taken, and the priorities of actions that conflict with it are drawn anew, so that
// partial orders are sampled more evenly than schedules are.
//
// Equal seeds give equal runs on every platform, whatever ran before, except that PCT's k is given.
// Thread-safe: a const ThreadSampling has no state.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/path.h"
#include "core/transition_system.h"

namespace heddle {

enum class ThreadStrategy : std::uint8_t { Uniform, Priorities, PartialOrders };

struct ThreadSamplingOptions {
  ThreadStrategy strategy = ThreadStrategy::Uniform;
  std::size_t steps = 10'000;        // of one run, at most
  std::uint32_t depth = 3;           // of bugs that Priorities looks for
  std::size_t length = 0;            // k of Priorities; 0: a first run finds out
  std::function<bool()> go_on = {};  // asked now and then; none: yes
};

struct SampledRun {
  Path path;
  SlotVector last;
  bool ended = false;                         // there is no step any more
  std::optional<std::size_t> false_property;  // that does not hold in the last state
};

class ThreadSampling {
 public:
  // REQUIRES: the system has the facet Threads, and outlives this.
  ThreadSampling(const TransitionSystem& system, ThreadSamplingOptions options)
      : system_(system), options_(std::move(options)) {}

  // Stops at the first state in which a property is false.
  SampledRun run(std::uint64_t seed) const;

 private:
  void owners_of(const StepBuffer& steps, std::span<const Slot> state, std::vector<std::uint32_t>& out) const;

  const TransitionSystem& system_;
  const ThreadSamplingOptions options_;
};

}  // namespace heddle
