#include "reduce/selective_hashing.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

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
    if (f.name == "inbox") continue;  // dead messages may lie there, or not
    out += std::to_string(f.lane) + "." + f.name + "=" + f.value + "\n";
  }
  return out;
}

}  // namespace

std::optional<Path> recall_auxiliary(const TransitionSystem& full, const TransitionSystem& forgetful,
                                     const Path& path) {
  const auto wanted = follow(forgetful, path);
  if (!wanted) return std::nullopt;
  // Two steps may look alike and only one of them lead on: where it does not, take the other.
  struct Tried {
    SlotVector state;
    std::vector<std::pair<Step, SlotVector>> left;  // steps that look right
  };
  std::vector<Tried> run;
  std::set<std::pair<std::size_t, SlotVector>> in_vain;
  const auto arrive = [&](SlotVector state) {
    const std::size_t n = run.size();
    Tried& here = run.emplace_back();
    here.state = std::move(state);
    if (n == path.steps.size() || in_vain.contains({n, here.state})) return;
    const std::string target = text_of(forgetful, (*wanted)[n], path.steps[n], (*wanted)[n + 1]);
    StepBuffer steps;
    full.expand(here.state, steps);
    for (std::size_t i = steps.size(); i-- > 0;) {
      if (steps.step(i).transition != path.steps[n].transition) continue;
      SlotVector next = apply_changes(here.state, steps.changes(i));
      if (text_of(full, here.state, steps.step(i), next) != target) continue;
      here.left.emplace_back(steps.step(i), std::move(next));
    }
  };
  Path recalled{path.initial, {}};
  arrive(full.initial_states().at(path.initial));
  while (recalled.steps.size() < path.steps.size()) {
    Tried& here = run.back();
    if (here.left.empty()) {
      in_vain.emplace(recalled.steps.size(), std::move(here.state));
      run.pop_back();
      if (run.empty()) return std::nullopt;
      recalled.steps.pop_back();
      continue;
    }
    auto [step, next] = std::move(here.left.back());
    here.left.pop_back();
    recalled.steps.push_back(step);
    arrive(std::move(next));
  }
  return recalled;
}

}  // namespace heddle
