// What all threads of a symmetry reduction share (symmetry.h): the members of the classes, and what is known of slot
// values that may mention members.
//
// Everything about a slot value is computed once, when it is first seen: which members it mentions, its fingerprints,
// and, if the group is small, its image under each renaming. So a canonical form is computed by look-ups.
//
// Invariants
//   1. Members are numbered class by class. Those of one class have equally many slots, and their k-th slots share a
//      table of rows.
//   2. A row that was handed out stays where it is; nothing in it changes but images, from unknown to known.
// Thread-safe.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/facets/symmetries.h"
#include "core/reserved_array.h"
#include "reduce/symmetry.h"

namespace heddle {

// What is known of a slot value: the members it mentions, its fingerprint without regard to names, and a mark for each
// member: the fingerprint as seen from that member. Marks are made to be added up, so different kinds of slots give
// different marks.
struct Symmetry::Row {
  std::uint64_t mentioned = 0;
  std::uint64_t plain = 0;
  std::uint64_t* marks = nullptr;
  // The value after each renaming, by the number of the renaming; 0: not known yet. Null if the group is large or the
  // value mentions no member.
  std::uint32_t* images = nullptr;
};

struct Symmetry::Tables {
  static constexpr std::size_t most_members = 64;
  using Members = std::array<std::uint64_t, most_members>;  // one number for each member

  static std::uint64_t scramble(std::uint64_t x) {
    x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93u;
    return x ^ (x >> 29);
  }

  Tables(const TransitionSystem& sys, const Options& o);

  // Returns the renamed value of a slot; `row` is that of the value.
  Slot renamed(const Row& row, std::uint32_t slot, Slot value, std::uint32_t renaming) const {
    if (row.images == nullptr || renaming >= images) return system.symmetries()->renamed(slot, value, renaming);
    std::atomic_ref image(row.images[renaming]);
    Slot known = image.load(std::memory_order_relaxed);
    if (known == 0) {
      known = system.symmetries()->renamed(slot, value, renaming);
      image.store(known, std::memory_order_relaxed);
    }
    return known;
  }

  const Row& row(std::uint32_t slot, Slot value) {
    static const Row absent{0, 0, no_marks(), nullptr};
    if (value == 0) return absent;
    auto& table = rows[table_of[slot]];
    if (value >= table.capacity()) throw TableFull();
    std::atomic_ref entry(table[value]);
    const Row* known = entry.load(std::memory_order_acquire);
    if (known != nullptr) [[likely]]
      return *known;
    return compute(slot, value, entry);
  }

  static std::uint64_t* no_marks() {
    static Members zeros{};
    return zeros.data();
  }

  const TransitionSystem& system;
  const Options options;
  std::size_t slots = 0, members = 0, stride = 0;
  std::uint32_t images = 0;  // length of Row::images
  std::vector<SymmetryClass> classes;
  std::vector<std::size_t> class_begin;  // members are numbered class by class
  std::vector<std::vector<std::uint32_t>> member_slots;
  std::vector<std::size_t> table_of;     // by slot
  std::vector<std::uint32_t> looked_at;  // slots that may mention members
  std::vector<std::uint32_t> identity;
  std::vector<std::uint32_t> exchanges;  // renamings of two members
  std::vector<ReservedArray<const Row*>> rows;
  std::mutex mutex;
  std::vector<std::unique_ptr<std::uint64_t[]>> kept;
  std::vector<std::unique_ptr<Row>> kept_rows;
  std::atomic<std::size_t> row_bytes{0};
  std::atomic<bool> exact{true};

 private:
  const Row& compute(std::uint32_t slot, Slot value, std::atomic_ref<const Row*> entry);
};

}  // namespace heddle
