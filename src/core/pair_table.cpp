// Inserts by compare and swap. A full segment of the index is frozen entry by entry and copied into a larger one.
#include "core/pair_table.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "core/bucket_scan.h"
#include "core/memory.h"
#include "core/reclaim.h"

namespace heddle {
namespace {

constexpr std::uint32_t fill_limit(std::uint32_t buckets) {
  return static_cast<std::uint32_t>(std::uint64_t{buckets} * 16 * 85 / 100);
}

std::uint32_t load(const std::uint32_t& entry) {
  return std::atomic_ref(const_cast<std::uint32_t&>(entry)).load(std::memory_order_acquire);
}

}  // namespace

PairTable::PairTable(unsigned segment_bits)
    : segment_bits_(segment_bits), segments_(std::make_unique<Segment[]>(std::size_t{1} << segment_bits)) {
  assert(segment_bits <= 32);
  for (std::size_t i = 0; i < (std::size_t{1} << segment_bits_); ++i) {
    segments_[i].word.store(pack(allocate(0, 16)), std::memory_order_relaxed);
  }
}

PairTable::~PairTable() {
  for (std::size_t i = 0; i < (std::size_t{1} << segment_bits_); ++i) {
    const std::uint64_t word = segments_[i].word.load();
    if (word != 0) release(unpack(word));
  }
}

void PairTable::prefetch_log(std::uint64_t hash) const {
  const Table table = unpack(segment_of(hash).word.load(std::memory_order_acquire));
  const Bucket& bucket = table.buckets[home_of(hash, table.size)];
  const auto tag = static_cast<std::uint32_t>(hash) << table.number_bits;
  const std::uint32_t number_mask = (std::uint32_t{1} << table.number_bits) - 1;
  const BucketScan scan = scan_bucket(bucket.entry, number_mask, tag);
  if (const std::uint32_t hits = scan.tagged & ~scan.empty; hits != 0) {
    __builtin_prefetch(&log_[load(bucket.entry[std::countr_zero(hits)]) & number_mask]);
  }
}

bool PairTable::matches(std::uint32_t entry, const Table& table, std::uint64_t hash, std::uint64_t key) const {
  const std::uint32_t number_mask = (std::uint32_t{1} << table.number_bits) - 1;
  const auto tag = static_cast<std::uint32_t>(hash) << table.number_bits;
  return (entry & ~number_mask) == tag && this->key(entry & number_mask) == key;
}

PairTable::Inserted PairTable::insert(std::uint64_t key, std::uint64_t hash) {
  assert(key != hole);
  assert(hash == PairTable::hash(key));
  Segment& segment = segment_of(hash);
  Number mine = 0;
  const auto found = [&](Number number) -> Inserted {
    assert(this->key(number) == key);
    if (mine != 0) {  // lost a race after taking a number: it stays a hole
      std::atomic_ref(log_[mine]).store(hole, std::memory_order_relaxed);
      holes_.fetch_add(1, std::memory_order_relaxed);
    }
    return {number, false};
  };
  for (;;) {
    const std::uint64_t word = segment.word.load(std::memory_order_acquire);
    const Table table = unpack(word);
    const std::uint32_t number_mask = (std::uint32_t{1} << table.number_bits) - 1;
    const auto tag = static_cast<std::uint32_t>(hash) << table.number_bits;
    std::uint64_t b = home_of(hash, table.size);
    bool restart = false;
    for (std::uint32_t probes = 0; probes < table.size && !restart; ++probes, b = b + 1 == table.size ? 0 : b + 1) {
      Bucket& bucket = table.buckets[b];
      // The usual case is decided by one look at the line. If that look misses an entry because another
      // thread is writing it, the ordered loop below meets the entry again.
      const BucketScan scan = scan_bucket(bucket.entry, number_mask, tag);
      for (std::uint32_t hits = scan.tagged & ~scan.empty; hits != 0; hits &= hits - 1) {
        const std::uint32_t entry = load(bucket.entry[std::countr_zero(hits)]);
        if (entry != frozen && this->key(entry & number_mask) == key) return found(entry & number_mask);
      }
      if (scan.empty == 0 && load(bucket.entry[lanes - 1]) != frozen) continue;  // full: on to the next bucket
      unsigned lane = scan.empty == 0 ? 0 : static_cast<unsigned>(std::countr_zero(scan.empty));
      for (; lane < lanes; ++lane) {
        std::uint32_t entry = load(bucket.entry[lane]);
        if (entry == 0) {
          if (segment.count.load(std::memory_order_relaxed) >= fill_limit(table.size)) {
            grow(segment, word, mine);
            restart = true;
            break;
          }
          if (mine == 0) {
            mine = take_number();
            std::atomic_ref(log_[mine]).store(key, std::memory_order_relaxed);
          }
          if (mine >= number_mask) {  // the number needs more bits than this table gives it
            grow(segment, word, mine);
            restart = true;
            break;
          }
          if (std::atomic_ref(bucket.entry[lane])
                  .compare_exchange_strong(entry, tag | mine, std::memory_order_acq_rel, std::memory_order_acquire)) {
            assert(lane == 0 || load(bucket.entry[lane - 1]) != 0);  // invariant 3
            segment.count.fetch_add(1, std::memory_order_relaxed);
            return {mine, true};
          }
        }
        if (entry == frozen) {
          grow(segment, word, mine);
          restart = true;
          break;
        }
        if (matches(entry, table, hash, key)) return found(entry & number_mask);
      }
    }
    if (!restart) grow(segment, word, mine);  // every bucket is full
  }
}

PairTable::Number PairTable::find(std::uint64_t key) const {
  const std::uint64_t h = hash(key);
  assert(key != hole);
  const Table table = unpack(segment_of(h).word.load(std::memory_order_acquire));
  std::uint64_t b = home_of(h, table.size);
  for (std::uint32_t probes = 0; probes < table.size; ++probes, b = b + 1 == table.size ? 0 : b + 1) {
    for (const std::uint32_t& e : table.buckets[b].entry) {
      const std::uint32_t entry = load(e);
      if (entry == 0 || entry == frozen) return 0;
      if (matches(entry, table, h, key)) return entry & ((std::uint32_t{1} << table.number_bits) - 1);
    }
  }
  return 0;
}

PairTable::Number PairTable::take_number() {
  const Number number = next_.fetch_add(1, std::memory_order_acq_rel);
  if (number >= log_.capacity() - 1) {
    next_.fetch_sub(1, std::memory_order_relaxed);
    throw TableFull();
  }
  return number;
}

PairTable::Table PairTable::allocate(unsigned schedule, unsigned number_bits) {
  if (schedule >= schedule_length) throw TableFull();
  const std::size_t bytes = growth_schedule[schedule] * sizeof(Bucket);
  // A table that grows exists twice for a moment, so a large one asks first.
  constexpr std::size_t large = std::size_t{1} << 20;
  if (bytes >= large && !room_for(bytes)) throw TableFull();
  void* memory = std::aligned_alloc(64, bytes);
  if (memory == nullptr) throw TableFull();
  std::memset(memory, 0, bytes);
  index_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  return {static_cast<Bucket*>(memory), growth_schedule[schedule], schedule, number_bits};
}

void PairTable::release(const Table& table) {
  index_bytes_.fetch_sub(table.size * sizeof(Bucket), std::memory_order_relaxed);
  std::free(table.buckets);
}

// Replaces the table that `seen_word` describes by one with room for more keys and for numbers up to at least
// `number`. Does nothing if another thread has done so already.
void PairTable::grow(Segment& segment, std::uint64_t seen_word, Number number) {
  if (segment.word.load(std::memory_order_acquire) != seen_word) return;
  const Table old = unpack(seen_word);
  std::vector<std::uint32_t> entries;
  entries.reserve(std::size_t{old.size} * lanes);
  for (std::uint32_t b = 0; b < old.size; ++b) {
    for (std::uint32_t& e : old.buckets[b].entry) {
      std::uint32_t entry = 0;
      // A failed exchange has loaded the entry's final value: a number, or frozen by another thread.
      if (!std::atomic_ref(e).compare_exchange_strong(entry, frozen, std::memory_order_acq_rel) && entry != frozen) {
        entries.push_back(entry);
      }
    }
  }
  const Number largest = std::max(number, last());
  const unsigned needed = static_cast<unsigned>(std::bit_width(std::uint64_t{largest} + largest / 4 + 2));
  const unsigned number_bits = std::clamp(needed, old.number_bits, 31u);
  assert(number < (std::uint32_t{1} << number_bits) - 1);
  const bool crowded = entries.size() * 100 >= std::size_t{fill_limit(old.size)} * 95;
  const Table fresh = allocate(crowded || needed <= old.number_bits ? old.schedule + 1 : old.schedule, number_bits);
  assert(entries.size() <= std::size_t{fresh.size} * lanes);
  const std::uint32_t old_mask = (std::uint32_t{1} << old.number_bits) - 1;
  constexpr std::size_t ahead = 12;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i + ahead < entries.size()) __builtin_prefetch(&log_[entries[i + ahead] & old_mask]);
    const Number n = entries[i] & old_mask;
    const std::uint64_t h = hash(key(n));
    std::uint64_t b = home_of(h, fresh.size);
    const std::uint32_t value = (static_cast<std::uint32_t>(h) << number_bits) | n;
    for (bool placed = false; !placed; b = b + 1 == fresh.size ? 0 : b + 1) {
      Bucket& bucket = fresh.buckets[b];
      if (const std::uint32_t empty = scan_bucket(bucket.entry, 0, 0).empty; empty != 0) {
        bucket.entry[std::countr_zero(empty)] = value;
        placed = true;
      }
    }
  }
  if (segment.word.compare_exchange_strong(seen_word, pack(fresh), std::memory_order_acq_rel)) {
    index_bytes_.fetch_sub(old.size * sizeof(Bucket), std::memory_order_relaxed);
    Reclaimer::instance().retire([buckets = old.buckets] { std::free(buckets); });
  } else {
    release(fresh);
  }
}

}  // namespace heddle
