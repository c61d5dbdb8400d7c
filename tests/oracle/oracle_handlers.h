// Steps of handlers: what can be consumed, every outcome of choices, what is sent to whom, histories, new and
// ended processes.
#pragma once

#include "oracle/oracle.h"

namespace heddle::oracle {

// Returns every set of messages that the transition can consume, in the order of the senders' positions.
inline std::vector<Oracle::Consumed> Oracle::choices_of(const State& state, std::size_t p,
                                                        const detail::TransitionInfo& transition) const {
  if (transition.consumes == nullptr) return {{}};
  std::vector<Message> fitting;
  for (const Message& m : available(state, p)) {
    const bool role = transition.sender == nullptr || info(m.sender).info->tag == transition.sender;
    if (m.type == transition.consumes && role) fitting.push_back(m);
  }
  std::vector<Consumed> out;
  if (transition.quorum == nullptr) {
    for (const Message& m : fitting) out.push_back({m});
    return out;
  }
  const std::size_t wanted = transition.quorum(members(transition.sender).size(), model_.run());
  out.emplace_back();
  for (const std::size_t sender : members(transition.sender)) {
    std::vector<Consumed> more = out;
    for (const Consumed& set : out) {
      for (const Message& m : fitting) {
        if (m.sender != sender) continue;
        more.push_back(set);
        more.back().push_back(m);
      }
    }
    out = more;
  }
  std::erase_if(out, [&](const Consumed& set) { return set.size() != wanted; });
  return out;
}

inline std::vector<Executed> Oracle::executions(const State& state, std::size_t p,
                                                void (*only)(detail::HandlerCall&)) const {
  std::vector<Executed> out;
  if (only != nullptr && byzantine_[p]) return out;
  for (const detail::TransitionInfo& transition : info(p).info->transitions) {
    if (only != nullptr && transition.run != only) continue;
    for (const Consumed& consumed : choices_of(state, p, transition)) {
      // In RM a step consumes everything that has been delivered.
      if (network_.traffic == Traffic::RM && consumed.size() != state.processes[p].buffer.size()) continue;
      execute(state, p, transition, consumed, out);
    }
  }
  return out;
}

inline void Oracle::execute(const State& state, std::size_t p, const detail::TransitionInfo& transition,
                            const Consumed& consumed, std::vector<Executed>& out) const {
  std::vector<detail::Received> received;
  for (const Message& m : consumed) received.push_back({info(m.sender).index, m.body});
  std::vector<detail::HandlerCall::Chosen> script;
  while (true) {
    detail::HandlerCall call;
    call.local = state.processes[p].fields;
    call.self = info(p).index;
    call.consumed = received;
    call.run = &model_.run();
    call.choices = script;
    if (transition.ghost) call.ghost = state.ghost;
    bool exists = true;
    try {
      transition.run(call);
    } catch (const detail::Rejected&) {
      exists = false;
    }
    if (exists) out.push_back(executed(state, p, transition, consumed, call));
    script = call.choices;
    while (!script.empty() && script.back().taken + 1 == script.back().options) script.pop_back();
    if (script.empty()) return;
    ++script.back().taken;
  }
}

inline Executed Oracle::executed(const State& state, std::size_t p, const detail::TransitionInfo& transition,
                                 const Consumed& consumed, const detail::HandlerCall& call) const {
  Executed e{state, {}, call.exited};
  for (const Message& m : consumed) consume(e.state, p, m);
  e.state.processes[p].fields = call.next_local;
  if (transition.ghost) e.state.ghost = call.next_ghost;
  note_events(e.state, p, call.events);
  if (call.exited) {
    e.state.processes[p] = Process{};
    e.state.processes[p].present = false;
  }

  const std::vector<std::size_t> places = places_of(state, e.state, p, consumed, call);
  // So far, ids of new processes are placeholders.
  const detail::Renaming place = [&](const detail::RoleTag* role, std::uint16_t index) {
    for (std::size_t k = 0; k < places.size(); ++k) {
      if (call.spawned[k].role == role && index == detail::last_placeholder - k) return info(places[k]).index;
    }
    return index;
  };
  if (!places.empty()) {
    if (e.state.processes[p].present) {
      e.state.processes[p].fields = info(p).info->rename(call.next_local, place);
    }
    if (transition.ghost) e.state.ghost = model_.ghost_info()->info->rename(call.next_ghost, place);
    for (std::size_t k = 0; k < places.size(); ++k) {
      Process& process = e.state.processes[places[k]];
      process = Process{};
      process.fields = info(places[k]).info->rename(call.spawned[k].local, place);
      // The new process is on the side of its parent.
      if (!separated(state, p, places[k])) continue;
      for (const std::size_t q : on_machine(info(places[k]).group)) (*e.state.split)[q] = (*e.state.split)[p];
    }
    if (e.state.split && e.state.split->front()) e.state.split->flip();
    if (e.state.split && std::ranges::find(*e.state.split, true) == e.state.split->end()) e.state.split.reset();
  }

  for (const detail::Sent& s : call.sent) {
    const Message message{s.type, p, places.empty() ? s.body : s.type->rename(s.body, place)};
    if (s.target == detail::Target::Reply) {
      for (const Message& m : consumed) e.sends.emplace_back(m.sender, message);
      continue;
    }
    const std::vector<std::size_t> role = members(s.role);
    if (s.target == detail::Target::All) {
      for (const std::size_t q : role) {
        if (q != p) e.sends.emplace_back(q, message);
      }
    } else if (s.target == detail::Target::Only) {
      if (role.size() != 1) throw ModelMistake{"a message to one of several, but to whom?"};
      e.sends.emplace_back(role.front(), message);
    } else {
      if (s.index == detail::nobody) throw ModelMistake{"a message to nobody"};
      e.sends.emplace_back(role.at(place(s.role, s.index)), message);
    }
  }
  return e;
}

inline std::optional<std::size_t> Oracle::open_operation(const State& state, std::size_t client,
                                                         std::size_t& count) const {
  std::optional<std::size_t> open;
  count = 0;
  for (const auto& [name, operation] : state.history) {
    if (name.first != client) continue;
    ++count;
    if (!operation.result && !operation.abandoned) open = name.second;
  }
  return open;
}

inline void Oracle::note_events(State& state, std::size_t p, const std::vector<detail::Event>& events) const {
  for (const detail::Event& event : events) {
    std::size_t count = 0;
    const std::optional<std::size_t> open = open_operation(state, p, count);
    if (event.is_return) {
      if (open) {
        state.history[{p, *open}].result = {event.type, event.value};
        continue;
      }
      const bool late = network_.duplications > 0 || network_.order == Order::Soup || faults_.recovery;
      if (!late) throw ModelMistake{"a client returns from no operation"};
      continue;
    }
    if (open) throw ModelMistake{"a client invokes while an operation is open"};
    Operation operation{event.type, event.value, std::nullopt, false, {}};
    for (const auto& [name, other] : state.history) {
      if (other.result) operation.after.insert(name);
    }
    state.history[{p, count}] = operation;
  }
}

// Returns the first places that were free before the step and that nobody remembers after it: no field, neither
// content nor sender of a waiting message, nothing that the step sends, no receiver it names, neither ghost
// variable nor history.
inline std::vector<std::size_t> Oracle::places_of(const State& before, const State& after, std::size_t p,
                                                  const Consumed& consumed, const detail::HandlerCall& call) const {
  if (call.spawned.empty()) return {};
  std::set<std::pair<const detail::RoleTag*, std::uint16_t>> remembered;
  const auto note = [&](std::size_t q) { remembered.insert({info(q).info->tag, info(q).index}); };
  const auto look_at = [&](const auto& type, const Bytes& bytes) {
    const Bytes known = type.forget != nullptr ? type.forget(bytes) : bytes;
    static_cast<void>(type.rename(known, [&](const detail::RoleTag* role, std::uint16_t index) {
      remembered.insert({role, index});
      return index;
    }));
  };
  const auto look_at_message = [&](const Message& m) {
    note(m.sender);
    look_at(*m.type, m.body);
  };
  for (std::size_t q = 0; q < size(); ++q) {
    const Process& process = after.processes[q];
    if (!process.present) continue;
    look_at(*info(q).info, process.fields);
    for (const Message& m : process.transit) look_at_message(m);
    for (const Message& m : process.buffer) look_at_message(m);
    for (const auto& [sender, queue] : process.channels) {
      for (const Message& m : queue) look_at_message(m);
    }
  }
  for (const detail::Spawned& spawned : call.spawned) {
    look_at(*info(members(spawned.role).front()).info, spawned.local);
  }
  for (const detail::Sent& s : call.sent) {
    look_at(*s.type, s.body);
    if (s.target == detail::Target::One) remembered.insert({s.role, s.index});
    if (s.target == detail::Target::Reply) {
      for (const Message& m : consumed) note(m.sender);
    }
  }
  if (model_.ghost_info()) look_at(*model_.ghost_info()->info, after.ghost);
  for (const auto& [name, operation] : after.history) {
    note(name.first);
    look_at(*operation.type, operation.call);
    if (operation.result) look_at(*operation.result->first, operation.result->second);
  }

  std::vector<std::size_t> places;
  for (const detail::Spawned& spawned : call.spawned) {
    std::vector<std::size_t> possible;
    for (const std::size_t q : members(spawned.role)) {
      const bool taken = std::ranges::find(places, q) != places.end();
      if (before.processes[q].present || taken) continue;
      if (!remembered.contains({info(q).info->tag, info(q).index})) possible.push_back(q);
    }
    if (possible.empty()) throw ModelMistake{"no place is free and forgotten"};
    const auto here = std::ranges::find_if(possible, [&](std::size_t q) { return !separated(before, p, q); });
    places.push_back(here != possible.end() ? *here : possible.front());
  }
  return places;
}

}  // namespace heddle::oracle
