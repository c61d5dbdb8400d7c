// Adds up what the steps of a walk cost, and compares two costs.
#include "explain/walk.h"

#include <time.h>

#include <algorithm>
#include <cassert>
#include <set>
#include <utility>

namespace heddle::explain {
namespace {

constexpr std::size_t expansions_between_clock_readings = 64;
constexpr double wall_clock_factor = 6;

double processor_seconds() {
  timespec now = {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

Cost cost_of(std::span<const StepFacts* const> steps) {
  Cost cost;
  std::set<std::uint32_t> lanes;
  for (const StepFacts* facts : steps) {
    lanes.insert(facts->lane);
    cost.messages += facts->messages;
    cost.faults += facts->faults;
  }
  for (std::size_t i = 1; i < steps.size(); ++i) {
    if (steps[i]->thread && steps[i]->lane != steps[i - 1]->lane) ++cost.switches;
  }
  cost.steps = steps.size();
  cost.lanes = lanes.size();
  return cost;
}

void Walk::add(Step step, const StepFacts& f, SlotVector target) {
  steps.push_back(step);
  facts.push_back(&f);
  states.push_back(std::move(target));
}

void Walk::cut(std::size_t size) {
  steps.resize(size);
  facts.resize(size);
  states.resize(size + 1);
}

void Walk::append(const Walk& other, std::size_t begin) {
  assert(states.back() == other.states[begin]);
  for (std::size_t i = begin; i < other.steps.size(); ++i) add(other.steps[i], *other.facts[i], other.states[i + 1]);
}

Effort::Effort(std::size_t expansions, double seconds, double wall_seconds)
    : left_(expansions),
      processor_seconds_(processor_seconds() + seconds),
      budget_(Limits{.seconds = std::min(wall_seconds, wall_clock_factor * seconds)}) {}

bool Effort::spend() {
  if (exhausted_) return false;
  if (left_ == 0) {
    exhausted_ = true;
    return false;
  }
  --left_;
  if (until_clock_-- == 0) {
    until_clock_ = expansions_between_clock_readings;
    exhausted_ = !budget_.check(0) || processor_seconds() > processor_seconds_;
  }
  return !exhausted_;
}

std::optional<Walk> walk(const Workshop& shop, const Path& path) {
  const auto initial = shop.system.initial_states();
  if (path.initial >= initial.size()) return std::nullopt;
  Walk result;
  result.initial = path.initial;
  result.states.push_back(initial[path.initial]);
  shop.normalise(result.states.back());
  StepBuffer steps;
  for (const Step& wanted : path.steps) {
    const SlotVector& state = result.states.back();
    steps.clear();
    shop.system.expand(state, steps);
    std::size_t i = 0;
    while (i < steps.size() && steps.step(i) != wanted) ++i;
    if (i == steps.size()) return std::nullopt;
    const StepFacts& facts = shop.catalogue.facts(state, wanted, steps.changes(i));
    SlotVector target = apply_changes(state, steps.changes(i));
    shop.normalise(target);
    result.add(wanted, facts, std::move(target));
  }
  return result;
}

}  // namespace heddle::explain
