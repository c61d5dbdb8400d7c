// Follows a path by listing the steps of each state.
#include "core/path.h"

#include <cassert>

namespace heddle {

std::optional<std::vector<SlotVector>> follow(const TransitionSystem& system, const Path& path) {
  const auto initial = system.initial_states();
  if (path.initial >= initial.size()) return std::nullopt;
  std::vector<SlotVector> states{initial[path.initial]};
  for (const Step& step : path.steps) {
    SlotVector next;
    if (!system.execute(states.back(), step, next)) return std::nullopt;
    states.push_back(std::move(next));
  }
  assert(states.size() == path.steps.size() + 1);
  return states;
}

}  // namespace heddle
