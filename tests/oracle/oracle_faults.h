// Crashes between steps and within them, recovery, Byzantine senders.
#pragma once

#include "oracle/oracle.h"

namespace heddle::oracle {

inline bool Oracle::may_crash(const State& state, std::size_t machine) const {
  const std::vector<std::size_t> on_it = on_machine(machine);
  const bool up =
      std::ranges::any_of(on_it, [&](std::size_t p) { return state.processes[p].present && state.processes[p].up; });
  if (!up) return false;
  if (faults_.crashes_of.empty()) return state.crashes < faults_.crashes;
  bool given = false;
  for (const auto& [role, most] : faults_.crashes_of) {
    if (!has_member(machine, role)) continue;
    given = true;
    if (state.crashes_of.at(role) >= most) return false;
  }
  return given;
}

// Members that have ended count.
inline bool Oracle::has_member(std::size_t machine, const std::string& role) const {
  return std::ranges::any_of(on_machine(machine), [&](std::size_t p) { return role_name(p) == role; });
}

inline void Oracle::crash(State& state, std::size_t machine) const {
  if (faults_.crashes_of.empty()) ++state.crashes;
  for (auto& [role, count] : state.crashes_of) count += has_member(machine, role);
  for (const std::size_t p : on_machine(machine)) {
    Process& process = state.processes[p];
    if (!process.present) continue;
    process.up = false;
    if (!faults_.recovery) continue;
    process.fields = info(p).info->recover(process.fields, info(p).initial);
    std::size_t count = 0;
    if (const auto open = open_operation(state, p, count)) state.history[{p, *open}].abandoned = true;
  }
}

inline void Oracle::crashes_and_recoveries(const State& state, std::vector<State>& out) const {
  for (const std::size_t machine : machines()) {
    if (may_crash(state, machine)) {
      State next = state;
      crash(next, machine);
      out.push_back(next);
    }
    bool down = false;
    for (const std::size_t p : on_machine(machine)) down |= state.processes[p].present && !state.processes[p].up;
    if (faults_.recovery && down) {
      State next = state;
      for (const std::size_t p : on_machine(machine)) next.processes[p].up = true;
      out.push_back(next);
    }
  }
}

// Any subset of the messages gets sent. Subsets that send the same to each receiver in the same order are one.
inline void Oracle::crashes_within(const Executed& executed, std::size_t p, std::vector<State>& out) const {
  std::set<std::map<std::size_t, std::vector<Message>>> subsets;
  for (std::size_t which = 0; which < std::size_t{1} << executed.sends.size(); ++which) {
    std::map<std::size_t, std::vector<Message>> subset;
    for (std::size_t i = 0; i < executed.sends.size(); ++i) {
      const auto& [receiver, message] = executed.sends[i];
      const bool gone = byzantine_[receiver] || !executed.state.processes[receiver].present;
      if ((which >> i & 1) != 0 && !gone) subset[receiver].push_back(message);
    }
    subsets.insert(subset);
  }
  for (const auto& subset : subsets) {
    State next = executed.state;
    bool fits = true;
    for (const auto& [receiver, messages] : subset) {
      for (const Message& message : messages) fits = fits && send(next, receiver, message);
    }
    if (!fits) continue;
    crash(next, info(p).group);
    out.push_back(next);
  }
}

inline void Oracle::byzantine_sends(const State& state, std::vector<State>& out) const {
  for (std::size_t p = 0; p < size(); ++p) {
    if (!byzantine_[p] || !state.processes[p].up) continue;
    std::set<std::pair<std::size_t, Message>> possible;
    for (const detail::TransitionInfo& t : info(p).info->transitions) {
      for (const detail::SendInfo& sends : t.sends) {
        std::set<std::size_t> receivers;
        for (std::size_t q = 0; q < size(); ++q) {
          if (sends.target != detail::Target::Reply) {
            if (info(q).info->tag == sends.role) receivers.insert(q);
            continue;
          }
          for (const detail::TransitionInfo& asks : info(q).info->transitions) {
            for (const detail::SendInfo& question : asks.sends) {
              if (question.type == t.consumes) receivers.insert(q);
            }
          }
        }
        std::vector<Bytes> bodies;
        if (!sends.type->domain(model_.run(), bodies)) throw ModelMistake{"a message without a domain"};
        for (const Bytes& body : bodies) {
          for (const std::size_t q : receivers) possible.insert({q, Message{sends.type, p, body}});
        }
      }
    }
    for (const auto& [q, message] : possible) {
      const Process& receiver = state.processes[q];
      if (q == p || byzantine_[q] || !receiver.present) continue;
      bool waits = receiver.transit.contains(message) || receiver.buffer.contains(message);
      if (const auto channel = receiver.channels.find(p); channel != receiver.channels.end()) {
        waits |= std::ranges::find(channel->second, message) != channel->second.end();
      }
      State next = state;
      if (!waits && send(next, q, message)) out.push_back(next);
    }
  }
}

}  // namespace heddle::oracle
