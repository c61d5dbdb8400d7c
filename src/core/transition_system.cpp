// What the interface does for doors that do not override it, and questions that many callers ask of facets.
#include "core/transition_system.h"

#include <algorithm>
#include <cassert>

#include "core/coverage.h"
#include "core/facets/assumptions.h"
#include "core/facets/events.h"
#include "core/facets/histories.h"
#include "core/facets/visibility.h"

namespace heddle {

SlotVector apply_changes(std::span<const Slot> state, std::span<const Change> changes) {
  SlotVector next(state.begin(), state.end());
  for (const Change& c : changes) {
    if (c.slot >= next.size()) next.resize(c.slot + 1, 0);
    next[c.slot] = c.value;
  }
  return next;
}

bool TransitionSystem::execute(std::span<const Slot> state, Step step, SlotVector& to) const {
  StepBuffer steps;
  expand(state, steps);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    assert(steps.step(i).transition < transition_count());
    if (steps.step(i) != step) continue;
    to = apply_changes(state, steps.changes(i));
    assert(varying_length() || to.size() == state.size());  // contract 5
    return true;
  }
  return false;
}

const Visibility& visibility_of(const TransitionSystem& system) {
  class Everything final : public Visibility {
    bool may_change_truth(std::span<const Slot>, std::span<const Change>) const override { return true; }
  };
  static const Everything everything;
  const Visibility* const facet = system.visibility();
  return facet != nullptr ? *facet : everything;
}

bool Events::steps_of(std::span<const Slot>, std::uint32_t, StepBuffer&) const { return false; }

void effects_of(const TransitionSystem& system, std::span<const Slot> state, Step step, Effects& out) {
  if (const Events* const facet = system.events()) return facet->effects(state, step, out);
  out.process = Effects::nobody;
  out.label = std::uint64_t{step.transition} << 32 | step.detail;
  out.consumed.clear();
  out.sent.clear();
  out.accesses.clear();
  system.footprint(state, step, out.accesses);
  out.disables_others =
      std::ranges::any_of(out.accesses, [](const Access& a) { return a.kind == Access::Kind::Write; });
}

bool is_mistaken(const TransitionSystem& system) {
  const Assumptions* const facet = system.assumptions();
  return facet != nullptr && facet->mistaken();
}

void reconsider(TransitionSystem& system) {
  if (system.assumptions() == nullptr) throw Mistaken();
  system.assumptions()->reconsider();
}

std::string left_out_of(const TransitionSystem& system) {
  const Assumptions* const facet = system.assumptions();
  return facet != nullptr ? facet->left_out() : std::string();
}

std::uint64_t history_properties_of(const TransitionSystem& system) {
  const Histories* const facet = system.histories();
  return facet != nullptr ? facet->history_properties() : 0;
}

Coverage coverage_by_transition(const TransitionSystem& system, std::span<const std::uint64_t> executed) {
  Coverage all;
  assert(executed.size() >= system.transition_count());
  for (std::uint32_t t = 0; t < system.transition_count(); ++t) {
    all.transitions.push_back({system.transition_name(t), executed[t]});
  }
  return all;
}

}  // namespace heddle
