// A second implementation of docs/network.md, to compare the program with.
//
// It is written from the page alone, in the order of the page, and as plainly as possible: every step copies the
// whole state. Of Heddle it uses only what a modeller includes: the declarations of the model, and the function
// that runs one handler. It decides by itself what is enabled, what networks and faults do, and what the search counts.
#pragma once

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "oracle/oracle_state.h"

namespace heddle::oracle {

// One way to run a handler to its end, and the messages it sends with their receivers.
struct Executed {
  State state;  // without what was consumed, with new fields, ghost variable, history, new and ended processes
  std::vector<std::pair<std::size_t, Message>> sends;
  bool exited = false;
};

class Oracle {
 public:
  explicit Oracle(const Model& model) : model_(model), network_(model.network), faults_(model.faults) {
    byzantine_.resize(model_.processes().size(), false);
    for (const auto& [role, count] : faults_.byzantine) {
      unsigned left = count;
      for (std::size_t p = size(); p-- > 0 && left > 0;) {
        if (role_name(p) == role) byzantine_[p] = true, --left;
      }
    }
  }

  // Returns why the page refuses this combination; empty if it does not.
  std::string refused() const;
  std::vector<State> initial_states() const;
  // Returns one state for each step; a state occurs as often as there are steps to it.
  std::vector<State> steps(const State& state) const;

  const Model& model() const { return model_; }
  StateView view(const State& state) const { return {model_, byzantine_, state}; }

 private:
  using Order = Network::Order;
  using Traffic = Network::Traffic;
  using Consumed = std::vector<Message>;

  // --- Names.
  std::size_t size() const { return model_.processes().size(); }
  const detail::ProcessInfo& info(std::size_t p) const { return model_.processes()[p]; }
  std::string role_name(std::size_t p) const { return std::string(info(p).info->tag->name); }
  std::vector<std::size_t> members(const detail::RoleTag* role) const {
    std::vector<std::size_t> out;
    for (std::size_t p = 0; p < size(); ++p) {
      if (info(p).info->tag == role) out.push_back(p);
    }
    return out;
  }
  std::vector<std::size_t> machines() const {
    std::vector<std::size_t> out;
    for (std::size_t p = 0; p < size(); ++p) {
      if (info(p).group == p) out.push_back(p);
    }
    return out;
  }
  std::vector<std::size_t> on_machine(std::size_t machine) const {
    std::vector<std::size_t> out;
    for (std::size_t p = 0; p < size(); ++p) {
      if (info(p).group == machine) out.push_back(p);
    }
    return out;
  }

  // --- The network (oracle_network.h).
  bool separated(const State& state, std::size_t p, std::size_t q) const {
    return state.split && (*state.split)[p] != (*state.split)[q];
  }
  std::vector<Message> available(const State& state, std::size_t p) const;
  void consume(State& state, std::size_t p, const Message& message) const;
  bool send(State& state, std::size_t receiver, const Message& message) const;
  bool send_all(State& state, const std::vector<std::pair<std::size_t, Message>>& sends) const;
  bool full(const State& state, std::size_t sender, std::size_t receiver) const;
  void deliveries(const State& state, std::vector<State>& out) const;
  void losses_and_duplications(const State& state, std::vector<State>& out) const;
  void partitions(const State& state, std::vector<State>& out) const;

  // --- Handlers (oracle_handlers.h).
  std::vector<Consumed> choices_of(const State& state, std::size_t p, const detail::TransitionInfo& transition) const;
  // With `only`, of that handler.
  std::vector<Executed> executions(const State& state, std::size_t p,
                                   void (*only)(detail::HandlerCall&) = nullptr) const;
  void execute(const State& state, std::size_t p, const detail::TransitionInfo& transition, const Consumed& consumed,
               std::vector<Executed>& out) const;
  Executed executed(const State& state, std::size_t p, const detail::TransitionInfo& transition,
                    const Consumed& consumed, const detail::HandlerCall& call) const;
  void note_events(State& state, std::size_t p, const std::vector<detail::Event>& events) const;
  std::optional<std::size_t> open_operation(const State& state, std::size_t client, std::size_t& count) const;
  std::vector<std::size_t> places_of(const State& before, const State& after, std::size_t p, const Consumed& consumed,
                                     const detail::HandlerCall& call) const;

  // --- Faults (oracle_faults.h).
  bool may_crash(const State& state, std::size_t machine) const;
  bool has_member(std::size_t machine, const std::string& role) const;
  void crash(State& state, std::size_t machine) const;
  void crashes_and_recoveries(const State& state, std::vector<State>& out) const;
  void crashes_within(const Executed& executed, std::size_t p, std::vector<State>& out) const;
  void byzantine_sends(const State& state, std::vector<State>& out) const;

  Model model_;
  Network network_;
  Faults faults_;
  std::vector<bool> byzantine_;
};

inline std::vector<State> Oracle::initial_states() const {
  State state;
  for (std::size_t p = 0; p < size(); ++p) {
    Process process;
    process.present = info(p).present;
    process.fields = info(p).initial;
    state.processes.push_back(process);
  }
  if (model_.ghost_info()) state.ghost = model_.ghost_info()->initial;
  for (const auto& [role, most] : faults_.crashes_of) state.crashes_of[role] = 0;
  std::set<State> states{state};
  for (const auto first : model_.first_steps()) {
    for (std::size_t p = 0; p < size(); ++p) {
      for (const detail::TransitionInfo& t : info(p).info->transitions) {
        if (t.run != first || !info(p).present) continue;
        std::set<State> after;
        for (const State& before : states) {
          for (const Executed& e : executions(before, p, first)) {
            State next = e.state;
            if (send_all(next, e.sends)) after.insert(next);
          }
        }
        states = after;
        if (states.empty()) throw ModelMistake{"a process cannot take its first step"};
      }
    }
  }
  return {states.begin(), states.end()};
}

inline std::vector<State> Oracle::steps(const State& state) const {
  std::vector<State> out;
  for (std::size_t p = 0; p < size(); ++p) {
    if (!state.processes[p].present || !state.processes[p].up || byzantine_[p]) continue;
    for (const Executed& e : executions(state, p)) {
      State next = e.state;
      if (send_all(next, e.sends)) out.push_back(next);
      if (!e.exited && may_crash(state, info(p).group)) crashes_within(e, p, out);
    }
  }
  deliveries(state, out);
  losses_and_duplications(state, out);
  partitions(state, out);
  crashes_and_recoveries(state, out);
  byzantine_sends(state, out);
  return out;
}

}  // namespace heddle::oracle

#include "oracle/oracle_faults.h"
#include "oracle/oracle_handlers.h"
#include "oracle/oracle_network.h"
