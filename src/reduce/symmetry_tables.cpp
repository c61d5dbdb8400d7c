// Computes for each slot value which members it mentions, and its images under renamings, once.
#include "reduce/symmetry_tables.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "core/sanitizers.h"

namespace heddle {
namespace {

constexpr std::size_t most_values = std::size_t{1} << 28;
// Of all tables together. Address space is large, not endless, and a program may have thousands of slots.
constexpr std::size_t most_rows = std::size_t{1} << (thread_sanitizer ? 33 : 40);
constexpr double most_images = 128;

}  // namespace

Symmetry::Tables::Tables(const TransitionSystem& sys, const Options& o) : system(sys), options(o) {
  if (sys.symmetries() == nullptr) return;
  const Symmetries& s = *sys.symmetries();
  const auto initial = sys.initial_states();
  slots = initial.empty() ? 0 : initial[0].size();
  for (SymmetryClass& c : s.symmetry_classes()) {
    if (member_slots.size() + c.members.size() > most_members) continue;
    class_begin.push_back(member_slots.size());
    for (const auto& m : c.members) {
      assert(m.size() == c.members[0].size());  // 1
      member_slots.push_back(m);
    }
    classes.push_back(std::move(c));
  }
  class_begin.push_back(member_slots.size());
  members = member_slots.size();
  stride = (members + 3) / 4 * 4;

  // Slots that correspond to each other share a table of rows; every other slot has its own.
  const std::size_t no_table = ~std::size_t{0};
  table_of.assign(slots, no_table);
  std::size_t count = 0;
  for (const SymmetryClass& c : classes) {
    for (std::size_t k = 0; k < c.members[0].size(); ++k) {
      for (const auto& m : c.members) table_of[m[k]] = count;
      ++count;
    }
  }
  for (std::uint32_t slot = 0; slot < slots; ++slot) {
    if (table_of[slot] == no_table && s.mentions_members(slot)) table_of[slot] = count++;
    if (table_of[slot] != no_table) looked_at.push_back(slot);
  }
  if (classes.empty()) {  // nothing will be exchanged
    looked_at.clear();
    count = 0;
  }
  for (std::size_t t = 0; t < count; ++t) rows.emplace_back(std::min(most_values, most_rows / count));

  identity.resize(slots);
  for (std::uint32_t slot = 0; slot < slots; ++slot) identity[slot] = slot;
  exchanges.resize(members * members);
  for (std::size_t c = 0; c < classes.size(); ++c) {
    for (std::size_t a = class_begin[c]; a < class_begin[c + 1]; ++a) {
      for (std::size_t b = class_begin[c]; b < a; ++b) {
        std::vector<std::uint32_t> to = identity;
        for (std::size_t k = 0; k < member_slots[a].size(); ++k)
          std::swap(to[member_slots[a][k]], to[member_slots[b][k]]);
        exchanges[a * members + b] = exchanges[b * members + a] = s.renaming(to);
      }
    }
  }
  // Renamings that are not in the group have taken some numbers.
  const double order = symmetry_gain(classes, 1, 1).factor;
  if (order <= most_images) images = static_cast<std::uint32_t>(order) + s.renaming(identity) + 1;
}

const Symmetry::Row& Symmetry::Tables::compute(std::uint32_t slot, Slot value, std::atomic_ref<const Row*> entry) {
  std::vector<std::uint64_t> marks(slots, 0);
  auto block = std::make_unique<std::uint64_t[]>(stride + (images + 1) / 2);
  Row row;
  row.plain = system.symmetries()->fingerprint(slot, value, marks);
  row.marks = block.get();
  const std::uint64_t salt = scramble(table_of[slot] + 1);
  for (std::size_t m = 0; m < members; ++m) {
    for (std::size_t k = 0; k < member_slots[m].size(); ++k) {
      const std::uint64_t mark = marks[member_slots[m][k]];
      if (mark == 0) continue;
      row.mentioned |= std::uint64_t{1} << m;
      row.marks[m] += scramble(mark + salt * (k + 1));
    }
  }
  if (images != 0 && row.mentioned != 0) row.images = reinterpret_cast<std::uint32_t*>(block.get() + stride);
  std::lock_guard lock(mutex);
  if (const Row* known = entry.load(std::memory_order_acquire); known != nullptr) return *known;
  kept.push_back(std::move(block));
  kept_rows.push_back(std::make_unique<Row>(row));
  row_bytes.fetch_add(sizeof(Row) + (stride + (images + 1) / 2) * sizeof(std::uint64_t), std::memory_order_relaxed);
  entry.store(kept_rows.back().get(), std::memory_order_release);
  return *kept_rows.back();
}

}  // namespace heddle
