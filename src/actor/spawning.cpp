// Processes that are spawned: which place a new one takes, and what this makes of the step that spawns it.
//
// An id names one process, but the places of a role are few and are used again after their processes have ended
// (Exit). So a new process takes the first free place of its role whose id nobody remembers once the step is
// done: no field, no waiting message or its sender, nothing that this step sends or sends to, not the ghost
// variable, the history or the abstract object. Exchanging two such places leaves the state as it is. That is why
// symmetry does not care which of them is taken; with a place that is remembered it would.
// Auxiliary data does not count: a search that has forgotten it must take the same place as one that has not.
//
// The choice of a place depends on every process, so for partial order reduction such a step writes them all
// (relations.cpp, effects.cpp).
#include <algorithm>

#include "actor/system.h"

namespace heddle::actor {

// Places of one role that start alike are neighbours in the order in which places are taken. Renaming processes
// that are alike then changes the place taken only among these.
void System::find_places() {
  const auto alike = [&](std::uint32_t a, std::uint32_t b) {
    const Process &p = processes_[a], &q = processes_[b];
    if (p.byzantine != q.byzantine || p.info->present != q.info->present) return false;
    if (!p.info->present) return true;
    const detail::Renaming exchange = [&](const detail::RoleTag* role, std::uint16_t index) {
      if (role != p.info->info->tag) return index;
      return index == p.info->index ? q.info->index : index == q.info->index ? p.info->index : index;
    };
    const auto relevant = [&](const detail::Bytes& bytes) {
      return p.kind->info->forget == nullptr ? bytes : p.kind->info->forget(bytes);
    };
    return relevant(p.info->info->rename(p.info->initial, exchange)) == relevant(q.info->initial);
  };
  for (const auto& kind : kinds_) {
    for (const TransitionInfo& t : kind->info->transitions) {
      for (const detail::RoleTag* role : t.spawns) places_[role];
    }
  }
  for (auto& [role, places] : places_) {
    if (model_.run().count(role) > detail::most_spawned_members) {
      throw ModelError("role " + std::string(role->name) + " is spawned, but has " +
                       std::to_string(model_.run().count(role)) + " members; " +
                       std::to_string(detail::most_spawned_members) + " is the most for that");
    }
    std::vector<std::vector<std::uint32_t>> classes;
    for (std::uint32_t q = 0; q < processes_.size(); ++q) {
      const RoleInfo& info = *processes_[q].info->info;
      if (info.tag != role || info.name != role->name)
        continue;  // another struct may play the role, but it is not the one spawned
      const auto found = std::ranges::find_if(classes, [&](const auto& c) { return alike(c.front(), q); });
      (found == classes.end() ? classes.emplace_back() : *found).push_back(q);
    }
    for (const auto& members : classes) places.insert(places.end(), members.begin(), members.end());
  }
}

void System::mention(const detail::RoleTag* role, std::uint16_t index, BitSet& out) const {
  for (std::uint32_t p = 0; p < processes_.size(); ++p) {
    if (processes_[p].info->info->tag == role && processes_[p].info->index == index) out.set(p);
  }
}

void System::mention_ids(std::string_view bytes, detail::Forget forget, const detail::Shape& shape, BitSet& out) const {
  const detail::Bytes relevant = forget == nullptr ? detail::Bytes(bytes) : forget(bytes);
  detail::fingerprint(shape, relevant, [&](const detail::RoleTag* role, std::uint16_t index) -> std::uint64_t {
    mention(role, index, out);  // a placeholder names no process yet
    return 0;
  });
}

void System::mention_inbox(InboxNumber inbox, BitSet& out) const {
  for (const std::uint32_t entry : inboxes_[inbox]) {
    const Messages::Record& m = messages_[entry & ~Inboxes::delivered];
    out.set(m.sender);
    mention_ids(m.bytes(), m.type->forget, *m.type->shape, out);
  }
}

// Returns the processes that the value of a slot mentions; kept for every value.
const BitSet& System::mentioned(std::uint32_t slot, Slot value) const {
  const bool cell = slot < processes_.size();
  const std::uint64_t key = make_pair_key(cell ? processes_[slot].kind->members.front() : slot, value);
  {
    const std::shared_lock lock(mentions_.mutex);
    if (const auto known = mentions_.of.find(key); known != mentions_.of.end()) return known->second;
  }
  BitSet found(processes_.size());
  if (cell) {
    const RoleInfo& info = *processes_[slot].kind->info;
    mention_ids(local_bytes(slot, value), info.forget, *info.shape, found);
    mention_inbox(inbox_of(slot, value), found);
  } else if (slot == ghost_slot_) {
    const detail::TypeInfo& type = *model_.ghost_info()->info;
    mention_ids(ghosts_.content(value), type.forget, *type.shape, found);
  } else if (slot == history_slot_) {
    struct Noting {
      const System& system;
      BitSet& out;
      std::uint64_t process(std::uint32_t p) const {
        out.set(p);
        return 0;
      }
      std::uint64_t event(std::uint32_t number) const {
        const HistoryTable::Event e = system.histories_.event(number);
        system.mention_ids(e.value, nullptr, *e.type->shape, out);
        return 0;
      }
    };
    histories_.fingerprint(value, Noting{*this, found});
  } else if (slot == object_slot_) {
    object_->fingerprint(value, [&](const detail::RoleTag* role, std::uint16_t index) -> std::uint64_t {
      mention(role, index, found);
      return 0;
    });
  }
  const std::unique_lock lock(mentions_.mutex);
  return mentions_.of.try_emplace(key, std::move(found)).first->second;
}

// Returns the processes that the step itself remembers, whatever the rest of the state: in the mover's new fields
// and remaining inbox, in what it sends and to whom, and in what it records.
BitSet System::remembered_after(std::uint32_t p, const Spawning& spawning, InboxNumber rest) const {
  BitSet out(processes_.size());
  if (!spawning.exits) {
    const RoleInfo& info = *processes_[p].kind->info;
    mention_ids(spawning.local, info.forget, *info.shape, out);
    mention_inbox(rest, out);
  }
  for (const detail::Spawned& spawned : spawning.spawned) {
    const std::vector<std::uint32_t>& places = places_.at(spawned.role);
    if (places.empty()) continue;  // places_for reports it
    const RoleInfo& info = *processes_[places.front()].kind->info;
    mention_ids(spawned.local, info.forget, *info.shape, out);
  }
  for (const detail::Sent& s : spawning.sent) {
    mention_ids(s.body, s.type->forget, *s.type->shape, out);
    if (s.target == detail::Target::One) mention(s.role, s.index, out);
    if (s.target == detail::Target::Reply) {
      for (const MessageNumber m : spawning.consumed) out.set(messages_[m].sender);
    }
  }
  for (const detail::Event& e : spawning.events) mention_ids(e.value, nullptr, *e.type->shape, out);
  if (!spawning.ghost.empty()) {
    const detail::TypeInfo& type = *model_.ghost_info()->info;
    mention_ids(spawning.ghost, type.forget, *type.shape, out);
  }
  return out;
}

std::vector<std::uint32_t> System::places_for(std::span<const Slot> state, std::uint32_t p,
                                              const Spawning& spawning) const {
  BitSet remembered = spawning.remembered;
  const auto add = [&](std::uint32_t slot) {
    if (state[slot] == 0) return;
    const auto words = mentioned(slot, state[slot]).words();
    for (std::size_t w = 0; w < words.size(); ++w) remembered.words()[w] |= words[w];
  };
  for (std::uint32_t q = 0; q < processes_.size(); ++q) {
    // Annotations for the abstract object may look at the mover as it was.
    if (q != p || object_slot_ != 0) add(q);
  }
  if (ghost_slot_ != 0 && spawning.ghost.empty()) add(ghost_slot_);
  if (history_slot_ != 0) add(history_slot_);
  if (object_slot_ != 0) add(object_slot_);
  // In a split network, places on the same side are alike. A new process belongs to the side of its parent, so a
  // place there comes first.
  const std::uint32_t far = partition_slot_ != 0 ? state[partition_slot_] - 1 : 0;
  const auto beside = [&](std::uint32_t q) {
    return partition_slot_ == 0 || ((far & machine_bit(q)) != 0) == ((far & machine_bit(p)) != 0);
  };
  constexpr std::uint32_t none = ~std::uint32_t{0};
  std::vector<std::uint32_t> places;
  for (const detail::Spawned& spawned : spawning.spawned) {
    std::uint32_t near = none, any = none;
    bool any_free = false;
    for (const std::uint32_t q : places_.at(spawned.role)) {
      if (state[q] != 0 || std::ranges::find(places, q) != places.end()) continue;
      any_free = true;
      if (remembered.test(q)) continue;
      if (any == none) any = q;
      if (near == none && beside(q)) near = q;
    }
    if (any != none) {
      places.push_back(near != none ? near : any);
      continue;
    }
    const std::string role(spawned.role->name);
    if (!any_free) {
      throw ModelError("more than " + std::to_string(places_.at(spawned.role).size()) + " processes of role " + role +
                       " are alive at once; give Model::room_for a larger number");
    }
    throw ModelError("there is no place for another " + role + ": those of processes that have ended are still " +
                     "remembered, in a field, a message or a specification, and an id names one process only; give " +
                     "Model::room_for a larger number, or have the model forget ids of processes that have ended");
  }
  return places;
}

detail::Renaming System::naming(const Spawning& spawning, const std::vector<std::uint32_t>& places) const {
  return [&](const detail::RoleTag* role, std::uint16_t index) -> std::uint16_t {
    const auto k = static_cast<std::size_t>(detail::last_placeholder - index);
    const bool placeholder = k < spawning.spawned.size() && spawning.spawned[k].role == role;
    return placeholder ? processes_[places[k]].info->index : index;
  };
}

std::vector<std::uint32_t> System::events_of(std::span<const Slot> state, std::uint32_t p, const Extra& extra) const {
  if (!extra.spawning || extra.spawning->events.empty()) return extra.events;
  const std::vector<std::uint32_t> places = places_for(state, p, *extra.spawning);
  const detail::Renaming renaming = naming(*extra.spawning, places);
  std::vector<std::uint32_t> events;
  for (const detail::Event& e : extra.spawning->events) {
    events.push_back(histories_.intern_event(p, {e.is_return, e.type, e.type->rename(e.value, renaming)}));
  }
  return events;
}

// Returns the split of the network with the new processes on the side of p. A split is given by the side without
// the first machine.
Slot System::moved_beside(Slot partition, std::uint32_t p, std::span<const std::uint32_t> places) const {
  const std::uint32_t everyone = (std::uint32_t{1} << machines_) - 1;
  std::uint32_t mask = partition - 1;
  const bool far = (mask & machine_bit(p)) != 0;
  for (const std::uint32_t q : places) mask = far ? mask | machine_bit(q) : mask & ~machine_bit(q);
  if ((mask & 1) != 0) mask = everyone & ~mask;
  return mask + 1;
}

// The id that Spawn promised becomes known only here, so placeholders are replaced now.
bool System::apply_spawn(std::span<const Slot> state, std::uint32_t p, const Outcome& outcome, StepBuffer& out) const {
  const Spawning& spawning = *outcome.extra->spawning;
  const std::vector<std::uint32_t> places = places_for(state, p, spawning);
  const detail::Renaming renaming = naming(spawning, places);
  out.begin(outcome.step);
  Kind& kind = *processes_[p].kind;
  std::vector<Change> changes{{p, 0}};
  if (!spawning.exits) {
    const std::uint32_t local = intern_local(kind, kind.info->rename(spawning.local, renaming));
    changes[0].value = make_cell(p, local, inbox_of(p, outcome.next));
  }
  for (std::size_t k = 0; k < places.size(); ++k) {
    Kind& born = *processes_[places[k]].kind;
    const std::uint32_t start = intern_local(born, born.info->rename(spawning.spawned[k].local, renaming));
    changes.push_back({places[k], make_cell(places[k], start, inboxes_.empty())});
  }
  std::vector<detail::Sent> sent = spawning.sent;
  for (detail::Sent& s : sent) {
    s.body = s.type->rename(s.body, renaming);
    if (s.target == detail::Target::One && s.index != detail::nobody) s.index = renaming(s.role, s.index);
  }
  std::vector<Send> sends;
  resolve_sends(p, handler_of(transitions_[outcome.step.transition]), spawning.consumed, sent, sends);
  for (const Send& s : sends) {
    auto it = std::find_if(changes.begin(), changes.end(), [&](const Change& c) { return c.slot == s.process; });
    if (it == changes.end()) it = changes.insert(changes.end(), {s.process, state[s.process]});
    if (it->value == 0) continue;  // the receiver does not exist
    it->value = receive(s.process, it->value, s.message);
    if (it->value == blocked) {
      out.abandon();
      return false;
    }
  }
  for (const Change& c : changes) {
    if (c.value != 0 || c.slot == p) out.change(c.slot, c.value);
  }
  if (!spawning.ghost.empty()) {
    const std::uint32_t ghost = intern_ghost(model_.ghost_info()->info->rename(spawning.ghost, renaming));
    if (ghost != state[ghost_slot_]) out.change(ghost_slot_, ghost);
  }
  if (history_slot_ != 0 && !spawning.events.empty()) {
    const std::uint32_t before = state[history_slot_];
    const std::uint32_t after = history_after(before, outcome.step.transition, events_of(state, p, *outcome.extra));
    if (after != before) out.change(history_slot_, after);
  }
  if (partition_slot_ != 0 && state[partition_slot_] != 1) {
    const Slot partition = moved_beside(state[partition_slot_], p, places);
    if (partition != state[partition_slot_]) out.change(partition_slot_, partition);
  }
  return true;
}

}  // namespace heddle::actor
