// The budget of one of several searches that run at once. Memory is the sum over all of them, and a search whose
// answer is not needed any more ends early.
//
// Thread-safe: one SearchGuard belongs to one search; what the guards share is atomic.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/budget.h"

namespace heddle {

struct SharedSearches {
  explicit SharedSearches(Budget& limits) : budget(limits) {}

  Budget& budget;
  std::atomic<std::size_t> bytes{0}, peak{0};
  // Searches with a number above this are not needed any more.
  std::atomic<std::size_t> last_needed{std::numeric_limits<std::size_t>::max()};
};

class SearchGuard {
 public:
  SearchGuard(SharedSearches& shared, std::size_t number) : shared_(shared), number_(number) {}
  ~SearchGuard() { report(0); }
  SearchGuard(const SearchGuard&) = delete;
  SearchGuard& operator=(const SearchGuard&) = delete;

  // `bytes` is what this search holds, `more` what it is about to take besides. Returns false if the search has to
  // stop.
  bool check(std::size_t bytes, std::size_t more) {
    report(bytes);
    return needed() && shared_.budget.check(shared_.bytes.load(std::memory_order_relaxed) + more);
  }
  // Called by a search that has reached a limit of its data structures.
  void out_of_memory() { shared_.budget.stop(Budget::Stop::Memory); }
  bool needed() const { return number_ <= shared_.last_needed.load(std::memory_order_relaxed); }

 private:
  void report(std::size_t bytes) {
    const std::size_t total =
        shared_.bytes.fetch_add(bytes - reported_, std::memory_order_relaxed) + (bytes - reported_);
    reported_ = bytes;
    std::size_t peak = shared_.peak.load(std::memory_order_relaxed);
    while (total > peak && !shared_.peak.compare_exchange_weak(peak, total, std::memory_order_relaxed)) {
    }
  }

  SharedSearches& shared_;
  std::size_t number_;
  std::size_t reported_ = 0;
};

}  // namespace heddle
