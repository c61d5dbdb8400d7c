// Memoisation on a pair of numbers: (left, right) -> a non-zero 32-bit value, computed once and kept.
//
// Two threads may compute a value for the same key at the same time; both get the one that was stored first.
// Thread-safe like PairTable.
#pragma once

#include <atomic>
#include <cassert>
#include <cstdint>

#include "core/pair_table.h"
#include "core/reserved_array.h"

namespace heddle {

class PairMap {
 public:
  // Returns the value of the pair, by compute() if there is none yet. REQUIRES: compute() != 0.
  template <class Compute>
  std::uint32_t get(std::uint32_t left, std::uint32_t right, Compute&& compute) {
    const PairTable::Number number = keys_.insert(make_pair_key(left, right)).number;
    std::atomic_ref value(values_[number]);
    std::uint32_t known = value.load(std::memory_order_acquire);
    if (known == 0) {
      const std::uint32_t computed = compute();
      assert(computed != 0);
      if (value.compare_exchange_strong(known, computed, std::memory_order_acq_rel)) known = computed;
    }
    return known;
  }

  // Calls f(left, right, value) for every value computed so far. REQUIRES: nobody adds meanwhile.
  template <class F>
  void each(F&& f) const {
    for (PairTable::Number n = 1; n <= keys_.last(); ++n) {
      const std::uint64_t key = keys_.key(n);
      if (key != PairTable::hole && values_[n] != 0) f(left_of(key), right_of(key), values_[n]);
    }
  }

  std::size_t size() const { return keys_.size(); }
  std::size_t bytes() const { return keys_.bytes() + keys_.size() * sizeof(std::uint32_t); }

 private:
  PairTable keys_;
  ReservedArray<std::uint32_t> values_;
};

}  // namespace heddle
