// A thread's own copy of its latest look-ups in a table on pairs of numbers, direct-mapped. Most look-ups of
// a search repeat one made a moment ago.
//
//   thread_local RecentPairs<12> recent;             // 2^12 entries
//   recent.belong_to(id_);                           // forgets everything if it belonged to another table
//   auto& entry = recent.at(key);
//   if (entry.key != key || entry.value == 0) entry = {key, table_.get(...), ...};
//
// An entry is empty iff its value is 0. Belongs to one thread.
#pragma once

#include <atomic>
#include <cassert>
#include <cstdint>
#include <vector>

namespace heddle {

template <unsigned Bits>
class RecentPairs {
 public:
  struct Entry {
    std::uint64_t key;
    std::uint32_t value;
    std::uint32_t more;  // for the owner's use
  };

  // REQUIRES: owner != 0, and no other table of this program ever has this number.
  void belong_to(std::uint64_t owner) {
    assert(owner != 0);
    if (owner_ == owner) [[likely]]
      return;
    owner_ = owner;
    entries_.assign(std::size_t{1} << Bits, Entry{0, 0, 0});
  }
  Entry& at(std::uint64_t key) {
    assert(owner_ != 0);
    return entries_[(key * 0x9E3779B97F4A7C15u) >> (64 - Bits)];
  }

  static std::uint64_t new_owner() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
  }

 private:
  std::uint64_t owner_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace heddle
