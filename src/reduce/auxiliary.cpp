// A canonicalizer that forgets, and the search for the run that a forgetful run stands for.
#include "reduce/auxiliary.h"

#include <cassert>
#include <set>
#include <utility>
#include <vector>

#include "core/facets/partial_states.h"

namespace heddle {

std::optional<Path> recall_auxiliary(const TransitionSystem& full, const TransitionSystem& forgetful, const Path& path,
                                     const RightEnd& right_end) {
  const PartialStates* const partial = forgetful.partial_states();
  const auto wanted = follow(forgetful, path);
  if (partial == nullptr || !wanted) return std::nullopt;
  // Several steps may match, but only one of them may lead to the right end: backtracking tries the next one.
  struct Tried {
    SlotVector state;
    std::vector<std::pair<Step, SlotVector>> left;  // matching steps that were not tried yet
  };
  const std::size_t length = path.steps.size();
  std::vector<Tried> run;
  std::set<std::pair<std::size_t, SlotVector>> in_vain;
  const auto arrive = [&](SlotVector state) {
    const std::size_t n = run.size();
    Tried& here = run.emplace_back();
    here.state = std::move(state);
    if (n == length || in_vain.contains({n, here.state})) return;
    StepBuffer steps;
    full.expand(here.state, steps);
    for (std::size_t i = steps.size(); i-- > 0;) {
      if (steps.step(i).transition != path.steps[n].transition) continue;
      SlotVector next = apply_changes(here.state, steps.changes(i));
      if (!partial->stands_for((*wanted)[n + 1], full, next)) continue;
      if (!partial->same_step((*wanted)[n], path.steps[n], full, here.state, steps.step(i))) continue;
      here.left.emplace_back(steps.step(i), std::move(next));
    }
  };
  // Several initial states may differ in auxiliary data only.
  const std::vector<SlotVector> initial = full.initial_states();
  Path recalled{0, {}};
  const auto next_initial = [&] {
    while (recalled.initial < initial.size() &&
           !partial->stands_for(wanted->front(), full, initial[recalled.initial])) {
      ++recalled.initial;
    }
    if (recalled.initial == initial.size()) return false;
    arrive(initial[recalled.initial]);
    return true;
  };
  if (!next_initial()) return std::nullopt;
  for (;;) {
    Tried& here = run.back();
    assert(run.size() == recalled.steps.size() + 1 && recalled.steps.size() <= length);
    if (recalled.steps.size() == length && (!right_end || right_end(here.state))) return recalled;
    if (here.left.empty()) {
      in_vain.emplace(recalled.steps.size(), std::move(here.state));
      run.pop_back();
      if (run.empty()) {
        ++recalled.initial;
        if (!next_initial()) return std::nullopt;
      } else {
        recalled.steps.pop_back();
      }
      continue;
    }
    auto [step, next] = std::move(here.left.back());
    here.left.pop_back();
    recalled.steps.push_back(step);
    arrive(std::move(next));
  }
}

std::optional<Path> recall_finding(const TransitionSystem& full, const TransitionSystem& forgetful,
                                   const Finding& finding) {
  const Property& property = full.properties()[finding.property];
  return recall_auxiliary(full, forgetful, finding.path, [&](std::span<const Slot> end) {
    const bool truth = (full.evaluate(end, std::uint64_t{1} << finding.property) >> finding.property & 1) != 0;
    if (property.kind == Property::Kind::Sometimes) return truth;
    if (!property.of_final_states()) return !truth;
    StepBuffer steps;
    full.expand(end, steps);
    return !truth && steps.size() == 0;
  });
}

}  // namespace heddle
