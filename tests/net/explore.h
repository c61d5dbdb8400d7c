// The simplest possible search, as an oracle: it uses only the TransitionSystem interface and std::map.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/transition_system.h"

namespace heddle::net {

struct Explored {
  std::map<SlotVector, std::uint64_t> states;  // with their evaluate()
  std::size_t steps = 0;
  std::set<SlotVector> deadlocks;
};

inline SlotVector successor(SlotVector state, std::span<const Change> changes) {
  for (const Change& change : changes) state.at(change.slot) = change.value;
  return state;
}

inline Explored explore(const TransitionSystem& system) {
  Explored result;
  std::deque<SlotVector> open;
  const auto store = [&](const SlotVector& state) {
    if (result.states.emplace(state, system.evaluate(state)).second) open.push_back(state);
  };
  for (const SlotVector& state : system.initial_states()) store(state);
  StepBuffer buffer;
  for (; !open.empty(); open.pop_front()) {
    buffer.clear();
    system.expand(open.front(), buffer);
    if (buffer.size() == 0) result.deadlocks.insert(open.front());
    result.steps += buffer.size();
    for (std::size_t i = 0; i < buffer.size(); ++i) store(successor(open.front(), buffer.changes(i)));
  }
  return result;
}

// The first property that is violated, or "holds".
inline std::string verdict(const TransitionSystem& system, const Explored& explored) {
  for (std::size_t i = 0; i < system.properties().size(); ++i) {
    const Property& property = system.properties()[i];
    bool somewhere = false, everywhere = true, at_deadlocks = true;
    for (const auto& [state, bits] : explored.states) {
      const bool here = (bits >> i & 1) != 0;
      somewhere |= here;
      everywhere &= here;
      at_deadlocks &= here || !explored.deadlocks.contains(state);
    }
    const bool good = property.kind == Property::Kind::Always         ? everywhere
                      : property.kind == Property::Kind::Sometimes    ? somewhere
                      : property.kind == Property::Kind::DeadlockFree ? at_deadlocks
                                                                      : true;
    if (!good) return "violated " + property.name;
  }
  return "holds";
}

}  // namespace heddle::net
