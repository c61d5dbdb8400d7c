// Relates transitions, from the types of handlers and what the model says of their fields (after Bokor's thesis,
// §4.4, with corrections).
//
//   dependent    Two transitions of one process, or two that share the ghost variable, the history, the budget of
//                faults, ...; and sender with receiver. Not receiver with sender: receiving does not disturb the
//                sender.
//   can_enable   Sender to receiver; and within a process, unless the annotations of Model::annotate exclude it.
//   net          t consumes from every process in its senders, and u is the only transition of one of them that
//                sends to t.
//
// The relations are sound for multiset channels, the soup and FIFO: appending commutes with appending and with
// taking out a message that is there already. Where the order or number of waiting messages can be observed
// (bounded channels), sending counts as writing the receiver.
#include <algorithm>
#include <set>

#include "actor/system.h"

namespace heddle::actor {
namespace {

// What a transition touches beyond the inboxes it sends to.
struct Touches {
  std::vector<bool> cells;  // processes whose cell it writes
  bool fault = false, ghost = false, history = false;
  bool calls = false, looks_around = false;  // on the abstract object; depends on the whole state
  bool writes_partition = false, reads_partition = false;
};

using Fields = std::optional<std::set<std::size_t>>;

bool meet(const Fields& a, const Fields& b) {
  if (!a || !b) return true;
  return std::ranges::any_of(*a, [&](std::size_t field) { return b->contains(field); });
}

}  // namespace

bool System::relations_possible() const { return processes_.size() <= most_related; }

const Relations& System::relations() const {
  std::call_once(relations_made_, [&] {
    relations_ = std::make_unique<Relations>(make_relations());
    // The pairs are in ascending order of t, and transitions in that of their process.
    net_of_.assign(processes_.size() + 1, 0);
    for (const Relations::Necessary& pair : relations_->net) ++net_of_[transitions_[pair.t].process + 1];
    for (std::size_t p = 0; p < processes_.size(); ++p) net_of_[p + 1] += net_of_[p];
  });
  return *relations_;
}

// Returns whether t may send something to the process of `other` that `other` could take in.
bool System::may_feed(const StaticTransition& t, const StaticTransition& other) const {
  const std::uint32_t q = other.process;
  if (t.process == network_lane() || q == network_lane()) return false;
  const bool any_message = other.handler < 0 && (other.special == Special::Deliver || other.special == Special::Lose ||
                                                 other.special == Special::Duplicate);
  if (other.handler < 0 && !any_message) return false;
  if (!any_message && std::ranges::find(other.senders, t.process) == other.senders.end()) return false;
  const detail::TypeInfo* wanted = any_message ? nullptr : handler_of(other).consumes;
  const auto sends = [&](const TransitionInfo& h, bool replies_to_senders) {
    return std::ranges::any_of(h.sends, [&](const detail::SendInfo& s) {
      if (wanted != nullptr && s.type != wanted) return false;
      if (s.target == detail::Target::Reply && replies_to_senders)
        return std::ranges::find(t.senders, q) != t.senders.end();
      return can_send(t.process, q, s.type) &&
             (s.target == detail::Target::Reply || processes_[q].info->info->tag == s.role);
    });
  };
  if (t.handler >= 0) return sends(handler_of(t), true);
  if (t.special != Special::Byzantine || !processes_[t.process].byzantine) return false;
  return std::ranges::any_of(processes_[t.process].info->info->transitions,
                             [&](const TransitionInfo& h) { return sends(h, false); });
}

// Returns whether the transition can read or write what the ghost variable keeps; a forgotten one keeps nothing.
bool System::shares_ghost(const StaticTransition& t) const {
  if (t.handler < 0 || !handler_of(t).ghost) return false;
  return !(options_.forget_auxiliary && model_.ghost_info()->info->only_auxiliary);
}

// A guard may depend on the ghost variable, unless the model has said which fields it reads.
bool System::may_enable_by_ghost(const StaticTransition& t, const StaticTransition& other) const {
  if (!shares_ghost(t) || !shares_ghost(other)) return false;
  const detail::Annotation* a = annotation_of(other);
  return a == nullptr || !a->reads;
}

// Returns whether t can enable `other`. REQUIRES: both are transitions of one process.
bool System::may_enable_locally(const StaticTransition& t, const StaticTransition& other) const {
  if (t.handler < 0 || other.handler < 0 || t.crashing || other.crashing) return true;
  const bool consumes = handler_of(t).consumes != nullptr;
  // Taking the head of a queue uncovers the next message; the textbook model RM waits for clean channels.
  if (consumes && (model_.network.order == Network::Order::Fifo || model_.network.traffic == Network::Traffic::RM)) {
    return true;
  }
  if (may_enable_by_ghost(t, other)) return true;
  if (may_feed(t, other)) return true;
  const detail::Annotation* a = annotation_of(t);
  const detail::Annotation* b = annotation_of(other);
  const Fields written = a != nullptr ? a->writes : std::nullopt;
  const Fields read = b != nullptr ? b->reads : std::nullopt;
  if (!written || !read) return meet(written, read);
  return std::ranges::any_of(*written, [&](std::size_t field) {
    if (!read->contains(field)) return false;
    return !(a->raises.contains(field) && b->hindered_by.contains(field));
  });
}

const detail::Annotation* System::annotation_of(const StaticTransition& t) const {
  for (const detail::Annotation& a : model_.annotations()) {
    if (a.run == handler_of(t).run) return &a;
  }
  return nullptr;
}

Relations System::make_relations() const {
  const std::size_t n = transitions_.size();
  const auto count = static_cast<std::uint32_t>(processes_.size());
  std::vector<Touches> touches(n);
  const auto may_happen = [&](const StaticTransition& t) {
    if (t.process == network_lane()) return model_.network.partitions > 0;
    if (t.handler >= 0) return !processes_[t.process].byzantine;
    switch (t.special) {
      case Special::Deliver:
        return model_.network.traffic != Network::Traffic::M;
      case Special::Lose:
        return model_.network.losses > 0;
      case Special::Duplicate:
        return model_.network.duplications > 0;
      case Special::Crash:
        return !processes_[t.process].crash_kinds.empty();
      case Special::Recover:
        return !processes_[t.process].crash_kinds.empty() && model_.faults.recovery;
      case Special::Byzantine:
        return processes_[t.process].byzantine;
    }
    return true;
  };
  for (std::size_t i = 0; i < n; ++i) {
    const StaticTransition& t = transitions_[i];
    Touches& x = touches[i];
    x.cells.assign(count, false);
    if (t.process == network_lane()) {
      x.writes_partition = x.fault = true;
      continue;
    }
    x.cells[t.process] = true;
    const bool special = t.handler < 0;
    if (t.crashing || (special && (t.special == Special::Crash || t.special == Special::Recover))) {
      for (const std::uint32_t q : processes_[t.process].companions) x.cells[q] = true;
    }
    x.fault =
        t.crashing ||
        (special && (t.special == Special::Crash || t.special == Special::Lose || t.special == Special::Duplicate));
    x.reads_partition = partition_slot_ != 0;
    x.looks_around = any_step_.takes.view;
    x.history = (t.crashing || (special && t.special == Special::Crash)) && forgets_operations(t.process);
    if (special) continue;
    x.ghost = shares_ghost(t);
    x.history |= history_slot_ != 0 && handler_of(t).operation;
    if (const Annotated* a = annotated(t)) {
      x.calls = true;
      x.looks_around |= a->takes.view;
    }
    if (!handler_of(t).spawns.empty()) {
      // The new process may take any free place; which one depends on who remembers whom.
      x.cells.assign(count, true);
      x.writes_partition = partition_slot_ != 0;
    }
  }
  const auto writes_target = [&](std::size_t i, std::size_t j) {
    // Bounded channels and Byzantine senders look at the inbox of the receiver.
    const StaticTransition &t = transitions_[i], &u = transitions_[j];
    if (t.process == network_lane() || u.process == network_lane()) return false;
    const bool looks = model_.network.capacity > 0 || (t.handler < 0 && t.special == Special::Byzantine);
    if (!looks || (t.handler < 0 && t.special != Special::Byzantine)) return false;
    return std::ranges::any_of(
        channels_, [&](const auto& c) { return std::get<0>(c) == t.process && touches[j].cells[std::get<1>(c)]; });
  };
  Relations r(n);
  for (std::size_t i = 0; i < n; ++i) {
    const StaticTransition& t = transitions_[i];
    if (!may_happen(t)) continue;
    const Touches& x = touches[i];
    for (std::size_t j = 0; j < n; ++j) {
      const StaticTransition& u = transitions_[j];
      if (!may_happen(u)) continue;
      const Touches& y = touches[j];
      bool shares_cell = false;
      for (std::uint32_t q = 0; q < count; ++q) shares_cell |= x.cells[q] && y.cells[q];
      const bool partition = (x.writes_partition && (y.reads_partition || y.writes_partition)) ||
                             (y.writes_partition && x.reads_partition);
      const bool looks = writes_target(i, j) || writes_target(j, i);
      const bool feeds = may_feed(t, u);
      const bool shares = (x.fault && y.fault) || (x.ghost && y.ghost) || (x.history && y.history) ||
                          (x.calls && y.calls) || x.looks_around || y.looks_around;
      if (i != j && (shares_cell || partition || looks || feeds || shares)) r.dependent.add(i, j);
      const bool same_process = t.process == u.process && t.process != network_lane();
      const bool enables = feeds || partition || looks || may_enable_by_ghost(t, u) ||
                           (same_process ? may_enable_locally(t, u) : shares_cell);
      if (enables) r.can_enable.add(i, j);
    }
    if (t.handler >= 0) {
      const TransitionInfo& h = handler_of(t);
      r.priority[i] = h.consumes == nullptr ? 3 : h.sends.empty() ? 1 : 2;
      if (const detail::Annotation* a = annotation_of(t)) {
        // A crash is visible, whatever the step does.
        if (a->invisible && !t.crashing && annotated(t) == nullptr && failure_slot_ == 0) r.invisible.set(i);
        if (a->priority) r.priority[i] = *a->priority;
      }
    } else {
      r.priority[i] = 1;
    }
  }
  add_necessary(r);
  return r;
}

void System::add_necessary(Relations& r) const {
  for (std::size_t i = 0; i < transitions_.size(); ++i) {
    const StaticTransition& t = transitions_[i];
    if (t.handler < 0 || t.senders.empty() || t.process == network_lane()) continue;
    // The transition is input-deterministic: every execution takes a message of every sender.
    if (!t.split && threshold(handler_of(t)) != t.senders.size()) continue;
    for (const std::uint32_t sender : t.senders) {
      if (sender == t.process) continue;
      std::size_t only = 0, feeders = 0;
      for (std::size_t j = 0; j < transitions_.size(); ++j) {
        if (transitions_[j].process != sender || !may_feed(transitions_[j], t)) continue;
        only = j;
        ++feeders;
      }
      if (feeders == 1) r.net.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(only)});
    }
  }
}

// Returns whether no message waits that is of the type t needs and comes from the process of u.
bool System::waits(Slot cell, const Relations::Necessary& pair) const {
  const StaticTransition& t = transitions_[pair.t];
  const detail::TypeInfo* type = handler_of(t).consumes;
  const std::uint32_t sender = transitions_[pair.u].process;
  return std::ranges::none_of(inboxes_[inbox_of(t.process, cell)], [&](std::uint32_t entry) {
    const Messages::Record& m = messages_[entry & ~Inboxes::delivered];
    return m.sender == sender && m.type == type;
  });
}

// The part of one process depends only on its cell, and is kept.
void System::awaiting(std::span<const Slot> state, BitSet& pairs) const {
  constexpr std::uint64_t known = std::uint64_t{1} << 63;
  const std::vector<Relations::Necessary>& net = relations().net;
  pairs.clear();
  if (net.empty()) return;
  for (std::uint32_t p = 0; p < processes_.size(); ++p) {
    const std::uint32_t first = net_of_[p], count = net_of_[p + 1] - first;
    if (state[p] == 0 || count == 0) continue;
    if (count > 63) {
      for (std::uint32_t k = first; k < first + count; ++k) {
        if (waits(state[p], net[k])) pairs.set(k);
      }
      continue;
    }
    std::atomic_ref kept(processes_[p].waiting[state[p]]);
    std::uint64_t bits = kept.load(std::memory_order_relaxed);
    if (bits == 0) {
      bits = known;
      for (std::uint32_t k = 0; k < count; ++k) {
        if (waits(state[p], net[first + k])) bits |= std::uint64_t{1} << k;
      }
      kept.store(bits, std::memory_order_relaxed);
    }
    bits &= ~known;
    pairs.words()[first / 64] |= bits << (first % 64);
    if (first % 64 != 0 && first / 64 + 1 < pairs.words().size()) {
      pairs.words()[first / 64 + 1] |= bits >> (64 - first % 64);
    }
  }
}

}  // namespace heddle::actor
