// On random protocols, networks and faults every way to search gives the same answer: breadth and depth first,
// one thread and several, handlers memoised or not, states compressed or not. States are compared as texts,
// because numbers differ.
#include "actor/random_run.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "actor/actor_system.h"
#include "core/facets/describer.h"
#include "core/facets/symmetries.h"
#include "explore/search.h"

namespace heddle::random_model_test {
namespace {

using random_model::Configuration;
using random_model::make;
using random_model::random_configuration;

std::string text(const TransitionSystem& system, std::span<const Slot> state) {
  std::string out;
  for (const trace::Field& f : system.describer().describe_state(state)) {
    out += std::to_string(f.lane) + "." + f.name + "=" + f.value + ";";
  }
  return out;
}

struct Answer {
  Verdict verdict;
  bool complete;
  std::uint64_t states, transitions, deadlocks;
  std::set<std::string> state_texts, deadlock_texts;
  std::set<std::size_t> violated, reached;
  bool operator==(const Answer&) const = default;
};

constexpr std::uint32_t depth_limit = 7;  // keeps soups and recoveries small

Answer ask(const TransitionSystem& system, SearchOptions options, bool texts) {
  options.stop_at_violation = false;
  Answer a{};
  if (texts) {
    options.on_state = [&](std::span<const Slot> s) { a.state_texts.insert(text(system, s)); };
    options.on_deadlock = [&](std::span<const Slot> s) { a.deadlock_texts.insert(text(system, s)); };
  }
  const SearchResult r = search(system, options);
  a.verdict = r.verdict;
  a.complete = r.complete;
  a.states = r.counters.states;
  a.transitions = r.counters.transitions;
  a.deadlocks = r.counters.deadlocks;
  for (const Finding& f : r.violations) {
    a.violated.insert(f.property);
    // A finding is a concrete run that ends where the property is false.
    const auto states = follow(system, f.path);
    EXPECT_TRUE(states.has_value());
    if (states) {
      EXPECT_EQ(system.evaluate(states->back()) >> f.property & 1, 0u);
    }
  }
  for (const Finding& f : r.witnesses) {
    a.reached.insert(f.property);
    const auto states = follow(system, f.path);
    EXPECT_TRUE(states.has_value());
    if (states) {
      EXPECT_EQ(system.evaluate(states->back()) >> f.property & 1, 1u);
    }
  }
  return a;
}

RC_GTEST_PROP(RandomModels, SlowEverySearchAgrees, ()) {
  const Configuration c = random_configuration();
  const auto system = make(c);
  SearchOptions bounded;
  bounded.limits.depth = depth_limit;
  const Answer reference = ask(*system, bounded, true);

  {
    SearchOptions o = bounded;
    o.threads = 2;
    Answer a = ask(*system, o, false);
    a.state_texts = reference.state_texts;
    a.deadlock_texts = reference.deadlock_texts;
    RC_ASSERT(a == reference);
  }
  {
    SearchOptions o = bounded;
    o.tree_compression = false;
    RC_ASSERT(ask(*system, o, true) == reference);
  }
  {
    const auto plain = make(c, {.memoise = false});
    RC_ASSERT(ask(*plain, bounded, true) == reference);
  }
  // Depth first with a depth limit sees other states first, so compare only where the whole space is explored.
  if (reference.complete) {
    SearchOptions dfs;
    dfs.order = SearchOptions::Order::DepthFirst;
    RC_ASSERT(ask(*system, dfs, true) == reference);
    dfs.threads = 2;
    Answer a = ask(*system, dfs, false);
    a.state_texts = reference.state_texts;
    a.deadlock_texts = reference.deadlock_texts;
    RC_ASSERT(a == reference);
    dfs.threads = 1;
    dfs.tree_compression = false;
    RC_ASSERT(ask(*system, dfs, true) == reference);
  }
}

// What reductions rely on: steps change only what their footprint allows, and two steps whose footprints do not
// conflict commute and do not disable each other.
RC_GTEST_PROP(RandomModels, FootprintsTellTheTruth, ()) {
  const Configuration c = random_configuration();
  const auto system = make(c);
  SearchOptions options;
  options.limits.depth = 6;
  std::vector<SlotVector> states;
  options.on_state = [&](std::span<const Slot> s) {
    if (states.size() < 300) states.emplace_back(s.begin(), s.end());
  };
  search(*system, options);
  StepBuffer steps, later;
  for (const SlotVector& state : states) {
    steps.clear();
    system->expand(state, steps);
    std::vector<std::vector<Access>> footprints(steps.size());
    // `execute` leads a step to the same state as `expand`; a step that is not enabled leads nowhere.
    SlotVector alone;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      RC_ASSERT(system->execute(state, steps.step(i), alone));
      RC_ASSERT(alone == apply_changes(state, steps.changes(i)));
    }
    for (std::uint32_t t = 0; t < system->transition_count(); ++t) {
      const Step step{t, 0};
      bool enabled = false;
      for (std::size_t i = 0; i < steps.size(); ++i) enabled |= steps.step(i) == step;
      RC_ASSERT(system->execute(state, step, alone) == enabled);
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
      system->footprint(state, steps.step(i), footprints[i]);
      std::set<std::uint32_t> seen;
      for (const Change& change : steps.changes(i)) {
        RC_ASSERT(seen.insert(change.slot).second);
        bool allowed = change.value == state[change.slot];
        for (const Access& a : footprints[i]) allowed |= a.slot == change.slot && a.kind != Access::Kind::Read;
        RC_ASSERT(allowed);
      }
    }
    const auto conflict = [&](std::size_t i, std::size_t j) {
      for (const Access& a : footprints[i]) {
        for (const Access& b : footprints[j]) {
          const bool same_kind_commutes = a.kind == b.kind && a.kind != Access::Kind::Write;
          if (a.slot == b.slot && !same_kind_commutes) return true;
        }
      }
      return false;
    };
    // Finds the step of the same transition that does the same from another state, by its description.
    const auto after = [&](std::size_t i, std::size_t j) -> std::set<std::string> {
      const SlotVector middle = apply_changes(state, steps.changes(i));
      later.clear();
      system->expand(middle, later);
      std::set<std::string> ends;
      for (std::size_t k = 0; k < later.size(); ++k) {
        if (later.step(k).transition == steps.step(j).transition) {
          ends.insert(text(*system, apply_changes(middle, later.changes(k))));
        }
      }
      return ends;
    };
    for (std::size_t i = 0; i < steps.size(); ++i) {
      for (std::size_t j = i + 1; j < steps.size(); ++j) {
        if (conflict(i, j)) continue;
        // Both orders can reach a common state.
        const auto ij = after(i, j);
        const auto ji = after(j, i);
        bool common = false;
        for (const std::string& s : ij) common |= ji.contains(s);
        RC_ASSERT(common);
      }
    }
  }
}

// Renaming the members of a symmetric role maps reachable states to reachable states.
RC_GTEST_PROP(RandomModels, PermutationsAreAutomorphisms, ()) {
  Configuration c = random_configuration();
  c.nodes = 3;
  const auto system = make(c);
  const auto classes = system->symmetries()->symmetry_classes();
  RC_ASSERT(classes.size() >= 1u);
  SearchOptions options;
  options.limits.depth = 5;
  std::set<std::string> texts;
  std::vector<SlotVector> states;
  options.on_state = [&](std::span<const Slot> s) {
    states.emplace_back(s.begin(), s.end());
    texts.insert(text(*system, s));
  };
  search(*system, options);
  std::vector<std::uint32_t> to(system->initial_states()[0].size());
  for (std::uint32_t q = 0; q < to.size(); ++q) to[q] = q;
  for (const SymmetryClass& k : classes) {
    for (std::size_t i = 0; i < k.members.size(); ++i) {
      const auto& next = k.members[(i + 1) % k.members.size()];
      for (std::size_t s = 0; s < next.size(); ++s) to[k.members[i][s]] = next[s];
    }
  }
  for (std::size_t i = 0; i < states.size() && i < 400; ++i) {
    RC_ASSERT(texts.contains(text(*system, system->symmetries()->permute(states[i], to))));
  }
}

}  // namespace
}  // namespace heddle::random_model_test
