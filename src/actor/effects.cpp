// Steps as events between processes: who acts, what it consumes, to whom it sends (Effects in
// core/transition_system.h).
//
// What a step of a process does to messages is a function of its cell, so the lists are kept beside those of the
// outcomes. Only two things depend on the rest of the state: receivers that are not there, and copies that a soup
// already holds. Such a send changes nothing and is left out.
#include <algorithm>

#include "actor/system.h"

namespace heddle::actor {
namespace {

// The stronger of two accesses to one slot wins.
void add_access(std::vector<Access>& out, std::uint32_t slot, Access::Kind kind) {
  for (Access& a : out) {
    if (a.slot != slot) continue;
    if (a.kind != kind) a.kind = Access::Kind::Write;
    return;
  }
  out.push_back({slot, kind});
}

}  // namespace

// Returns a name of the step that does not change when messages arrive: it tells what the step is, consumes and
// chooses, not the number of its outcome.
std::uint64_t System::effects_label(std::uint32_t p, const DetailedOutcome& d) const {
  const auto cost = d.extra ? static_cast<std::uint32_t>(d.extra->cost) : 0;
  std::vector<std::uint32_t> words{p, static_cast<std::uint32_t>(d.transition), static_cast<std::uint32_t>(d.special),
                                   cost, static_cast<std::uint32_t>(d.consumed.size())};
  words.insert(words.end(), d.consumed.begin(), d.consumed.end());
  for (const auto& choice : d.choices) words.push_back(choice.taken);
  words.push_back(~std::uint32_t{0});
  words.push_back(d.place);  // messages arrive behind it
  if (d.transition < 0 || cost != 0) {
    // These tell Byzantine sends apart, and which messages were sent before a crash.
    for (const Send& s : d.sends) words.insert(words.end(), {s.process, s.message});
    for (const MessageNumber m : d.own) words.insert(words.end(), {p, m});
  }
  return labels_.intern(std::span<const std::uint32_t>(words));
}

// Whether the step sends without looking at the receivers' inboxes, or at whether the receivers exist.
bool System::appends_blindly(const DetailedOutcome& d) const {
  return model_.network.capacity == 0 && !(d.extra && (d.extra->send_once || (d.extra->crash_group && may_be_absent_)));
}

// Adds the accesses of every step of the process: the slots that decide which steps it can take.
void System::common_accesses(std::uint32_t p, std::vector<Access>& out) const {
  const auto& transitions = processes_[p].info->info->transitions;
  const bool takes_ghost = std::any_of(transitions.begin(), transitions.end(), [](const auto& t) { return t.ghost; });
  if (ghost_slot_ != 0 && takes_ghost) add_access(out, ghost_slot_, Access::Kind::Read);
  if (partition_slot_ != 0) add_access(out, partition_slot_, Access::Kind::Read);
  if (model_.network.capacity > 0) {
    // Whether it can send depends on how full the others' channels are.
    for (std::uint32_t q = 0; q < processes_.size(); ++q) {
      if (q != p) add_access(out, q, Access::Kind::Read);
    }
  }
  if (model_.faults.crashing() || model_.network.losses + model_.network.duplications > 0) {
    add_access(out, fault_slot_, Access::Kind::Read);
  }
}

// Counts the equal messages before the one that is lost or duplicated in the middle of a queue.
std::ptrdiff_t System::older_copies(std::span<const std::uint32_t> waiting, const DetailedOutcome& d,
                                    MessageNumber message) const {
  const auto same_sender = [&](std::uint32_t e) { return messages_[e].sender == messages_[message].sender; };
  if (d.place == 0) return 0;
  const auto first = std::ranges::find_if(waiting, same_sender);
  return std::count(first, first + d.place, message);
}

std::vector<Effects> System::compute_effects(std::uint32_t p, Slot cell, std::optional<std::uint32_t> ghost) const {
  std::vector<Effects> list;
  for (const DetailedOutcome& d : compute_outcomes(p, cell, ghost)) {
    Effects& e = list.emplace_back();
    e.process = p;
    e.label = effects_label(p, d);
    const auto waiting = inboxes_[inbox_of(p, cell)];
    for (const std::uint32_t entry : d.consumed) {
      // Left out if this process has delivered it in an earlier step, or has sent it itself.
      if ((entry & Inboxes::delivered) != 0 || messages_[entry].sender == p) continue;
      const auto copies = std::count(waiting.begin(), waiting.end(), entry) - older_copies(waiting, d, entry);
      e.consumed.push_back({entry, static_cast<std::uint32_t>(copies)});
    }
    add_access(e.accesses, p, Access::Kind::Write);
    const bool commutes = appends_blindly(d);
    for (const Send& s : d.sends) {
      e.sent.push_back({s.process, s.message});
      add_access(e.accesses, s.process, commutes ? Access::Kind::Append : Access::Kind::Write);
    }
    common_accesses(p, e.accesses);
    if (failure_slot_ != 0) {
      const bool fails = d.extra && d.extra->failure != 0;
      add_access(e.accesses, failure_slot_, fails ? Access::Kind::Write : Access::Kind::Read);
    }
    if (!d.extra) continue;
    const auto write = [&](std::uint32_t slot) { add_access(e.accesses, slot, Access::Kind::Write); };
    if (d.extra->cost != Extra::Cost::None) write(fault_slot_);
    if (d.extra->next_ghost != 0 && d.extra->next_ghost != ghost.value_or(0)) write(ghost_slot_);
    for (const std::uint32_t event : d.extra->events) {
      if (history_slot_ == 0) break;
      const bool is_return = histories_.event(event).is_return;
      add_access(e.accesses, history_slot_, is_return ? Access::Kind::Close : Access::Kind::Open);
    }
    if ((d.extra->calls | d.extra->situation) != 0) write(object_slot_);
    if (d.extra->looks_around) {
      for (std::uint32_t s = 0; s < object_slot_; ++s) add_access(e.accesses, s, Access::Kind::Read);
    }
    if (d.extra->crash_group && forgets_operations(p)) write(history_slot_);
    if (d.extra->crash_group || d.extra->recover_group) {
      for (const std::uint32_t q : processes_[p].companions) write(q);
    }
    if (d.extra->spawning) {
      for (std::uint32_t q = 0; q < processes_.size(); ++q) write(q);
      for (const std::uint32_t slot : {partition_slot_, ghost_slot_, history_slot_, object_slot_}) {
        if (slot != 0) write(slot);
      }
    }
  }
  // A step that writes what others look at may disable their steps: by a message that blocks another sender, a count of
  // faults that is used up, or a ghost variable that guards read.
  for (Effects& e : list) {
    e.disables_others = std::ranges::any_of(
        e.accesses, [&](const Access& a) { return a.kind == Access::Kind::Write && a.slot != e.process; });
  }
  return list;
}

void System::effects(std::span<const Slot> state, Step step, Effects& out) const {
  if (step.transition >= transition_count() - 2) {
    out = {};
    out.label = std::uint64_t{step.transition} << 32 | step.detail;
    out.accesses = {{partition_slot_, Access::Kind::Write}, {fault_slot_, Access::Kind::Write}};
    out.disables_others = true;
    if (failure_slot_ != 0) out.accesses.push_back({failure_slot_, Access::Kind::Read});
    return;
  }
  const std::uint32_t p = transitions_[step.transition].process;
  const std::uint32_t ghost = (step.detail >> 31) != 0 ? state[ghost_slot_] : 0;
  Process::EffectsMemo& memo = *processes_[p].effects;
  {
    std::lock_guard lock(memo.mutex);
    auto [known, is_new] = memo.lists.try_emplace(make_pair_key(state[p], ghost));
    if (is_new) {
      known->second = compute_effects(p, state[p], ghost != 0 ? std::optional(ghost) : std::nullopt);
      kept_bytes_ += known->second.size() * sizeof(Effects);
    }
    out = known->second.at(step.detail & 0x7FFFFFFF);
  }
  const bool soup = model_.network.order == Network::Order::Soup;
  std::erase_if(out.sent, [&](const Effects::Sent& s) {
    return state[s.process] == 0 || processes_[s.process].byzantine ||
           (soup && inboxes_.contains(inbox_of(s.process, state[s.process]), s.message));
  });
}

}  // namespace heddle::actor
