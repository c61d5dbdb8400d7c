// Where runs have compared a pointer to freed memory with a pointer to something else.
//
// Addresses are never given out twice, so the two differ. On a computer the second object may lie where the first one
// was, and they are equal: a compare-exchange that should fail succeeds (ABA). What then happens is not explored, so a
// verdict says where it could.
// Thread-safe.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace heddle::native {

class FreedComparisons {
 public:
  static constexpr std::size_t most = 64;  // lines; more are not told apart

  // The number of a line of the program, "stack.cpp:31".
  std::uint32_t number(const std::string& line) {
    const std::lock_guard lock(mutex_);
    const auto known = std::ranges::find(lines_, line);
    const auto at = static_cast<std::size_t>(known - lines_.begin());
    if (known == lines_.end() && lines_.size() < most) lines_.push_back(line);
    return static_cast<std::uint32_t>(std::min(at, most - 1));
  }
  // The comparison there was one with a pointer to freed memory.
  void note(std::uint32_t number) {
    const std::uint64_t bit = std::uint64_t{1} << number;
    if ((noted_.load(std::memory_order_relaxed) & bit) == 0) noted_.fetch_or(bit, std::memory_order_relaxed);
  }
  // Ascending.
  std::vector<std::string> lines() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> out;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if ((noted_.load() >> i & 1) != 0) out.push_back(lines_[i]);
    }
    std::ranges::sort(out);
    return out;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
  std::atomic<std::uint64_t> noted_{0};
};

}  // namespace heddle::native
