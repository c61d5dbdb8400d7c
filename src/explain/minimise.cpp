// The order of the techniques, each in a file of its own, until none makes the walk better.
#include "explain/minimise.h"

#include <algorithm>
#include <cassert>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "core/facets/describer.h"
#include "explain/delta_debugging.h"
#include "explain/fewest_switches.h"
#include "explain/shortcuts.h"
#include "explain/walk.h"

namespace heddle::explain {
namespace {

void stop_at_first_showing(const Workshop& shop, Walk& walk) {
  for (std::size_t i = 0; i < walk.steps.size(); ++i) {
    if (!shop.goal.look(walk.states[i]).reached) continue;
    walk.cut(i);
    return;
  }
}

void cut_out_cycles(Walk& walk) {
  boost::unordered_flat_map<SlotVector, std::size_t, SlotHash> last;
  for (std::size_t i = 0; i < walk.states.size(); ++i) last[walk.states[i]] = i;
  Walk straight;
  straight.initial = walk.initial;
  straight.states.push_back(walk.states.front());
  for (std::size_t i = last[walk.states.front()]; i < walk.steps.size(); i = last[walk.states[i + 1]]) {
    straight.add(walk.steps[i], *walk.facts[i], walk.states[i + 1]);
  }
  walk = std::move(straight);
}

// Used if even a large search from the start cannot reach the end: looks for detours all along the walk, from the end
// towards the start, and with ever larger steps once nothing changes.
void straighten(const Workshop& shop, Walk& walk, std::size_t states) {
  bool changed = true;
  while (changed && !shop.effort.exhausted()) {
    changed = delta_debug(shop, walk);
    for (std::size_t from = walk.steps.size(); from-- > 0 && !shop.effort.exhausted();) {
      from = std::min(from, walk.steps.size());
      changed |= take_shortcut(shop, walk, from, {.states = states}).improved;
    }
  }
}

// Returns the lanes that act in the walk, those with the fewest steps first.
std::vector<std::uint32_t> lanes_by_steps(const Walk& walk, std::size_t lane_count) {
  std::vector<std::size_t> steps(lane_count);
  for (const StepFacts* facts : walk.facts) ++steps[facts->lane];
  std::vector<std::uint32_t> lanes;
  for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
    if (steps[lane] > 0) lanes.push_back(lane);
  }
  std::ranges::stable_sort(lanes, {}, [&](std::uint32_t lane) { return steps[lane]; });
  return lanes;
}

// Bans lanes one after the other; a lane that is banned once stays banned. In the end none of the remaining processes
// can be spared. The set need not be the smallest, but it costs one search for each lane instead of one for each set.
void spare_lanes(const Workshop& shop, Walk& walk, std::size_t lane_count, std::size_t states) {
  if (walk.cost().lanes <= 1) return;
  std::vector<bool> banned(lane_count, true);
  for (const StepFacts* facts : walk.facts) banned[facts->lane] = false;
  // First ban the lanes that are idle already: a cheaper walk must not bring others in.
  take_shortcut(shop, walk, 0, {.states = states, .banned_lanes = &banned, .rejoin = false});
  for (const std::uint32_t lane : lanes_by_steps(walk, lane_count)) {
    if (shop.effort.exhausted()) return;
    banned[lane] = true;
    const bool spared =
        drop_lane(shop, walk, lane) ||
        take_shortcut(shop, walk, 0, {.states = states, .banned_lanes = &banned, .rejoin = false}).improved;
    if (!spared) banned[lane] = false;
  }
}

}  // namespace

Path minimise(const TransitionSystem& system, const Finding& finding, const MinimiseOptions& options) {
  const Goal goal(system, finding.property);
  StepCatalogue catalogue(system);
  Effort effort(options.expansions, options.seconds, options.wall_seconds);
  const Workshop shop{system, goal, catalogue, effort};

  std::optional<Walk> found = walk(shop, finding.path);
  if (!found || !goal.look(found->states.back()).reached) {
    throw ModelError(
        "a run that was found cannot be repeated, so some handler is not a function of its fields and parameters; "
        "--audit-handlers names it");
  }
  Walk best = std::move(*found);
  stop_at_first_showing(shop, best);
  cut_out_cycles(best);

  if (system.threads() != nullptr) {
    // Found: no run from this initial state has fewer switches, and none with as many is shorter.
    if (find_fewest_switches(shop, best, options.states)) return best.path();
    do {
      straighten(shop, best, options.detour_states);
    } while (join_blocks(shop, best));
    return best.path();
  }

  // Exhausted: no run from this initial state is shorter.
  if (!take_shortcut(shop, best, 0, {.states = options.states, .rejoin = false}).exhausted) {
    straighten(shop, best, options.detour_states);
  }
  spare_lanes(shop, best, system.describer().lanes().size(), options.states);

  assert(goal.look(best.states.back()).reached);
  assert(follow(system, best.path()).has_value());
  return best.path();
}

}  // namespace heddle::explain
