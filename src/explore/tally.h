// Counts of one thread that another may read for the progress line.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>

namespace heddle {

// Written by its own thread only, so an increment needs no locked instruction.
class Tally {
 public:
  void operator+=(std::uint64_t n) {
    value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }
  void raise_to(std::uint64_t n) {
    if (n > value_.load(std::memory_order_relaxed)) value_.store(n, std::memory_order_relaxed);
  }
  operator std::uint64_t() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

struct alignas(64) WorkerTally {
  Tally states, transitions, left_out, deadlocks, cut_off, depth, pushes, stack;
  std::exception_ptr error;
};

}  // namespace heddle
