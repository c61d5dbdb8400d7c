// Faults as steps: losses, duplications, crashes with partial sends, recovery, Byzantine senders; and delivery in
// RM and GRM.
#include <algorithm>
#include <set>

#include "actor/system.h"

namespace heddle::actor {

// Adds what can happen to messages in transit. Of several equal messages in a queue, each may be lost or
// duplicated at its own place; equal neighbours give the same queue and count once.
void System::add_network_outcomes(std::uint32_t p, Slot cell, std::vector<DetailedOutcome>& out) const {
  const Network& net = model_.network;
  const bool buffered = net.traffic != Network::Traffic::M;
  if (!buffered && net.losses + net.duplications == 0) return;
  struct InTransit {
    std::uint32_t entry, place;
  };
  std::vector<InTransit> messages;
  const InboxNumber inbox = inbox_of(p, cell);
  const auto entries = inboxes_[inbox];
  for (std::size_t i = 0, place = 0; i < entries.size(); ++i) {
    if ((entries[i] & Inboxes::delivered) != 0) continue;
    const bool same_sender =
        i > 0 && messages_[entries[i - 1] & ~Inboxes::delivered].sender == messages_[entries[i]].sender;
    place = net.order == Network::Order::Fifo && same_sender ? place + 1 : 0;
    if (i > 0 && entries[i - 1] == entries[i]) continue;
    messages.push_back({entries[i], static_cast<std::uint32_t>(place)});
  }
  std::ranges::stable_sort(messages, [&](const InTransit& a, const InTransit& b) {
    return a.entry != b.entry && messages_.before(a.entry, b.entry);
  });
  const auto add = [&](Special special, const InTransit& message, InboxNumber after, Extra::Cost cost) {
    DetailedOutcome& d = out.emplace_back();
    d.special = special;
    d.consumed = {message.entry};
    d.place = message.place;
    d.outcome.next = make_cell(p, local_of(p, cell), after);
    if (cost != Extra::Cost::None) {
      d.extra.emplace();
      d.extra->cost = cost;
    }
  };
  for (const InTransit& message : messages) {
    if (buffered) {
      add(Special::Deliver, message, inboxes_.deliver(inbox, message.entry), Extra::Cost::None);
      if (partition_slot_ != 0) {
        out.back().extra.emplace();
        out.back().extra->senders = machine_bit(messages_[message.entry].sender);
      }
    }
    if (net.losses > 0)
      add(Special::Lose, message, inboxes_.lose(inbox, message.entry, message.place), Extra::Cost::Loss);
    if (net.duplications == 0) continue;
    const InboxNumber doubled = inboxes_.duplicate(inbox, message.entry, message.place);
    if (doubled != 0) add(Special::Duplicate, message, doubled, Extra::Cost::Duplication);
  }
}

Slot System::crash_cell(std::uint32_t p, Slot cell) const {
  std::uint32_t local = local_of(p, cell);
  if ((local & crashed) != 0) return cell;
  // With recovery, volatile fields are lost at once. Without recovery, the local state stays for properties to read.
  if (model_.faults.recovery) {
    Kind& kind = *processes_[p].kind;
    const std::uint32_t before = local;
    local = intern_local(kind, kind.info->recover(kind.locals.content(local), processes_[p].info->initial));
    note_step(kind, before, local);
  }
  return make_cell(p, local | crashed, inbox_of(p, cell));
}

bool System::forgets_operations(std::uint32_t p) const {
  if (history_slot_ == 0 || !model_.faults.recovery) return false;
  return histories_.is_client(p) ||
         std::ranges::any_of(processes_[p].companions, [&](std::uint32_t q) { return histories_.is_client(q); });
}

Slot System::recover_cell(std::uint32_t p, Slot cell) const {
  return make_cell(p, local_of(p, cell) & ~crashed, inbox_of(p, cell));
}

// The explicit crash model: every step of a handler may end in a crash after any subset of its sends, including
// sends to itself.
void System::add_crash_outcomes(std::uint32_t p, Slot cell, std::vector<DetailedOutcome>& out) const {
  if ((local_of(p, cell) & crashed) != 0) return;
  const std::size_t steps = out.size();
  for (std::size_t i = 0; i < steps; ++i) {
    if (out[i].extra && out[i].extra->failure != 0) continue;
    if (out[i].outcome.next == 0) continue;  // the process ends
    std::vector<Send> sends = std::move(out[i].all_sends);
    out[i].all_sends.clear();
    // A Byzantine process ignores what it receives.
    std::erase_if(sends, [&](const Send& s) { return processes_[s.process].byzantine; });
    if (sends.size() > 16) {
      throw ModelError("a step of " + lane_name(p) + " sends " + std::to_string(sends.size()) +
                       " messages: a crash in its midst would have too many cases (16 at most); run without --crashes");
    }
    std::set<std::vector<std::pair<std::uint32_t, MessageNumber>>> seen;
    for (std::uint32_t subset = 0; subset < (std::uint32_t{1} << sends.size()); ++subset) {
      DetailedOutcome d = out[i];
      d.sends.clear();
      d.own.clear();
      d.outcome.next = d.before_sending;
      std::vector<std::pair<std::uint32_t, MessageNumber>> key;
      for (std::size_t k = 0; k < sends.size() && d.outcome.next != blocked; ++k) {
        if ((subset >> k & 1) == 0) continue;
        key.emplace_back(sends[k].process, sends[k].message);
        if (sends[k].process != p) {
          d.sends.push_back(sends[k]);
          continue;
        }
        d.own.push_back(sends[k].message);
        d.outcome.next = receive(p, d.outcome.next, sends[k].message);
      }
      if (d.outcome.next == blocked) continue;
      if (!seen.insert(key).second) continue;  // of two equal messages, it does not matter which one was sent
      d.outcome.next = crash_cell(p, d.outcome.next);
      if (!d.extra) d.extra.emplace();
      d.extra->cost = Extra::Cost::Crash;
      d.extra->crash_group = true;
      out.push_back(std::move(d));
    }
  }
  // Drop the steps whose messages do not all fit. Crashes that sent only some of them were added above.
  std::erase_if(out, [](const DetailedOutcome& d) { return d.outcome.next == blocked; });
}

// A machine crashes between two steps, or recovers.
void System::add_machine_outcomes(std::uint32_t p, Slot cell, std::vector<DetailedOutcome>& out) const {
  const bool down = (local_of(p, cell) & crashed) != 0;
  if (down && !model_.faults.recovery) return;
  DetailedOutcome& d = out.emplace_back();
  d.special = down ? Special::Recover : Special::Crash;
  d.outcome.next = down ? recover_cell(p, cell) : crash_cell(p, cell);
  d.extra.emplace();
  d.extra->of_machine = true;
  if (down) {
    d.extra->recover_group = true;
  } else {
    d.extra->cost = Extra::Cost::Crash;
    d.extra->crash_group = true;
  }
}

// The user's code says which values a message may have. That is a fact of the model: it is asked for once, and once
// more to see that it does not change.
void System::find_domains() {
  for (const Process& process : processes_) {
    if (!process.byzantine) continue;
    const RoleInfo& role = *process.info->info;
    for (const TransitionInfo& t : role.transitions) {
      for (const detail::SendInfo& send : t.sends) {
        if (domains_.contains(send.type)) continue;
        const CodeName code{"domain of", send.type->name};
        bool finite = false;
        std::vector<detail::Bytes> bodies, again;
        run_or_throw<ModelError>(code, [&] { finite = send.type->domain(model_.run(), bodies); });
        if (!finite) {
          throw ModelError("Byzantine " + std::string(role.name) + ": message " + std::string(send.type->name) +
                           " has a field without a finite domain; give it `static std::vector<" +
                           std::string(send.type->name) + "> domain(const heddle::Run&)`");
        }
        run_or_throw<ModelError>(code, [&] { send.type->domain(model_.run(), again); });
        if (bodies != again) {
          throw ModelError(code.text() + " is not a pure function: asked twice, it gave two lists of values");
        }
        domains_.emplace(send.type, std::move(bodies));
      }
    }
  }
}

// A Byzantine process may send, at any time, any well-formed message that its role can send, to anyone the role
// can send it to. At most one copy of each message waits at a receiver: more copies would only be received one
// after the other.
void System::add_byzantine_outcomes(std::uint32_t p, Slot cell, std::vector<DetailedOutcome>& out) const {
  const RoleInfo& role = *processes_[p].info->info;
  std::set<std::pair<std::uint32_t, MessageNumber>> possible;
  std::vector<std::pair<std::uint32_t, MessageNumber>> ordered;
  for (const TransitionInfo& t : role.transitions) {
    for (const detail::SendInfo& send : t.sends) {
      for (std::uint32_t q = 0; q < processes_.size(); ++q) {
        if (q == p || processes_[q].byzantine) continue;
        const RoleInfo& other = *processes_[q].info->info;
        bool reachable = other.tag == send.role;
        if (send.target == detail::Target::Reply) {
          // A reply reaches the roles that could have sent the message replied to.
          for (const TransitionInfo& u : other.transitions) {
            for (const detail::SendInfo& s : u.sends) reachable |= s.type == t.consumes;
          }
        }
        if (!reachable) continue;
        for (const detail::Bytes& body : domains_.at(send.type)) {
          // The body is stripped of auxiliary data in any case. Otherwise a copy could differ from the one that
          // is waiting in that only.
          const detail::Bytes relevant = send.type->forget == nullptr ? body : send.type->forget(body);
          const std::pair key{q, messages_.intern(send.type, p, relevant)};
          if (possible.insert(key).second) ordered.push_back(key);
        }
      }
    }
  }
  for (const auto& [q, message] : ordered) {
    DetailedOutcome& d = out.emplace_back();
    d.special = Special::Byzantine;
    d.outcome.next = cell;
    d.sends = {{q, message}};
    d.extra.emplace();
    d.extra->send_once = true;
  }
}

}  // namespace heddle::actor
