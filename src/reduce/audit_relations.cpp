// Explores the instance in full, executes each pair of enabled transitions in both orders, and compares.
#include "reduce/audit_relations.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/content_table.h"
#include "core/facets/dependence.h"
#include "core/facets/visibility.h"
#include "explore/search.h"

namespace heddle {
namespace {

class Auditor {
 public:
  Auditor(const TransitionSystem& system, const Relations& relations, RelationAudit& audit)
      : system_(system), relations_(relations), audit_(audit) {
    for (std::size_t i = 0; i < system.properties().size(); ++i) {
      if (!system.properties()[i].of_final_states()) watched_ |= std::uint64_t{1} << i;
    }
  }

  // Checks one state and returns its successors.
  std::vector<SlotVector> state(const SlotVector& state) {
    const std::uint64_t truth = system_.evaluate(state, watched_);  // before may_change_truth is asked about this state
    const Expansion here = expand(state);
    std::vector<Expansion> after(here.targets.size());
    for (std::size_t i = 0; i < here.targets.size(); ++i) after[i] = expand(here.targets[i]);
    for (std::size_t i = 0; i < here.targets.size(); ++i) {
      const std::uint32_t t = here.transitions[i];
      after[i].enabled.each([&](std::size_t u) {
        if (!here.enabled.test(u) && !relations_.can_enable(t, u)) {
          fault("can_enable", t, u, state, name(t) + " makes " + name(u) + " enabled");
        }
      });
      if (system_.evaluate(here.targets[i], watched_) != truth) {
        if (relations_.invisible.test(t)) fault("invisible", t, t, state, name(t) + " changes the truth of a property");
        if (!here.may_change[i]) {
          fault("truth", t, t, state,
                name(t) + " changes the truth of a property where may_change_truth says it cannot");
        }
      }
    }
    compare_orders(state, here, after);
    compare_necessary(state, here, after);
    return here.targets;
  }

 private:
  struct Expansion {
    std::vector<std::uint32_t> transitions;
    std::vector<SlotVector> targets;
    std::vector<bool> may_change;
    BitSet enabled, awaited;
  };

  Expansion expand(const SlotVector& state) const {
    Expansion e;
    e.enabled = BitSet(system_.transition_count());
    e.awaited = BitSet(relations_.net.size());
    StepBuffer steps;
    system_.expand(state, steps);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      e.transitions.push_back(steps.step(i).transition);
      e.targets.push_back(apply_changes(state, steps.changes(i)));
      e.may_change.push_back(visibility_of(system_).may_change_truth(state, steps.changes(i)));
      e.enabled.set(steps.step(i).transition);
    }
    if (system_.dependence() != nullptr) system_.dependence()->awaiting(state, e.awaited);
    return e;
  }

  // Returns the states that t followed by u reaches.
  static std::set<SlotVector> reach(const Expansion& here, const std::vector<Expansion>& after, std::size_t t,
                                    std::size_t u) {
    std::set<SlotVector> reached;
    for (std::size_t i = 0; i < here.targets.size(); ++i) {
      if (here.transitions[i] != t) continue;
      for (std::size_t j = 0; j < after[i].targets.size(); ++j) {
        if (after[i].transitions[j] == u) reached.insert(after[i].targets[j]);
      }
    }
    return reached;
  }

  void compare_orders(const SlotVector& state, const Expansion& here, const std::vector<Expansion>& after) {
    here.enabled.each([&](std::size_t t) {
      here.enabled.each([&](std::size_t u) {
        if (t == u || relations_.dependent(t, u)) return;
        ++audit_.pairs;
        for (std::size_t i = 0; i < here.targets.size(); ++i) {
          if (here.transitions[i] == t && !after[i].enabled.test(u)) {
            fault("dependent", t, u, state, name(t) + " disables " + name(u));
            return;
          }
        }
        if (!std::ranges::includes(reach(here, after, u, t), reach(here, after, t, u))) {
          fault("dependent", t, u, state,
                name(t) + " and then " + name(u) + " reaches a state that the other order does not");
        }
      });
    });
  }

  void compare_necessary(const SlotVector& state, const Expansion& here, const std::vector<Expansion>& after) {
    here.awaited.each([&](std::size_t k) {
      const auto [t, u] = relations_.net[k];
      if (here.enabled.test(t)) fault("net", t, u, state, name(t) + " is enabled although it awaits " + name(u));
      for (std::size_t i = 0; i < here.targets.size(); ++i) {
        if (here.transitions[i] == u || after[i].awaited.test(k)) continue;
        fault("net", t, u, state, name(t) + " awaits " + name(u) + " no longer after " + name(here.transitions[i]));
      }
    });
  }

  std::string name(std::size_t t) const { return system_.transition_name(static_cast<std::uint32_t>(t)); }

  void fault(const char* relation, std::size_t t, std::size_t u, const SlotVector& state, std::string text) {
    if (!reported_.emplace(relation, t, u).second) return;
    audit_.faults.push_back({relation, name(t), t == u ? "" : name(u), state, std::move(text)});
  }

  const TransitionSystem& system_;
  const Relations& relations_;
  RelationAudit& audit_;
  std::uint64_t watched_ = 0;
  std::set<std::tuple<std::string, std::size_t, std::size_t>> reported_;
};

}  // namespace

RelationAudit audit_relations(const TransitionSystem& system, const Limits& limits, const Relations* relations) {
  RelationAudit audit;
  Auditor auditor(system, relations != nullptr ? *relations : system.dependence()->relations(), audit);
  Budget budget(limits);
  ContentTable states;
  std::vector<SlotVector> queue;
  const auto visit = [&](const SlotVector& state) {
    if (states.intern_new(std::span<const std::uint32_t>(state)).is_new) queue.push_back(state);
  };
  for (const SlotVector& initial : system.initial_states()) visit(initial);
  while (!queue.empty()) {
    if (!budget.check(states.bytes() + system.bytes())) return audit;
    const SlotVector state = std::move(queue.back());
    queue.pop_back();
    ++audit.states;
    for (const SlotVector& next : auditor.state(state)) visit(next);
  }
  audit.complete = true;
  return audit;
}

}  // namespace heddle
