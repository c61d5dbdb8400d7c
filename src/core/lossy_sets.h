// Visited sets that may take a new state for a known one, and say how likely that was.
//
// HashCompactSet (Wolper, Leroy 1993; Stern, Dill 1995) keeps 31 bits of a state's hash in the bucket that the other
// bits select. BitstateSet (Holzmann 1998) sets three bits per state in a Bloom filter. Both have a fixed size, for
// runs whose exact set would not fit. Neither keeps the state, so a search keeps on its stack what it needs.
// Thread-safe, lock-free.
#pragma once

#include <atomic>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>

#include "core/reserved_array.h"

namespace heddle {

class HashCompactSet {
 public:
  explicit HashCompactSet(std::size_t bytes) : buckets_(bytes / 64 > 0 ? bytes / 64 : 1), entries_(buckets_ * 16) {
    assert(buckets_ <= std::uint64_t{1} << 32);
  }

  // Returns true if no state with this hash was in the set. Throws TableFull when the set is nearly full.
  bool insert(std::uint64_t hash) {
    const auto signature = static_cast<std::uint32_t>(hash) | 1;  // 31 bits that count; 0 is empty
    std::uint64_t bucket = ((hash >> 32) * buckets_) >> 32;
    std::uint64_t compared = 0;
    for (std::size_t probes = 0; probes < 64; ++probes, bucket = bucket + 1 == buckets_ ? 0 : bucket + 1) {
      for (std::size_t i = 0; i < 16; ++i) {
        std::atomic_ref entry(entries_[bucket * 16 + i]);
        std::uint32_t seen = entry.load(std::memory_order_relaxed);
        if (seen == 0 && entry.compare_exchange_strong(seen, signature, std::memory_order_relaxed)) {
          compared_.fetch_add(compared, std::memory_order_relaxed);
          return true;
        }
        if (seen == signature) return false;
        ++compared;
      }
    }
    throw TableFull();
  }
  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&entries_[((((hash >> 32) * buckets_) >> 32)) * 16]); }

  // Each comparison that a new state survived could have swallowed it, with probability 2^-31.
  double omission_probability() const { return -std::expm1(-static_cast<double>(compared_.load()) / 2147483648.0); }
  std::size_t bytes() const { return buckets_ * 64; }
  std::string note(std::uint64_t) const {
    char text[128];
    std::snprintf(text, sizeof text, "hash compaction: may miss states, probability that any was missed %.2g",
                  omission_probability());
    return text;
  }

 private:
  std::uint64_t buckets_;
  ReservedArray<std::uint32_t> entries_;
  std::atomic<std::uint64_t> compared_{0};
};

class BitstateSet {
 public:
  explicit BitstateSet(std::size_t bytes) : bits_(bytes * 8), words_(bytes / 8 + 1) {}

  bool insert(std::uint64_t hash) {
    bool is_new = false;
    for (int k = 0; k < 3; ++k) {
      const std::uint64_t bit = position(hash, k);
      const std::uint64_t mask = std::uint64_t{1} << (bit % 64);
      const std::uint64_t old = std::atomic_ref(words_[bit / 64]).fetch_or(mask, std::memory_order_relaxed);
      if ((old & mask) == 0) {
        is_new = true;
        set_.fetch_add(1, std::memory_order_relaxed);
      }
    }
    return is_new;
  }
  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&words_[position(hash, 0) / 64]); }

  std::size_t bytes() const { return bits_ / 8; }
  std::string note(std::uint64_t states) const {
    const double full = static_cast<double>(set_.load()) / static_cast<double>(bits_);
    const double miss = full * full * full;  // a new state now meets three set bits
    char text[192];
    std::snprintf(
        text, sizeof text,
        "bitstate: may miss states; %.2g %% of the bits set, hash factor %.3g, expected coverage at least %.4g %%",
        full * 100, static_cast<double>(bits_) / static_cast<double>(states > 0 ? states : 1), 100 * (1 - miss));
    return text;
  }

 private:
  std::uint64_t position(std::uint64_t hash, int k) const {
    std::uint64_t h = (hash + static_cast<std::uint64_t>(k) * 0x9E3779B97F4A7C15u) * 0xD6E8FEB86659FD93u;
    h ^= h >> 32;
    h *= 0xD6E8FEB86659FD93u;
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(h) * bits_) >> 64);
  }
  std::uint64_t bits_;
  ReservedArray<std::uint64_t> words_;
  std::atomic<std::uint64_t> set_{0};
};

}  // namespace heddle
