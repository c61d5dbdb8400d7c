// Renaming the members of roles in a state. Ids are scalarsets (id.h), so every renaming of a role whose members start alike is
// an automorphism of the system; searching with it is reduce/'s business.
#include <algorithm>

#include "actor/system.h"

namespace heddle::actor {

// A role is symmetric if exchanging two members, whichever, leaves the initial state as it is.
std::vector<SymmetryClass> System::symmetry_classes() const {
  std::vector<SymmetryClass> all;
  for (std::uint32_t p = 0; p < processes_.size(); ++p) {
    const detail::RoleTag* tag = processes_[p].info->info->tag;
    if (processes_[p].info->index != 0 || model_.run().count(tag) < 2) continue;
    SymmetryClass c{std::string(tag->name), {}};
    bool alike = true;
    for (std::uint32_t i = 0; i < model_.run().count(tag); ++i) {
      const std::uint32_t q = process_named(tag, static_cast<std::uint16_t>(i));
      alike &= processes_[q].kind == processes_[p].kind && processes_[q].byzantine == processes_[p].byzantine &&
               processes_[q].info->group == q;
      c.slots.push_back(q);
    }
    if (alike) all.push_back(std::move(c));
  }
  const SlotVector initial = initial_states()[0];
  std::vector<SymmetryClass> sound;
  for (const SymmetryClass& c : all) {
    bool fixed = true;
    for (std::size_t i = 0; i + 1 < c.slots.size() && fixed; ++i) {
      // permute() renames by slots, so a single class can be tried on its own.
      std::vector<std::uint32_t> to(processes_.size());
      for (std::uint32_t q = 0; q < to.size(); ++q) to[q] = q;
      std::swap(to[c.slots[i]], to[c.slots[i + 1]]);
      fixed = rename(initial, to) == initial;
    }
    if (fixed) sound.push_back(c);
  }
  return sound;
}

SlotVector System::permute(std::span<const Slot> state, const Permutation& permutation) const {
  const auto classes = symmetry_classes();
  std::vector<std::uint32_t> to(processes_.size());
  for (std::uint32_t q = 0; q < to.size(); ++q) to[q] = q;
  for (std::size_t c = 0; c < classes.size() && c < permutation.size(); ++c) {
    for (std::size_t i = 0; i < permutation[c].size(); ++i)
      to[classes[c].slots[i]] = classes[c].slots[permutation[c][i]];
  }
  return rename(state, to);
}

// The state after process q was renamed to process to[q], of the same role, everywhere.
SlotVector System::rename(std::span<const Slot> state, const std::vector<std::uint32_t>& to) const {
  const detail::Renaming renaming = [&](const detail::RoleTag* role, std::uint16_t index) {
    return processes_[to[process_named(role, index)]].info->index;
  };
  const auto rename_message = [&](MessageNumber m) {
    const Messages::Record& record = messages_[m];
    return messages_.intern(record.type, to[record.sender], record.type->rename(record.bytes(), renaming));
  };
  SlotVector out(state.begin(), state.end());
  for (std::uint32_t p = 0; p < processes_.size(); ++p) {
    if (state[p] == 0) {
      out[to[p]] = 0;
      continue;
    }
    Kind& kind = *processes_[p].kind;
    const std::uint32_t local = local_of(p, state[p]);
    const std::uint32_t renamed =
        kind.locals.intern(kind.info->rename(kind.locals.content(local & ~crashed), renaming));
    std::vector<std::uint32_t> entries;
    for (const std::uint32_t entry : inboxes_[inbox_of(p, state[p])]) {
      entries.push_back(rename_message(entry & ~Inboxes::delivered) | (entry & Inboxes::delivered));
    }
    out[to[p]] = make_cell(to[p], renamed | (local & crashed), inboxes_.intern(std::move(entries)));
  }
  if (partition_slot_ != 0) {
    std::uint32_t mask = 0;
    for (std::uint32_t p = 0; p < processes_.size(); ++p) {
      if (((state[partition_slot_] - 1) >> p & 1) != 0) mask |= std::uint32_t{1} << to[p];
    }
    const std::uint32_t everyone = (std::uint32_t{1} << processes_.size()) - 1;
    if ((mask & 1) != 0) mask = everyone & ~mask;  // the side without process 0 is the one written down
    out[partition_slot_] = mask + 1;
  }
  if (ghost_slot_ != 0) {
    out[ghost_slot_] = ghosts_.intern(model_.ghost_info()->info->rename(ghosts_.content(state[ghost_slot_]), renaming));
  }
  if (history_slot_ != 0) {
    struct Renamer {
      const System& system;
      const std::vector<std::uint32_t>& to;
      const detail::Renaming& renaming;
      std::uint32_t process(std::uint32_t p) const { return to[p]; }
      std::uint32_t event(std::uint32_t number) const {
        const HistoryTable::Event e = system.histories_.event(number);
        return system.histories_.intern_event(to[e.process], {e.is_return, e.type, e.type->rename(e.value, renaming)});
      }
    };
    out[history_slot_] = histories_.renamed(state[history_slot_], Renamer{*this, to, renaming});
  }
  return out;
}

}  // namespace heddle::actor
