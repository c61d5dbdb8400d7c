// Describes steps as receipts of messages (stateless/receipts.h): senders, keys, and the events of the history.
//
// Keys are interned, so that schedulers compare numbers; Receipt::any_key (0) is a key that is not known.
// Receipts are not kept: the graph of a scheduler asks once for each step of each state.
#include <algorithm>

#include "actor/system.h"

namespace heddle::actor {

// A step may touch any key if it consumes messages about different keys, or a message whose key the model does
// not tell.
std::uint64_t System::key_of(const DetailedOutcome& d) const {
  std::uint64_t common = Receipt::any_key;
  for (const std::uint32_t entry : d.consumed) {
    const Messages::Record& m = messages_[entry & ~Inboxes::delivered];
    const auto found = model_.keys().find(m.type);
    if (found == model_.keys().end()) return Receipt::any_key;
    detail::Bytes bytes;
    run_or_throw<ModelError>({"key of", m.type->name}, [&] { bytes = found->second(m.bytes()); });
    const std::uint64_t key = keys_.intern(bytes);
    if (common != Receipt::any_key && common != key) return Receipt::any_key;
    common = key;
  }
  return common;
}

void System::receipt(std::span<const Slot> state, Step step, Receipt& out) const {
  out = {};
  if (step.transition >= transition_count() - 2) return;
  const std::uint32_t p = transitions_[step.transition].process;
  const DetailedOutcome d = find_outcome(state, p, step);
  for (const std::uint32_t entry : d.consumed) out.senders.push_back(messages_[entry & ~Inboxes::delivered].sender);
  out.key = key_of(d);
  out.excluded = !d.consumed.empty() && std::ranges::all_of(d.consumed, [&](std::uint32_t entry) {
    return model_.excluded().contains(messages_[entry & ~Inboxes::delivered].type);
  });
  const auto& transitions = processes_[p].info->info->transitions;
  out.client = std::ranges::any_of(transitions, [](const TransitionInfo& t) { return t.operation; });
  if (!d.extra) return;
  std::vector<std::uint32_t> recorded;
  if (history_slot_ != 0) {
    history_after(state[history_slot_], step.transition, events_of(state, p, *d.extra), &recorded);
  }
  for (const std::uint32_t event : recorded) out.events.push_back({event, histories_.event(event).is_return});
}

std::uint64_t System::history_properties() const {
  std::uint64_t bits = 0;
  for (std::size_t s = 0; s < model_.specifications().size(); ++s) {
    if (model_.specifications()[s].order != detail::HistoryOrder::RealTime) continue;
    bits |= std::uint64_t{1} << (model_.properties().size() + s);
  }
  return history_slot_ != 0 ? bits : 0;
}

}  // namespace heddle::actor
