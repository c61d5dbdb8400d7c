#include "reduce/selective_hashing.h"

#include <string>

namespace heddle {
namespace {

SlotVector without_auxiliary(const TransitionSystem& system, SlotVector state) {
  system.forget_auxiliary(state);
  return state;
}

// The step and where it leads to. Not everything in a state is described (which way the network is split, say); the rest follows
// from the steps.
std::string text_of(const TransitionSystem& system, const SlotVector& from, Step step, const SlotVector& to) {
  const trace::Step described = system.describe_step(from, step, to);
  std::string out = std::to_string(step.transition) + " " + described.kind + " " + described.choice + "\n";
  for (const trace::Field& f : system.describe_state(without_auxiliary(system, to))) {
    out += std::to_string(f.lane) + "." + f.name + "=" + f.value + "\n";
  }
  return out;
}

}  // namespace

std::optional<Path> recall_auxiliary(const TransitionSystem& full, const TransitionSystem& forgetful,
                                     const Path& path) {
  const auto wanted = follow(forgetful, path);
  if (!wanted) return std::nullopt;
  Path recalled{path.initial, {}};
  SlotVector state = full.initial_states().at(path.initial);
  StepBuffer steps;
  for (std::size_t n = 0; n < path.steps.size(); ++n) {
    const std::string target = text_of(forgetful, (*wanted)[n], path.steps[n], (*wanted)[n + 1]);
    steps.clear();
    full.expand(state, steps);
    bool found = false;
    for (std::size_t i = 0; i < steps.size() && !found; ++i) {
      if (steps.step(i).transition != path.steps[n].transition) continue;
      SlotVector next = apply_changes(state, steps.changes(i));
      if (text_of(full, state, steps.step(i), next) != target) continue;
      recalled.steps.push_back(steps.step(i));
      state = std::move(next);
      found = true;
    }
    if (!found) return std::nullopt;
  }
  return recalled;
}

}  // namespace heddle
