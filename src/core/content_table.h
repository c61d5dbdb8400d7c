// Interns slot contents: every distinct byte string gets one number, 1, 2, ...
//
// A content is written once per distinct local situation, not once per state: the memo tables in front of
// this one see to that. So a mutex on the way in is enough. Reading by number takes no lock.
// Thread-safe.
#pragma once

#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "core/reserved_array.h"

namespace heddle {

class ContentTable {
 public:
  using Number = std::uint32_t;

  struct Interned {
    Number number;
    bool is_new;
  };
  Interned intern_new(std::string_view bytes);
  Number intern(std::string_view bytes) { return intern_new(bytes).number; }
  Interned intern_new(std::span<const std::uint32_t> words) {
    return intern_new(std::string_view(reinterpret_cast<const char*>(words.data()), words.size_bytes()));
  }
  Number intern(std::span<const std::uint32_t> words) {
    return intern(std::string_view(reinterpret_cast<const char*>(words.data()), words.size_bytes()));
  }

  // REQUIRES: number <= last(). Number 0 has the empty content.
  std::string_view content(Number number) const {
    assert(number <= last_.load(std::memory_order_relaxed));  // relaxed, as in PairTable::key
    const Entry& entry = entries_[number];
    return {entry.data, entry.size};
  }
  // The content as words. REQUIRES: number <= last(), and the content was interned as words.
  std::span<const std::uint32_t> words(Number number) const {
    assert(number <= last_.load(std::memory_order_relaxed));  // relaxed, as in PairTable::key
    const Entry& entry = entries_[number];
    assert(entry.size % sizeof(std::uint32_t) == 0);
    return {reinterpret_cast<const std::uint32_t*>(entry.data), entry.size / sizeof(std::uint32_t)};
  }

  Number last() const { return last_.load(std::memory_order_acquire); }
  std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  struct Entry {
    const char* data;
    std::size_t size;
  };
  const char* store(std::string_view bytes);

  struct Hash {
    using is_avalanching = void;
    std::size_t operator()(std::string_view bytes) const noexcept;
  };

  std::mutex mutex_;
  boost::unordered_flat_map<std::string_view, Number, Hash> numbers_;
  std::vector<std::unique_ptr<char[]>> chunks_;
  char* free_ = nullptr;
  std::size_t left_ = 0;
  ReservedArray<Entry> entries_;
  std::atomic<Number> last_{0};
  std::atomic<std::size_t> bytes_{0};
};

}  // namespace heddle
