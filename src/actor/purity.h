// Chooses the runs of user code that are made twice, to see whether they do the same.
//
// Keeping the results of handlers and properties is sound only if these are pure functions. Code that is not
// (because of random numbers, static variables, clocks, uninitialised memory) mostly gives itself away at once.
// So the first runs of each piece of code are repeated in memory with other contents, and then ever fewer (the
// 32nd, the 64th, ...). On request all runs are repeated, except those that the handler rejects. A repeated run
// costs some microseconds, so many of them would slow a search of some milliseconds down. Rejected runs are
// counted separately, because there are many of them.
// Thread-safe; two threads may count one run instead of two.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace heddle::actor {

class PuritySample {
 public:
  // There are `codes` pieces of user code, numbered from 0.
  PuritySample(std::size_t codes, bool all) : runs_(std::make_unique<Runs[]>(codes)), all_(all) {}

  // Returns whether this run of the code shall be repeated.
  bool wants(std::size_t code, bool rejected = false) {
    std::atomic<std::uint32_t>& runs = rejected ? runs_[code].rejected : runs_[code].done;
    const std::uint32_t now = runs.load(std::memory_order_relaxed) + 1;
    runs.store(now, std::memory_order_relaxed);
    return now <= (rejected ? first_rejected : first) || (now & (now - 1)) == 0 || (all_ && !rejected);
  }
  // Returns whether the run shall be repeated several times, in differently filled memory.
  bool thoroughly(std::size_t code) const {
    return all_ || runs_[code].done.load(std::memory_order_relaxed) <= thorough;
  }

 private:
  static constexpr std::uint32_t first = 16, first_rejected = 2, thorough = 1;
  struct Runs {
    std::atomic<std::uint32_t> done{0}, rejected{0};
  };
  std::unique_ptr<Runs[]> runs_;
  const bool all_;
};

}  // namespace heddle::actor
