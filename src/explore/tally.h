// Counts of one thread that another thread may read for the progress line.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <vector>

namespace heddle {

// Only its own thread writes it, so an increment needs no locked instruction.
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
  std::vector<std::uint64_t> executed;  // steps by transition; read only after the thread has ended
  std::exception_ptr error;
};

// Returns what all threads have executed, by transition.
template <class Workers>
std::vector<std::uint64_t> executed_by_all(const Workers& workers) {
  std::vector<std::uint64_t> sum;
  for (const WorkerTally& w : workers) {
    if (sum.size() < w.executed.size()) sum.resize(w.executed.size());
    for (std::size_t t = 0; t < w.executed.size(); ++t) sum[t] += w.executed[t];
  }
  return sum;
}

}  // namespace heddle
