#include "reduce/selective_hashing.h"

#include <string>

namespace heddle {
namespace {

std::string text_of(const TransitionSystem& system, SlotVector state) {
  system.forget_auxiliary(state);
  std::string out;
  for (const trace::Field& f : system.describe_state(state)) {
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
    const std::string target = text_of(forgetful, (*wanted)[n + 1]);
    steps.clear();
    full.expand(state, steps);
    bool found = false;
    for (std::size_t i = 0; i < steps.size() && !found; ++i) {
      if (steps.step(i).transition != path.steps[n].transition) continue;
      SlotVector next = apply_changes(state, steps.changes(i));
      if (text_of(full, next) != target) continue;
      recalled.steps.push_back(steps.step(i));
      state = std::move(next);
      found = true;
    }
    if (!found) return std::nullopt;
  }
  return recalled;
}

}  // namespace heddle
