// Visits every reachable state of an Oracle, breadth first, and evaluates the properties on them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "oracle/oracle.h"
#include "oracle/oracle_history.h"

namespace heddle::oracle {

struct Found {
  std::size_t states = 0, transitions = 0, deadlocks = 0, depth = 0;
  bool complete = true;    // no bound was reached
  bool too_large = false;  // given up: there are more states than asked for
  std::string mistake;     // made by the model
  // By property: the distance from the start of the first state that violates it or, for a `sometimes`, reaches it.
  std::map<std::string, std::optional<std::size_t>> first;
  std::map<std::string, std::string> where;  // that state as text
};

inline std::string text(const Model& model, const State& state) {
  std::string out;
  const auto add = [&](const char* kind, const Message& m) {
    out += std::string("\n    ") + kind + " from " + std::to_string(m.sender) + " " + std::string(m.type->name);
    m.type->json(m.body, out);
  };
  for (std::size_t p = 0; p < state.processes.size(); ++p) {
    const Process& process = state.processes[p];
    if (!process.present) continue;
    out += "\n  " + std::to_string(p) + (process.up ? " " : " (down) ") + std::string(model.processes()[p].info->name);
    model.processes()[p].info->json(process.fields, out);
    for (const Message& m : process.transit) add("in transit", m);
    for (const Message& m : process.buffer) add("delivered", m);
    for (const auto& [sender, queue] : process.channels) {
      for (const Message& m : queue) add("queued", m);
    }
  }
  return out;
}

inline Found explore(const Oracle& oracle, std::size_t most_states) {
  using Kind = detail::PropertyInfo::Kind;
  const Model& model = oracle.model();
  Found found;
  for (const auto& property : model.properties()) found.first[property.name] = std::nullopt;
  for (const auto& specification : model.specifications()) found.first[specification.name] = std::nullopt;
  const auto note = [&](const std::string& name, const State& state) {
    if (found.first[name]) return;
    found.first[name] = found.depth;
    found.where[name] = text(model, state);
  };

  std::set<State> known;
  try {
    std::vector<State> level = oracle.initial_states();
    known.insert(level.begin(), level.end());
    while (true) {
      std::vector<State> next_level;
      for (const State& state : level) {
        const StateView view = oracle.view(state);
        bool within = true;
        for (const auto& property : model.properties()) {
          if (property.kind == Kind::DeadlockFree) continue;
          const bool is_true = property.predicate(view);
          if (property.kind == Kind::Always && !is_true) note(property.name, state);
          if (property.kind == Kind::Sometimes && is_true) note(property.name, state);
          if (property.kind == Kind::Bound) within &= is_true;
        }
        for (const auto& specification : model.specifications()) {
          if (!admitted(specification, state.history)) note(specification.name, state);
        }
        if (!within) {
          found.complete = false;
          continue;
        }
        const std::vector<State> steps = oracle.steps(state);
        found.transitions += steps.size();
        if (steps.empty()) {
          ++found.deadlocks;
          for (const auto& property : model.properties()) {
            if (property.kind == Kind::DeadlockFree && !property.predicate(view)) note(property.name, state);
          }
        }
        for (const State& next : steps) {
          if (known.insert(next).second) next_level.push_back(next);
        }
        if (known.size() > most_states) {
          found.too_large = true;
          return found;
        }
      }
      if (next_level.empty()) break;
      ++found.depth;
      level = next_level;
    }
  } catch (const ModelMistake& mistake) {
    found.mistake = mistake.text;
  }
  found.states = known.size();
  return found;
}

}  // namespace heddle::oracle
