// Pairs the pending actions of threads with the steps that expand has listed.
#include "reduce/thread_actions.h"

#include <algorithm>
#include <cassert>

#include "core/failure_properties.h"

namespace heddle {

ThreadActions::ThreadActions(const TransitionSystem& system)
    : threads_(*system.threads()), visibility_(visibility_of(system)) {
  on_the_way_ = std::ranges::any_of(system.properties(), [](const Property& p) {
    return !p.of_final_states() && about_failures(p) == AboutFailures::No;
  });
}

void ThreadActions::look(std::span<const Slot> state, const StepBuffer& steps, std::size_t first) {
  count_ = threads_.thread_count(state);
  if (actions_.size() < count_) actions_.resize(count_);
  std::size_t next = 0;
  for (std::uint32_t t = 0; t < count_; ++t) {
    ThreadAction& a = actions_[t];
    a.pending.steps.clear();
    a.pending.accesses.clear();
    a.pending.enables.clear();
    a.exists = threads_.pending(state, t, a.pending);
    if (!a.exists) a.pending = {};
    a.first = next;
    assert(!a.enabled() || steps.step(first + next) == a.pending.steps[0]);  // Threads, 5
    bool visible = false;
    for (std::size_t i = 0; i < a.pending.steps.size() && on_the_way_ && !a.pending.safe; ++i) {
      visible |= visibility_.may_change_in_passing(state, steps.changes(first + next + i));
    }
    if (visible) a.pending.accesses.push_back({seen_by_properties, Access::Kind::Write});
    next += a.pending.steps.size();
  }
  assert(first + next == steps.size());
}

}  // namespace heddle
