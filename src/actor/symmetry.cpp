// Renames the members of roles in a state. Ids are scalarsets (id.h), so every renaming of processes that start
// alike is an automorphism of the system, unless a handler or a property looks behind the ids. reduce/ searches
// with it.
//
// Every role instance has its own slot, also where Model::colocate puts several into one process. So roles are
// decomposed (Bokor 2011, Algorithm 1) from the start. Only explicit crashes and partitions depend on
// co-location: then roles that crash together, or are on the same side of a split, have to be renamed together.
#include <algorithm>

#include "actor/symmetry_tables.h"
#include "actor/system.h"

namespace heddle::actor {

using detail::chain;
using detail::scramble;

System::SymmetryTables& System::symmetry_tables() const {
  std::call_once(symmetries_made_, [&] {
    symmetries_ = std::make_shared<SymmetryTables>();
    for (const auto& kind : kinds_) symmetries_->kinds[kind.get()];
    symmetries_->classes = find_classes();
    symmetries_->give_colours(processes_.size());
  });
  return *symmetries_;
}

// Searches that use symmetry ask for the classes before they begin, so no other thread makes them at the same time.
std::size_t System::symmetry_bytes() const {
  if (!symmetries_) return 0;
  const SymmetryTables& s = *symmetries_;
  std::size_t total = s.renamings.bytes() + s.messages.bytes() + s.inboxes.bytes() + s.ghosts.bytes() +
                      s.histories.bytes() + s.objects.bytes();
  for (const auto& [kind, of_kind] : s.kinds) total += of_kind.locals.bytes() + of_kind.cells.bytes();
  return total;
}

void System::SymmetryTables::give_colours(std::size_t processes) {
  colours.clear();
  for (std::uint32_t p = 0; p < processes; ++p) colours.push_back(chain(17, p));
  for (std::size_t c = 0; c < classes.size(); ++c) {
    for (const auto& slots : classes[c].members) {
      for (std::size_t k = 0; k < slots.size(); ++k) colours[slots[k]] = chain(chain(19, c), k);
    }
  }
}

std::vector<SymmetryClass> System::symmetry_classes() const { return symmetry_tables().classes; }

// Returns whether exchanging two processes, or two groups of processes, leaves the set of initial states as it is; they
// are sorted. This is an equivalence: the exchanges (a b) and (b c) can be combined to (a c).
bool System::exchangeable(std::span<const std::uint32_t> one, std::span<const std::uint32_t> other,
                          const std::vector<SlotVector>& initial) const {
  if (one.size() != other.size()) return false;
  std::vector<std::uint32_t> to(slots_);
  for (std::uint32_t q = 0; q < to.size(); ++q) to[q] = q;
  for (std::size_t k = 0; k < one.size(); ++k) {
    const Process &p = processes_[one[k]], &q = processes_[other[k]];
    if (p.kind != q.kind || p.byzantine != q.byzantine || p.info->present != q.info->present) return false;
    std::swap(to[one[k]], to[other[k]]);
  }
  const detail::Renaming exchange = [&](const detail::RoleTag* role, std::uint16_t index) {
    return processes_[to[process_named(role, index)]].info->index;
  };
  for (std::size_t k = 0; k < one.size(); ++k) {
    // Compare what recovering processes start with.
    const ProcessInfo &p = *processes_[one[k]].info, &q = *processes_[other[k]].info;
    if (p.present && p.info->rename(p.initial, exchange) != q.initial) return false;
  }
  // The tables filled here are keyed by the renaming and do not depend on classes.
  const std::uint32_t number = symmetries_->renamings.intern(std::span<const std::uint32_t>(to));
  SlotVector image(slots_);
  return std::ranges::all_of(initial, [&](const SlotVector& state) {
    for (std::uint32_t s = 0; s < slots_; ++s) {
      image[to[s]] = s == fault_slot_ && fault_slot_ != 0 ? state[s] : renamed(s, state[s], number);
    }
    return std::ranges::binary_search(initial, image);
  });
}

std::vector<SymmetryClass> System::find_classes() const {
  std::vector<SlotVector> initial = initial_states();
  std::ranges::sort(initial);
  const bool whole = options_.symmetry == ActorOptions::Symmetry::Processes || model_.faults.crashing() ||
                     model_.network.partitions > 0;
  using Unit = std::vector<std::uint32_t>;
  std::vector<SymmetryClass> found;
  const auto sort_into_classes = [&](const std::vector<Unit>& units) {
    std::vector<std::vector<Unit>> classes;
    for (const Unit& unit : units) {
      const auto alike = std::find_if(classes.begin(), classes.end(),
                                      [&](const auto& c) { return exchangeable(c.front(), unit, initial); });
      (alike == classes.end() ? classes.emplace_back() : *alike).push_back(unit);
    }
    std::vector<std::uint32_t> alone;
    for (std::vector<Unit>& members : classes) {
      if (members.size() == 1) {
        alone.insert(alone.end(), members[0].begin(), members[0].end());
        continue;
      }
      std::string name;
      for (const std::uint32_t p : members[0]) {
        name += (name.empty() ? "" : "+") + std::string(processes_[p].info->info->tag->name);
      }
      found.push_back({std::move(name), std::move(members)});
    }
    return alone;
  };
  const auto by_group = [&](const std::vector<std::uint32_t>& processes) {
    std::vector<Unit> groups(processes_.size());
    for (const std::uint32_t p : processes) groups[processes_[p].info->group].push_back(p);
    std::erase_if(groups, [](const Unit& g) { return g.empty(); });
    return groups;
  };
  std::vector<std::uint32_t> all(processes_.size());
  for (std::uint32_t p = 0; p < all.size(); ++p) all[p] = p;
  if (whole) {
    sort_into_classes(by_group(all));
    return found;
  }
  std::vector<Unit> singles;
  for (const std::uint32_t p : all) singles.push_back({p});
  // A process that cannot be exchanged alone, because it names its companions, may be exchangeable together with them.
  std::vector<std::uint32_t> alone = sort_into_classes(singles);
  std::sort(alone.begin(), alone.end());
  sort_into_classes(by_group(alone));
  return found;
}

std::uint32_t System::renaming(std::span<const std::uint32_t> to) const {
  return symmetry_tables().renamings.intern(to);
}

MessageNumber System::renamed_message(MessageNumber message, std::uint32_t number) const {
  return symmetries_->messages.get(message, number, [&] {
    const auto to = symmetries_->renamings.words(number);
    const Messages::Record& record = messages_[message];
    const auto body = record.type->rename(record.bytes(), [&](const detail::RoleTag* role, std::uint16_t index) {
      return processes_[to[process_named(role, index)]].info->index;
    });
    return messages_.intern(record.type, to[record.sender], body);
  });
}

std::uint32_t System::renamed_local(Kind& kind, std::uint32_t local, std::uint32_t number) const {
  return symmetries_->kinds.find(&kind)->second.locals.get(local, number, [&] {
    const auto to = symmetries_->renamings.words(number);
    const detail::Renaming renaming = [&](const detail::RoleTag* role, std::uint16_t index) {
      return processes_[to[process_named(role, index)]].info->index;
    };
    return kind.locals.intern(kind.info->rename(kind.locals.content(local), renaming));
  });
}

InboxNumber System::renamed_inbox(InboxNumber inbox, std::uint32_t number) const {
  return symmetries_->inboxes.get(inbox, number, [&] {
    std::vector<std::uint32_t> entries;
    for (const std::uint32_t entry : inboxes_[inbox]) {
      const MessageNumber m = entry & ~Inboxes::delivered;
      entries.push_back(renamed_message(m, number) | (entry & Inboxes::delivered));
    }
    return inboxes_.intern(std::move(entries));
  });
}

// Returns the renamings that permute each class in all ways, or nothing if they are more than `most`.
std::vector<std::vector<std::uint32_t>> System::all_renamings(std::size_t most) const {
  std::vector<std::uint32_t> identity(slots_);
  for (std::uint32_t s = 0; s < slots_; ++s) identity[s] = s;
  std::vector<std::vector<std::uint32_t>> all{identity};
  for (const SymmetryClass& c : symmetry_tables().classes) {
    std::vector<std::vector<std::uint32_t>> more;
    std::vector<std::size_t> order(c.members.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    do {
      for (std::vector<std::uint32_t> to : all) {
        for (std::size_t i = 0; i < order.size(); ++i) {
          for (std::size_t k = 0; k < c.members[i].size(); ++k) to[c.members[i][k]] = c.members[order[i]][k];
        }
        more.push_back(std::move(to));
      }
      if (more.size() > most) return {};
    } while (std::next_permutation(order.begin(), order.end()));
    all = std::move(more);
  }
  return all;
}

Slot System::renamed(std::uint32_t slot, Slot value, std::uint32_t number) const {
  if (value == 0 || !mentions_members(slot)) return value;
  SymmetryTables& known = *symmetries_;
  const auto to = known.renamings.words(number);
  const detail::Renaming renaming = [&](const detail::RoleTag* role, std::uint16_t index) {
    return processes_[to[process_named(role, index)]].info->index;
  };
  if (slot < processes_.size()) {
    Kind& kind = *processes_[slot].kind;
    SymmetryTables::OfKind& of_kind = known.kinds.find(&kind)->second;
    return of_kind.cells.get(value, number, [&] {
      const std::uint32_t local = local_of(slot, value);
      const std::uint32_t new_local = renamed_local(kind, local & ~crashed, number);
      const InboxNumber new_inbox = renamed_inbox(inbox_of(slot, value), number);
      return kind.cells.insert(make_pair_key(new_local | (local & crashed), new_inbox)).number;
    });
  }
  if (slot == failure_slot_) {
    const std::uint64_t pair = failed_.key(value);
    return failed_.insert(make_pair_key(left_of(pair), to[right_of(pair)])).number;
  }
  if (slot == partition_slot_) {
    std::uint32_t mask = 0;
    for (std::uint32_t p = 0; p < processes_.size(); ++p) {
      if (((value - 1) & machine_bit(p)) != 0) mask |= machine_bit(to[p]);
    }
    const std::uint32_t everyone = (std::uint32_t{1} << machines_) - 1;
    if ((mask & 1) != 0) mask = everyone & ~mask;  // a split is given by the side without the first machine
    return mask + 1;
  }
  if (slot == ghost_slot_) {
    return known.ghosts.get(value, number, [&] {
      return ghosts_.intern(model_.ghost_info()->info->rename(ghosts_.content(value), renaming));
    });
  }
  if (slot == history_slot_) {
    struct Renamer {
      const System& system;
      std::span<const std::uint32_t> to;
      const detail::Renaming& renaming;
      std::uint32_t process(std::uint32_t p) const { return to[p]; }
      std::uint32_t event(std::uint32_t event_number) const {
        const HistoryTable::Event e = system.histories_.event(event_number);
        return system.histories_.intern_event(to[e.process], {e.is_return, e.type, e.type->rename(e.value, renaming)});
      }
    };
    return known.histories.get(value, number, [&] { return histories_.renamed(value, Renamer{*this, to, renaming}); });
  }
  if (slot == object_slot_) return known.objects.get(value, number, [&] { return object_->renamed(value, renaming); });
  return value;
}

namespace {

std::uint64_t text_fingerprint(std::string_view text) {
  std::uint64_t h = text.size();
  for (const char c : text) h = chain(h, static_cast<unsigned char>(c));
  return h;
}

constexpr std::uint64_t marked_colour = 23;

}  // namespace

// Each content is looked at once without a mark, to find the processes it mentions, and once more with each of
// them marked.
std::uint64_t System::fingerprint(std::uint32_t slot, Slot value, std::span<std::uint64_t> marks) const {
  SymmetryTables& known = symmetry_tables();
  using Seen = SymmetryTables::Seen;
  const auto nobody = static_cast<std::uint32_t>(processes_.size());
  // REQUIRES: look(colour) asks colour(p) for every process p that the content mentions.
  const auto see = [&](auto&& look) {
    Seen seen;
    std::vector<char> mentioned(processes_.size(), 0);
    seen.plain = look([&](std::uint32_t p) {
      mentioned[p] = 1;
      return known.colours[p];
    });
    for (std::uint32_t marked = 0; marked < nobody; ++marked) {
      if (mentioned[marked] == 0) continue;
      const std::uint64_t mark = look(
          [&](std::uint32_t p) { return p == marked ? chain(marked_colour, known.colours[p]) : known.colours[p]; });
      seen.marked.emplace_back(marked, mark | 1);
    }
    return seen;
  };
  const auto colouring_of_ids = [&](auto& colour) {
    return [&](const detail::RoleTag* role, std::uint16_t index) { return colour(process_named(role, index)); };
  };
  const auto publish = [&](const Seen& seen) {
    for (const auto& [p, mark] : seen.marked) marks[p] = mark;
    return seen.plain;
  };
  if (value == 0 || !mentions_members(slot)) return 0;
  if (slot < processes_.size()) {
    Kind& kind = *processes_[slot].kind;
    const std::uint32_t local = local_of(slot, value);
    const auto entries = inboxes_[inbox_of(slot, value)];
    const std::lock_guard lock(known.mutex);
    const std::size_t kind_number = static_cast<std::size_t>(
        std::find_if(kinds_.begin(), kinds_.end(), [&](const auto& k) { return k.get() == &kind; }) - kinds_.begin());
    const auto local_key = make_pair_key(static_cast<std::uint32_t>(kind_number), local & ~crashed);
    auto of_local = known.seen_locals.find(local_key);
    if (of_local == known.seen_locals.end()) {
      const Seen seen = see([&](auto&& colour) {
        return kind.info->fingerprint(kind.locals.content(local & ~crashed), colouring_of_ids(colour));
      });
      of_local = known.seen_locals.emplace(local_key, seen).first;
    }
    std::vector<const Seen*> of_messages;
    for (const std::uint32_t entry : entries) {
      const MessageNumber m = entry & ~Inboxes::delivered;
      auto it = known.seen_messages.find(m);
      if (it == known.seen_messages.end()) {
        const Messages::Record& record = messages_[m];
        const Seen seen = see([&](auto&& colour) {
          const std::uint64_t sender = chain(text_fingerprint(record.type->name), colour(record.sender));
          return chain(sender, record.type->fingerprint(record.bytes(), colouring_of_ids(colour)));
        });
        it = known.seen_messages.emplace(m, seen).first;
      }
      of_messages.push_back(&it->second);
    }
    const auto from = [&](std::uint32_t p) {
      std::uint64_t inbox = entries.size();
      std::uint64_t queue = 0;  // of one sender, in order
      for (std::size_t i = 0; i < entries.size(); ++i) {
        const std::uint64_t message = chain(of_messages[i]->from(p), entries[i] & Inboxes::delivered);
        if (model_.network.order != Network::Order::Fifo) {
          inbox += message;
          continue;
        }
        queue = chain(queue, message);
        if (i + 1 < entries.size() && messages_[entries[i]].sender == messages_[entries[i + 1]].sender) continue;
        inbox += queue;
        queue = 0;
      }
      return chain(chain(of_local->second.from(p), local & crashed), inbox);
    };
    const auto mark = [&](const Seen& seen) {
      for (const auto& entry : seen.marked) {
        if (marks[entry.first] == 0) marks[entry.first] = from(entry.first) | 1;
      }
    };
    mark(of_local->second);
    for (const Seen* seen : of_messages) mark(*seen);
    return from(nobody);
  }
  if (slot == failure_slot_) {
    const std::uint64_t pair = failed_.key(value);
    return publish(see([&](auto&& colour) { return chain(left_of(pair), colour(right_of(pair))); }));
  }
  if (slot == partition_slot_) {
    if (value == 1) return 1;
    // It does not matter which side the mask stands for.
    return publish(see([&](auto&& colour) {
      std::uint64_t side[2] = {0, 0};
      for (std::uint32_t p = 0; p < processes_.size(); ++p) {
        side[((value - 1) & machine_bit(p)) != 0 ? 1 : 0] += scramble(colour(p));
      }
      return scramble(side[0]) + scramble(side[1]);
    }));
  }
  if (slot == ghost_slot_) {
    return publish(see([&](auto&& colour) {
      return model_.ghost_info()->info->fingerprint(ghosts_.content(value), colouring_of_ids(colour));
    }));
  }
  if (slot == history_slot_) {
    return publish(see([&](auto&& colour) {
      const auto ids = colouring_of_ids(colour);
      struct Colours {
        const System& system;
        const decltype(colour)& of;
        const decltype(ids)& of_ids;
        std::uint64_t process(std::uint32_t p) const { return of(p); }
        std::uint64_t event(std::uint32_t number) const {
          const HistoryTable::Event e = system.histories_.event(number);
          return chain(e.is_return ? 1 : 0, e.type->fingerprint(e.value, of_ids));
        }
      };
      return histories_.fingerprint(value, Colours{*this, colour, ids});
    }));
  }
  if (slot == object_slot_) {
    return publish(see([&](auto&& colour) { return object_->fingerprint(value, colouring_of_ids(colour)); }));
  }
  return 0;
}

}  // namespace heddle::actor
