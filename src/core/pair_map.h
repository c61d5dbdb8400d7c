// Memoisation on a pair of numbers: (left, right) -> a non-zero 32-bit value, computed once and kept.
//
// Two threads may compute a value for the same key at the same time; the first one stored is the one both get.
// Thread-safe like PairTable.
#pragma once

#include <atomic>
#include <cstdint>

#include "core/pair_table.h"
#include "core/reserved_array.h"

namespace heddle {

class PairMap {
 public:
  template <class Compute>
  std::uint32_t get(std::uint32_t left, std::uint32_t right, Compute&& compute) {
    const PairTable::Number number = keys_.insert(make_pair_key(left, right)).number;
    std::atomic_ref value(values_[number]);
    std::uint32_t known = value.load(std::memory_order_acquire);
    if (known == 0) {
      const std::uint32_t computed = compute();
      if (value.compare_exchange_strong(known, computed, std::memory_order_acq_rel)) known = computed;
    }
    return known;
  }

  std::size_t size() const { return keys_.size(); }
  std::size_t bytes() const { return keys_.bytes() + keys_.size() * sizeof(std::uint32_t); }

 private:
  PairTable keys_;
  ReservedArray<std::uint32_t> values_;
};

}  // namespace heddle
