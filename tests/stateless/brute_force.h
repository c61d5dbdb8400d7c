// Walks all executions of a system, one by one, and counts their traces.
#pragma once

#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "core/facets/events.h"
#include "core/facets/visibility.h"
#include "stateless/execution.h"

namespace heddle {

class BruteForce {
 public:
  // `visible`: events that may change what properties see are dependent on each other.
  explicit BruteForce(const TransitionSystem& system, bool visible = true) : system_(system), visible_(visible) {}

  // Returns the number of nodes of the tree of all executions.
  double tree() {
    double total = 0;
    for (const SlotVector& s : system_.initial_states()) total += tree(s);
    return total;
  }
  // Returns how many executions there are up to the order of independent events.
  std::size_t traces() {
    for (const SlotVector& s : system_.initial_states()) execute(s);
    return traces_.size();
  }

 private:
  double tree(const SlotVector& state) {
    if (const auto known = sizes_.find(state); known != sizes_.end()) return known->second;
    StepBuffer steps;
    system_.expand(state, steps);
    double total = 1;
    for (std::size_t i = 0; i < steps.size(); ++i) total += tree(apply_changes(state, steps.changes(i)));
    return sizes_[state] = total;
  }

  void execute(const SlotVector& state) {
    StepBuffer steps;
    system_.expand(state, steps);
    if (steps.size() == 0) traces_.insert(trace());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      Event e;
      e.step = steps.step(i);
      effects_of(system_, state, e.step, e.effects);
      e.visible = visible_ && visibility_of(system_).may_change_truth(state, steps.changes(i));
      execution_.push(e);
      execute(apply_changes(state, steps.changes(i)));
      execution_.events.pop_back();
      execution_.pasts.pop_back();
    }
  }

  // A trace is every event with the events before it. Equal events of one execution are ordered, so a number tells them
  // apart.
  using Name = std::tuple<std::uint32_t, std::uint64_t, std::size_t>;
  std::set<std::pair<Name, std::set<Name>>> trace() const {
    std::vector<Name> names;
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::size_t> met;
    for (const Event& e : execution_.events) {
      const std::pair key{e.effects.process, e.effects.label};
      names.emplace_back(key.first, key.second, met[key]++);
    }
    std::set<std::pair<Name, std::set<Name>>> out;
    for (std::size_t j = 0; j < names.size(); ++j) {
      std::set<Name> before;
      for (std::size_t i = 0; i < j; ++i) {
        if (execution_.pasts[j].contains(i)) before.insert(names[i]);
      }
      out.emplace(names[j], std::move(before));
    }
    return out;
  }

  const TransitionSystem& system_;
  const bool visible_;
  std::map<SlotVector, double> sizes_;
  Execution execution_;
  std::set<std::set<std::pair<Name, std::set<Name>>>> traces_;
};

}  // namespace heddle
