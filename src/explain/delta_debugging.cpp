// Leaves out halves, quarters and so on of a walk's steps, and replays the rest each time.
#include "explain/delta_debugging.h"

#include <algorithm>
#include <functional>

namespace heddle::explain {
namespace {

// Replays the steps of `walk` that `keep` accepts, and all steps before `first`. Returns nullopt if the finding does
// not show or the effort is spent.
std::optional<Walk> replay_loosely(const Workshop& shop, const Walk& walk, std::size_t first,
                                   const std::function<bool(std::size_t)>& keep) {
  Walk result = walk;
  result.cut(first);
  Goal::Standing standing = shop.goal.look(result.states.back());
  StepBuffer steps;
  for (std::size_t i = first; i < walk.steps.size() && !standing.reached && standing.continued; ++i) {
    if (!keep(i)) continue;
    const SlotVector& state = result.states.back();
    if (!shop.effort.spend()) return std::nullopt;
    steps.clear();
    shop.system.expand(state, steps);
    std::optional<std::size_t> match;
    const StepFacts* matched = nullptr;
    for (std::size_t k = 0; k < steps.size(); ++k) {
      if (steps.step(k).transition != walk.steps[i].transition) continue;
      const StepFacts& facts = shop.catalogue.facts(state, steps.step(k), steps.changes(k));
      if (facts.identity != walk.facts[i]->identity) continue;
      const bool exact = facts.outcome == walk.facts[i]->outcome;
      if (match && !exact) continue;
      match = k;
      matched = &facts;
      if (exact) break;
    }
    if (!match) continue;
    SlotVector target = apply_changes(state, steps.changes(*match));
    shop.normalise(target);
    standing = shop.goal.look(target);
    result.add(steps.step(*match), *matched, std::move(target));
  }
  if (!standing.reached) return std::nullopt;
  return result;
}

}  // namespace

bool delta_debug(const Workshop& shop, Walk& walk) {
  bool improved = false;
  for (std::size_t chunk = std::max<std::size_t>(walk.steps.size() / 2, 1); chunk > 0; chunk /= 2) {
    // Start from the end: late steps seldom affect early ones, and the replays are short.
    bool again = true;
    while (again && !shop.effort.exhausted()) {
      again = false;
      for (std::size_t end = walk.steps.size(); end > 0 && !shop.effort.exhausted();) {
        const std::size_t begin = end > chunk ? end - chunk : 0;
        auto shorter = replay_loosely(shop, walk, begin, [&](std::size_t i) { return i >= end; });
        if (shorter && shorter->steps.size() < walk.steps.size()) {
          walk = std::move(*shorter);
          improved = again = true;
        }
        end = std::min(begin, walk.steps.size());
      }
    }
  }
  return improved;
}

bool drop_lane(const Workshop& shop, Walk& walk, std::uint32_t lane) {
  auto without = replay_loosely(shop, walk, 0, [&](std::size_t i) { return walk.facts[i]->lane != lane; });
  if (!without || !(without->cost() < walk.cost())) return false;
  walk = std::move(*without);
  return true;
}

}  // namespace heddle::explain
