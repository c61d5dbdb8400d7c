// Every reachable state of an Oracle, breadth first, and what the properties say of them.
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
  bool too_large = false;  // given up: more states than asked for
  std::string mistake;     // of the model
  // By property: how many steps from the start the first state is that violates it or, of a `sometimes`, that reaches it.
  std::map<std::string, std::optional<std::size_t>> first;
};

inline Found explore(const Oracle& oracle, std::size_t most_states) {
  using Kind = detail::PropertyInfo::Kind;
  const Model& model = oracle.model();
  Found found;
  for (const auto& property : model.properties()) found.first[property.name] = std::nullopt;
  for (const auto& specification : model.specifications()) found.first[specification.name] = std::nullopt;
  const auto note = [&](const std::string& name) {
    if (!found.first[name]) found.first[name] = found.depth;
  };

  std::set<State> known{oracle.initial()};
  std::vector<State> level{oracle.initial()};
  try {
    while (true) {
      std::vector<State> next_level;
      for (const State& state : level) {
        const StateView view = oracle.view(state);
        bool within = true;
        for (const auto& property : model.properties()) {
          if (property.kind == Kind::DeadlockFree) continue;
          const bool is_true = property.predicate(view);
          if (property.kind == Kind::Always && !is_true) note(property.name);
          if (property.kind == Kind::Sometimes && is_true) note(property.name);
          if (property.kind == Kind::Bound) within &= is_true;
        }
        for (const auto& specification : model.specifications()) {
          if (!linearizable(specification, state.history)) note(specification.name);
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
            if (property.kind == Kind::DeadlockFree && !property.predicate(view)) note(property.name);
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
