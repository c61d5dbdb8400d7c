// Which runs of user code are made twice, to see whether they do the same.
//
// Handlers and properties are pure functions, or keeping their results is unsound. Most that are not (random numbers, static
// variables, clocks, uninitialised memory) give themselves away at once, so the first runs of each are repeated, in memory with
// other contents, and ever fewer of those that follow (the 32nd, the 64th, ...); all of them if the user asks for it. A repeated
// run costs some microseconds, which a search of some milliseconds would notice if there were more of them. Runs that a handler
// rejects are counted apart: there are many of them.
// Thread-safe; threads may count a run less.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace heddle::actor {

class PuritySample {
 public:
  // `codes` pieces of user code, numbered from 0.
  PuritySample(std::size_t codes, bool all) : runs_(std::make_unique<Runs[]>(codes)), all_(all) {}

  // Whether this run of the code is one to repeat.
  bool wants(std::size_t code, bool rejected = false) {
    std::atomic<std::uint32_t>& runs = rejected ? runs_[code].rejected : runs_[code].done;
    const std::uint32_t now = runs.load(std::memory_order_relaxed) + 1;
    runs.store(now, std::memory_order_relaxed);
    return now <= (rejected ? first_rejected : first) || (now & (now - 1)) == 0 || (all_ && !rejected);
  }
  // Whether it shall be repeated in every way there is.
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
