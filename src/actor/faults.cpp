// Faults as steps of their own: delivery in RM and GRM, losses, duplications, crashes with partial sends, recovery, Byzantine
// senders.
#include <algorithm>
#include <set>

#include "actor/system.h"

namespace heddle::actor {

void System::add_network_outcomes(std::uint32_t p, Slot cell, std::vector<DetailedOutcome>& out) const {
  const Network& net = model_.network;
  const auto entries = inboxes_[inbox_of(p, cell)];
  const std::uint32_t local = local_of(p, cell);
  std::vector<std::uint32_t> distinct(entries.begin(), entries.end());
  std::sort(distinct.begin(), distinct.end(), [&](std::uint32_t a, std::uint32_t b) {
    if ((a & ~Inboxes::delivered) == (b & ~Inboxes::delivered)) return a < b;
    return messages_.before(a & ~Inboxes::delivered, b & ~Inboxes::delivered);
  });
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  const auto add = [&](Special special, std::uint32_t entry, InboxNumber inbox, Extra::Cost cost) {
    DetailedOutcome& d = out.emplace_back();
    d.special = special;
    d.consumed = {entry};
    d.outcome.next = make_cell(p, local, inbox);
    if (cost != Extra::Cost::None) {
      d.extra.emplace();
      d.extra->cost = cost;
    }
  };
  for (const std::uint32_t entry : distinct) {
    if (net.traffic != Network::Traffic::M && (entry & Inboxes::delivered) == 0) {
      add(Special::Deliver, entry, inboxes_.deliver(inbox_of(p, cell), entry), Extra::Cost::None);
    }
    if (net.losses > 0) {
      add(Special::Lose, entry, inboxes_.remove(inbox_of(p, cell), std::span(&entry, 1)), Extra::Cost::Loss);
    }
    if (net.duplications > 0) {
      add(Special::Duplicate, entry, inboxes_.duplicate(inbox_of(p, cell), entry), Extra::Cost::Duplication);
    }
  }
}

Slot System::crash_cell(std::uint32_t p, Slot cell) const {
  std::uint32_t local = local_of(p, cell);
  if ((local & crashed) != 0) return cell;
  // With recovery, volatile fields are gone at once; without, the local state stays to be read by properties.
  if (model_.faults.recovery) {
    Kind& kind = *processes_[p].kind;
    const std::uint32_t before = local;
    local = intern_local(kind, kind.info->recover(kind.locals.content(local), processes_[p].info->initial));
    note_step(kind, before, local);
  }
  return make_cell(p, local | crashed, inbox_of(p, cell));
}

Slot System::recover_cell(std::uint32_t p, Slot cell) const {
  return make_cell(p, local_of(p, cell) & ~crashed, inbox_of(p, cell));
}

// The explicit crash model: every step may end in a crash after any subset of its sends, and a process may just crash.
void System::add_crash_outcomes(std::uint32_t p, Slot cell, std::vector<DetailedOutcome>& out) const {
  if ((local_of(p, cell) & crashed) != 0) {
    const bool first_of_group = processes_[p].info->group == p;
    if (model_.faults.recovery && first_of_group) {
      DetailedOutcome& d = out.emplace_back();
      d.special = Special::Recover;
      d.outcome.next = recover_cell(p, cell);
      d.extra.emplace();
      d.extra->recover_group = true;
    }
    return;
  }
  const std::size_t steps = out.size();
  for (std::size_t i = 0; i < steps; ++i) {
    if (out[i].extra && out[i].extra->spawning) {
      throw ModelError("explicit crashes cannot be combined with Spawn; run without --crashes");
    }
    if (out[i].outcome.next == 0) continue;
    if (out[i].sends.size() > 16) {
      throw ModelError("a step of " + lane_name(p) + " sends " + std::to_string(out[i].sends.size()) +
                       " messages: a crash in its midst would have too many cases (16 at most); run without --crashes");
    }
    std::set<std::vector<std::pair<std::uint32_t, MessageNumber>>> seen;
    for (std::uint32_t subset = 0; subset < (std::uint32_t{1} << out[i].sends.size()); ++subset) {
      DetailedOutcome d = out[i];
      d.sends.clear();
      std::vector<std::pair<std::uint32_t, MessageNumber>> key;
      for (std::size_t k = 0; k < out[i].sends.size(); ++k) {
        if ((subset >> k & 1) == 0) continue;
        d.sends.push_back(out[i].sends[k]);
        key.emplace_back(out[i].sends[k].process, out[i].sends[k].message);
      }
      if (!seen.insert(key).second) continue;  // two equal messages: which one got out makes no difference
      d.outcome.next = crash_cell(p, d.outcome.next);
      if (!d.extra) d.extra.emplace();
      d.extra->cost = Extra::Cost::Crash;
      d.extra->crash_group = true;
      out.push_back(std::move(d));
    }
  }
  DetailedOutcome& d = out.emplace_back();
  d.special = Special::Crash;
  d.outcome.next = crash_cell(p, cell);
  d.extra.emplace();
  d.extra->cost = Extra::Cost::Crash;
  d.extra->crash_group = true;
}

// A Byzantine process may send any well-formed message its role can send, to anyone the role can send it to, at any time. At
// most one copy of each waits at a receiver: more would only be received one after the other.
void System::add_byzantine_outcomes(std::uint32_t p, Slot cell, std::vector<DetailedOutcome>& out) const {
  const RoleInfo& role = *processes_[p].info->info;
  std::set<std::pair<std::uint32_t, MessageNumber>> possible;
  std::vector<std::pair<std::uint32_t, MessageNumber>> ordered;
  for (const TransitionInfo& t : role.transitions) {
    for (const detail::SendInfo& send : t.sends) {
      std::vector<detail::Bytes> bodies;
      if (!send.type->domain(model_.run(), bodies)) {
        throw ModelError("Byzantine " + std::string(role.name) + ": message " + std::string(send.type->name) +
                         " has a field without a finite domain; give it `static std::vector<" +
                         std::string(send.type->name) + "> domain(const heddle::Run&)`");
      }
      for (std::uint32_t q = 0; q < processes_.size(); ++q) {
        if (q == p || processes_[q].byzantine) continue;
        const RoleInfo& other = *processes_[q].info->info;
        bool reachable = other.tag == send.role;
        if (send.target == detail::Target::Reply) {
          // The roles that could have sent what is replied to.
          for (const TransitionInfo& u : other.transitions) {
            for (const detail::SendInfo& s : u.sends) reachable |= s.type == t.consumes;
          }
        }
        if (!reachable) continue;
        for (const detail::Bytes& body : bodies) {
          // Without auxiliary data, kept or not: else a copy could differ from the one that is waiting in that only.
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
