// Orbits of states under renaming, by brute force, and what a search with symmetry has to agree with.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "core/facets/symmetries.h"
#include "explore/search.h"
#include "reduce/symmetry.h"

namespace heddle::orbits {

// Returns all renamings of a system, by brute force.
inline std::vector<std::vector<std::uint32_t>> group(const TransitionSystem& system) {
  std::vector<std::uint32_t> identity(system.initial_states()[0].size());
  for (std::uint32_t s = 0; s < identity.size(); ++s) identity[s] = s;
  std::vector<std::vector<std::uint32_t>> all{identity};
  for (const SymmetryClass& c : system.symmetries()->symmetry_classes()) {
    std::vector<std::vector<std::uint32_t>> extended;
    for (const auto& before : all) {
      std::vector<std::size_t> p(c.members.size());
      for (std::size_t i = 0; i < p.size(); ++i) p[i] = i;
      do {
        auto to = before;
        for (std::size_t i = 0; i < p.size(); ++i) {
          for (std::size_t k = 0; k < c.members[i].size(); ++k) to[c.members[i][k]] = c.members[p[i]][k];
        }
        extended.push_back(to);
      } while (std::next_permutation(p.begin(), p.end()));
    }
    all = std::move(extended);
  }
  return all;
}

inline SlotVector least_image(const TransitionSystem& system, const std::vector<std::vector<std::uint32_t>>& group,
                              std::span<const Slot> state) {
  SlotVector best;
  for (const auto& to : group) {
    SlotVector image = system.symmetries()->permute(state, to);
    if (best.empty() || image < best) best = std::move(image);
  }
  return best;
}

struct ExploredOrbits {
  SearchResult result;
  std::set<SlotVector> states, deadlocks;
  std::set<std::size_t> violated, reached;
};

inline ExploredOrbits explore_orbits(const TransitionSystem& system, SearchOptions options) {
  ExploredOrbits e;
  options.stop_at_violation = false;
  if (options.threads == 1) {
    options.on_state = [&](std::span<const Slot> s) { e.states.emplace(s.begin(), s.end()); };
    options.on_deadlock = [&](std::span<const Slot> s) { e.deadlocks.emplace(s.begin(), s.end()); };
  }
  e.result = search(system, options);
  const auto check = [&](const Finding& f, bool truth) {
    const auto states = follow(system, f.path);
    ASSERT_TRUE(states.has_value());
    EXPECT_EQ((system.evaluate(states->back()) >> f.property & 1) != 0, truth);
  };
  for (const Finding& f : e.result.violations) {
    e.violated.insert(f.property);
    check(f, false);
  }
  for (const Finding& f : e.result.witnesses) {
    e.reached.insert(f.property);
    check(f, true);
  }
  return e;
}

inline std::set<SlotVector> orbits_of(const TransitionSystem& system,
                                      const std::vector<std::vector<std::uint32_t>>& all,
                                      const std::set<SlotVector>& states) {
  std::set<SlotVector> out;
  for (const SlotVector& s : states) out.insert(least_image(system, all, s));
  return out;
}

inline void expect_one_representative_each(const TransitionSystem& system, SearchOptions options) {
  const auto all = group(system);
  const ExploredOrbits full = explore_orbits(system, options);
  const auto full_orbits = orbits_of(system, all, full.states);
  const Symmetry symmetry(system);
  options.canonicalizer = [&] { return symmetry.canonicalizer(); };
  const ExploredOrbits reduced = explore_orbits(system, options);
  ASSERT_TRUE(symmetry.exact());
  const auto canonicalizer = symmetry.canonicalizer();
  for (SlotVector s : reduced.states) {
    canonicalizer->canonical(s);
    EXPECT_TRUE(reduced.states.contains(s)) << "states are shown as they are stored";
  }
  EXPECT_EQ(reduced.states.size(), full_orbits.size());
  EXPECT_EQ(reduced.result.counters.states, full_orbits.size());
  EXPECT_EQ(orbits_of(system, all, reduced.states), full_orbits);
  EXPECT_EQ(orbits_of(system, all, reduced.deadlocks), orbits_of(system, all, full.deadlocks));
  EXPECT_EQ(reduced.deadlocks.size(), orbits_of(system, all, full.deadlocks).size());
  EXPECT_EQ(reduced.violated, full.violated);
  EXPECT_EQ(reduced.reached, full.reached);
  EXPECT_EQ(reduced.result.verdict, full.result.verdict);
  EXPECT_EQ(reduced.result.complete, full.result.complete);
  EXPECT_EQ(reduced.result.counters.depth, full.result.counters.depth);
  for (const bool tree : {true, false}) {
    SearchOptions other = options;
    other.threads = 2;
    other.tree_compression = tree;
    const ExploredOrbits parallel = explore_orbits(system, other);
    EXPECT_EQ(parallel.result.counters.states, reduced.result.counters.states);
    EXPECT_EQ(parallel.result.counters.transitions, reduced.result.counters.transitions);
    EXPECT_EQ(parallel.result.counters.deadlocks, reduced.result.counters.deadlocks);
    EXPECT_EQ(parallel.violated, full.violated);
    EXPECT_EQ(parallel.reached, full.reached);
  }
}

}  // namespace heddle::orbits
