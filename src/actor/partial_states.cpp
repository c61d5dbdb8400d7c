// Compares a state that lacks auxiliary data and dead messages with the states it stands for
// (core/facets/partial_states.h).
#include <algorithm>

#include "actor/system.h"

namespace heddle::actor {
namespace {

detail::Bytes relevant(detail::Forget forget, std::string_view bytes) {
  return forget == nullptr ? detail::Bytes(bytes) : forget(bytes);
}

}  // namespace

// Returns contents in the order of the entries for FIFO channels, where the order matters, and sorted elsewhere.
std::vector<System::MessageContent> System::contents_of(std::span<const std::uint32_t> entries) const {
  std::vector<MessageContent> out;
  for (const std::uint32_t entry : entries) {
    const Messages::Record& m = messages_[entry & ~Inboxes::delivered];
    out.emplace_back(m.type, m.sender, (entry & Inboxes::delivered) != 0, relevant(m.type->forget, m.bytes()));
  }
  if (model_.network.order != Network::Order::Fifo) std::sort(out.begin(), out.end());
  // In a soup, two messages may differ only in auxiliary data; they count once.
  if (model_.network.order == Network::Order::Soup) out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

bool System::stands_for(std::span<const Slot> state, const TransitionSystem& full, std::span<const Slot> whole) const {
  const auto* other = dynamic_cast<const System*>(&full);
  if (other == nullptr || other->slots_ != slots_ || other->processes_.size() != processes_.size()) return false;
  for (std::uint32_t p = 0; p < processes_.size(); ++p) {
    if ((state[p] == 0) != (whole[p] == 0)) return false;
    if (state[p] == 0) continue;
    const std::uint32_t down = (local_of(p, state[p]) ^ other->local_of(p, whole[p])) & crashed;
    const detail::Forget forget = processes_[p].kind->info->forget;
    if (down != 0 || relevant(forget, local_bytes(p, state[p])) != relevant(forget, other->local_bytes(p, whole[p]))) {
      return false;
    }
    const auto left = contents_of(inboxes_[inbox_of(p, state[p])]);
    const auto all = other->contents_of(other->inboxes_[other->inbox_of(p, whole[p])]);
    const bool drops = processes_[p].kind->dead != nullptr;
    if (drops ? !std::includes(all.begin(), all.end(), left.begin(), left.end()) : left != all) return false;
  }
  for (const std::uint32_t slot : {fault_slot_, partition_slot_}) {
    if (slot != 0 && state[slot] != whole[slot]) return false;
  }
  if (ghost_slot_ != 0) {
    const detail::Forget forget = model_.ghost_info()->info->forget;
    if (relevant(forget, ghosts_.content(state[ghost_slot_])) !=
        relevant(forget, other->ghosts_.content(whole[ghost_slot_]))) {
      return false;
    }
  }
  if (history_slot_ != 0) {
    const auto contents = [](const System& system, Slot history) {
      std::vector<std::tuple<const detail::TypeInfo*, bool, std::string, std::vector<std::uint32_t>>> out;
      for (const auto& client : system.histories_.operations(history)) {
        out.emplace_back(nullptr, false, "", std::vector<std::uint32_t>{});
        for (const HistoryTable::Operation& op : client) {
          if (op.returned == HistoryTable::given_up) out.emplace_back(nullptr, true, "", op.before);
          for (const std::uint32_t number : {op.invoked, op.returned}) {
            if (number == 0 || number == HistoryTable::given_up) continue;
            const HistoryTable::Event e = system.histories_.event(number);
            out.emplace_back(e.type, e.is_return, e.value, op.before);
          }
        }
      }
      return out;
    };
    if (contents(*this, state[history_slot_]) != contents(*other, whole[history_slot_])) return false;
  }
  if (object_slot_ != 0) {
    const Slot a = state[object_slot_], b = whole[object_slot_];
    if (object_->rejected(a) != other->object_->rejected(b) || object_->json(a) != other->object_->json(b)) {
      return false;
    }
    if (object_->rejected(a) && object_->failure(a).call != other->object_->failure(b).call) return false;
  }
  return true;
}

bool System::same_step(std::span<const Slot> from, Step step, const TransitionSystem& full,
                       std::span<const Slot> whole_from, Step whole_step) const {
  const auto* other = dynamic_cast<const System*>(&full);
  if (other == nullptr || step.transition != whole_step.transition) return false;
  if (step.transition >= transition_count() - 2) return step.detail == whole_step.detail;
  const std::uint32_t p = transitions_[step.transition].process;
  const DetailedOutcome a = find_outcome(from, p, step), b = other->find_outcome(whole_from, p, whole_step);
  const auto same_choice = [](const auto& x, const auto& y) { return x.taken == y.taken && x.options == y.options; };
  const auto cost = [](const DetailedOutcome& d) { return d.extra ? d.extra->cost : Extra::Cost::None; };
  return a.transition == b.transition && a.special == b.special && cost(a) == cost(b) &&
         std::ranges::equal(a.choices, b.choices, same_choice) &&
         contents_of(a.consumed) == other->contents_of(b.consumed);
}

}  // namespace heddle::actor
