// A lock-free, growing set of 64-bit keys that numbers them densely. All hot tables stand on it.
//
// Tree compression (Laarman, van de Pol, Weber; SPIN 2011) stores a vector as a binary tree of pairs. Each pair
// of 32-bit numbers is one key here, and the key's number stands for the pair one level up. There are two parts:
//   log    the keys in the order of their numbers, 8 bytes each, in address space reserved once, so it never
//          moves. For the roots of the trees the log is at the same time the queue of a breadth-first search.
//   index  4-byte entries in cache lines of 16. An entry is a number and, in the bits that the number leaves free,
//          a tag of the hash. So a look-up costs one miss in the index and, only if the tag agrees, one in the log.
// The index is cut into segments that grow independently, by half each time. To grow a segment, a thread freezes
// its empty entries, builds a larger copy and swings the segment's pointer. Any thread that meets a frozen entry
// can do the same by itself (the loser of the race discards its copy), so no thread ever waits for another.
//
// Invariants
//   1. Numbers are 1, 2, ... in order of insertion. Holes (key(n) == hole) appear only where two threads
//      raced for one key.
//   2. A key is found by every insert that starts after the insert that added it has returned.
//   3. Entries of a bucket are filled from left to right and never removed.
// Thread-safe among threads that are Reclaimer workers, or for one thread at a time.
#pragma once

#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/reserved_array.h"

namespace heddle {

constexpr std::uint64_t make_pair_key(std::uint32_t left, std::uint32_t right) {
  return (std::uint64_t{left} << 32) | right;
}
constexpr std::uint32_t left_of(std::uint64_t key) { return static_cast<std::uint32_t>(key >> 32); }
constexpr std::uint32_t right_of(std::uint64_t key) { return static_cast<std::uint32_t>(key); }

class PairTable {
 public:
  using Number = std::uint32_t;
  static constexpr std::uint64_t hole = ~std::uint64_t{0};  // never a key

  struct Inserted {
    Number number;
    bool is_new;
  };

  // insert() throws TableFull once 2^31 - 2 keys are in, or when address space or memory ends.
  explicit PairTable(unsigned segment_bits = 4);
  ~PairTable();
  PairTable(const PairTable&) = delete;
  PairTable& operator=(const PairTable&) = delete;

  static std::uint64_t hash(std::uint64_t key) {
    std::uint64_t h = key * 0x9E3779B97F4A7C15u;
    h = (h ^ (h >> 32)) * 0xD6E8FEB86659FD93u;
    return h ^ (h >> 29);
  }

  // REQUIRES: key != hole, and `hash`, if given, is hash(key).
  Inserted insert(std::uint64_t key) { return insert(key, hash(key)); }
  Inserted insert(std::uint64_t key, std::uint64_t hash);
  Number find(std::uint64_t key) const;  // 0 if absent

  // REQUIRES: 0 < number <= last().
  std::uint64_t key(Number number) const {
    // Relaxed: an assert must not order what the code does not, or it would hide races from ThreadSanitizer.
    assert(number != 0 && number < next_.load(std::memory_order_relaxed));
    return std::atomic_ref(log_[number]).load(std::memory_order_relaxed);
  }

  // For batches: first bring in the index lines of all keys, then the log entries they point to, then insert.
  void prefetch_index(std::uint64_t hash) const { __builtin_prefetch(bucket_of(hash)); }
  void prefetch_log(std::uint64_t hash) const;

  // Numbers 1 .. last() have been handed out; size() of them are keys.
  Number last() const { return next_.load(std::memory_order_acquire) - 1; }
  std::size_t size() const { return last() - holes_.load(std::memory_order_relaxed); }
  std::size_t bytes() const { return last() * sizeof(std::uint64_t) + index_bytes_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::uint32_t frozen = ~std::uint32_t{0};
  static constexpr unsigned lanes = 16;
  static constexpr unsigned schedule_length = 48;
  // The numbers of buckets that a segment goes through: 1, 2, 3, 4, 6, 9, 13, ... Growing by half instead of
  // doubling keeps the index between 57 % and 85 % full.
  static constexpr auto growth_schedule = [] {
    std::array<std::uint32_t, schedule_length> sizes{};
    std::uint64_t size = 1;
    for (auto& s : sizes) {
      s = static_cast<std::uint32_t>(size);
      size += size / 2 > 0 ? size / 2 : 1;
    }
    return sizes;
  }();
  struct alignas(64) Bucket {
    std::uint32_t entry[lanes];
  };
  // One word holds everything that describes a segment's table, so that it can be replaced in one step: the address,
  // the number of buckets (as an index into the growth schedule) and how many bits of an entry are the number.
  struct Table {
    Bucket* buckets;
    std::uint32_t size;
    unsigned schedule;
    unsigned number_bits;
  };
  struct Segment {
    std::atomic<std::uint64_t> word{0};
    std::atomic<std::uint32_t> count{0};
  };

  static std::uint64_t pack(const Table& table) {
    assert((reinterpret_cast<std::uint64_t>(table.buckets) & ~std::uint64_t{0xFFFFFFFFFFC0u}) == 0);
    assert(table.number_bits < 32 && table.schedule < schedule_length);
    // Buckets are 64-byte aligned and user addresses have at most 48 bits: 6 bits below and 16 above are free.
    return reinterpret_cast<std::uint64_t>(table.buckets) | table.number_bits | (std::uint64_t{table.schedule} << 48);
  }
  static Table unpack(std::uint64_t word) {
    const auto schedule = static_cast<unsigned>(word >> 48);
    return {reinterpret_cast<Bucket*>(word & 0xFFFFFFFFFFC0u), growth_schedule[schedule], schedule,
            static_cast<unsigned>(word & 63)};
  }
  Segment& segment_of(std::uint64_t hash) const { return segments_[segment_bits_ ? hash >> (64 - segment_bits_) : 0]; }
  std::uint64_t home_of(std::uint64_t hash, std::uint32_t size) const {
    return (((hash << segment_bits_) >> 32) * size) >> 32;
  }
  const Bucket* bucket_of(std::uint64_t hash) const {
    const Table table = unpack(segment_of(hash).word.load(std::memory_order_acquire));
    return table.buckets + home_of(hash, table.size);
  }
  bool matches(std::uint32_t entry, const Table& table, std::uint64_t hash, std::uint64_t key) const;
  Table allocate(unsigned schedule, unsigned number_bits);
  void release(const Table& table);
  void grow(Segment& segment, std::uint64_t seen_word, Number number);
  Number take_number();

  const unsigned segment_bits_;
  std::unique_ptr<Segment[]> segments_;
  ReservedArray<std::uint64_t> log_;
  alignas(64) std::atomic<Number> next_{1};
  alignas(64) std::atomic<std::size_t> holes_{0};
  std::atomic<std::size_t> index_bytes_{0};
};

}  // namespace heddle
