// Executes pairs of steps of one process in both orders, once for each content of its slot, and notes pairs that
// differ.
#include "stateless/commuting.h"

#include <algorithm>
#include <vector>

#include "core/facets/events.h"
#include "explore/search.h"

namespace heddle {
namespace {

struct Possible {
  Effects effects;
  SlotVector after;
};

// Returns what a process can do in a state.
std::vector<Possible> steps_of(const TransitionSystem& system, std::span<const Slot> state, std::uint32_t process) {
  StepBuffer steps;
  system.expand(state, steps);
  std::vector<Possible> out;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    Effects effects;
    effects_of(system, state, steps.step(k), effects);
    if (effects.process == process) out.push_back({std::move(effects), apply_changes(state, steps.changes(k))});
  }
  return out;
}

const Possible* find(const std::vector<Possible>& all, std::uint64_t label) {
  const auto it = std::ranges::find_if(all, [&](const Possible& p) { return p.effects.label == label; });
  return it == all.end() ? nullptr : &*it;
}

// Whether the step depends on nothing but its process, and changes nothing but that process, messages to others and
// the history.
bool is_plain(const Effects& e) {
  return std::ranges::all_of(e.accesses, [&](const Access& a) {
    return a.slot == e.process || (a.kind != Access::Kind::Read && a.kind != Access::Kind::Write);
  });
}

// Two steps may together send the same in both orders although each single step sends something else. Which step
// caused which message would then depend on the order, so single steps are compared.
bool same_effects(const Effects& a, const Effects& b) {
  const auto messages = [](const Effects& e) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> out;
    for (const Effects::Sent& s : e.sent) out.emplace_back(s.process, s.message);
    std::ranges::sort(out);
    return out;
  };
  return messages(a) == messages(b) && std::ranges::equal(a.accesses, b.accesses, [](const Access& x, const Access& y) {
           return x.slot == y.slot && x.kind == y.kind;
         });
}

}  // namespace

Commuting::Commuting(const TransitionSystem& system, const Limits& limits) {
  SearchOptions options;
  options.order = SearchOptions::Order::DepthFirst;
  options.limits = limits;
  options.stop_at_violation = false;
  options.on_state = [&](std::span<const Slot> state) { look(system, state); };
  complete_ = search(system, options).complete;
  seen_.clear();
  for (const Pair& p : together_) dependent_together_ += dependent_.contains(p) ? 1 : 0;
}

void Commuting::look(const TransitionSystem& system, std::span<const Slot> state) {
  StepBuffer steps;
  system.expand(state, steps);
  Effects effects;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    effects_of(system, state, steps.step(k), effects);
    if (effects.process == Effects::nobody) continue;
    const std::uint64_t key = std::uint64_t{effects.process} << 32 | state[effects.process];
    if (seen_.insert(key).second) look_at_process(system, state, effects.process);
  }
}

void Commuting::look_at_process(const TransitionSystem& system, std::span<const Slot> state, std::uint32_t process) {
  const std::vector<Possible> enabled = steps_of(system, state, process);
  for (const Possible& a : enabled) {
    const std::vector<Possible> then = steps_of(system, a.after, process);
    const auto conflict = [&](std::uint64_t other) { dependent_.insert(pair(process, a.effects.label, other)); };
    for (const Possible& b : then) {
      if (find(enabled, b.effects.label) == nullptr) conflict(b.effects.label);
    }
    for (const Possible& b : enabled) {
      const std::uint64_t label = b.effects.label;
      if (label == a.effects.label) continue;
      together_.insert(pair(process, a.effects.label, label));
      const Possible* second = find(then, label);
      if (second == nullptr || !is_plain(a.effects) || !is_plain(b.effects)) {
        conflict(label);
        continue;
      }
      const std::vector<Possible> other = steps_of(system, b.after, process);
      const Possible* first = find(other, a.effects.label);
      if (first == nullptr || first->after != second->after || !same_effects(a.effects, first->effects) ||
          !same_effects(b.effects, second->effects)) {
        conflict(label);
      }
    }
  }
}

}  // namespace heddle
