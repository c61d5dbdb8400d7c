// Symmetry on random protocols: one representative for each orbit, the same answers as without, concrete traces; and the figures of the
// thesis's examples.
#include "reduce/symmetry.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "actor/actor_system.h"
#include "actor/random_model.h"
#include "explore/search.h"
#include "reduce/audit_symmetry.h"

namespace heddle {
namespace {

// All renamings of a system, by brute force.
std::vector<std::vector<std::uint32_t>> group(const TransitionSystem& system) {
  std::vector<std::uint32_t> identity(system.initial_states()[0].size());
  for (std::uint32_t s = 0; s < identity.size(); ++s) identity[s] = s;
  std::vector<std::vector<std::uint32_t>> all{identity};
  for (const SymmetryClass& c : system.symmetry_classes()) {
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

SlotVector least_image(const TransitionSystem& system, const std::vector<std::vector<std::uint32_t>>& group,
                       std::span<const Slot> state) {
  SlotVector best;
  for (const auto& to : group) {
    SlotVector image = system.permute(state, to);
    if (best.empty() || image < best) best = std::move(image);
  }
  return best;
}

struct Explored {
  SearchResult result;
  std::set<SlotVector> states, deadlocks;
  std::set<std::size_t> violated, reached;
};

Explored explore(const TransitionSystem& system, SearchOptions options) {
  Explored e;
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

std::set<SlotVector> orbits(const TransitionSystem& system, const std::vector<std::vector<std::uint32_t>>& all,
                            const std::set<SlotVector>& states) {
  std::set<SlotVector> out;
  for (const SlotVector& s : states) out.insert(least_image(system, all, s));
  return out;
}

struct Configuration {
  long seed;
  int nodes, hubs;
  Network network;
  Faults faults;
};

Configuration random_configuration() {
  Configuration c{*rc::gen::inRange(0l, 1'000'000l), *rc::gen::inRange(2, 4), *rc::gen::inRange(1, 3), {}, {}};
  c.network.order =
      *rc::gen::element(Network::Order::Multiset, Network::Order::Multiset, Network::Order::Soup, Network::Order::Fifo);
  if (c.network.order == Network::Order::Multiset) {
    c.network.traffic = *rc::gen::element(Network::Traffic::M, Network::Traffic::M, Network::Traffic::GRM);
  }
  if (c.network.order != Network::Order::Soup) {
    c.network.losses = *rc::gen::inRange(0, 4) == 0 ? 1 : 0;
    c.network.duplications = *rc::gen::inRange(0, 6) == 0 ? 1 : 0;
  }
  switch (*rc::gen::inRange(0, 5)) {
    case 0:
      c.faults.crashes = 1;
      c.faults.recovery = *rc::gen::arbitrary<bool>();
      break;
    case 1:
      c.network.partitions = c.nodes + c.hubs <= 4 ? 1 : 0;
      break;
    default:
      break;
  }
  return c;
}

std::unique_ptr<TransitionSystem> make(const Configuration& c) {
  Model model = random_model::make(c.seed, c.nodes, c.hubs);
  model.network = c.network;
  model.faults = c.faults;
  return make_actor_system(std::move(model));
}

void expect_one_representative_each(const TransitionSystem& system, SearchOptions options) {
  const auto all = group(system);
  const Explored full = explore(system, options);
  const auto full_orbits = orbits(system, all, full.states);
  const Symmetry symmetry(system);
  options.canonicalizer = [&] { return symmetry.canonicalizer(); };
  const Explored reduced = explore(system, options);
  ASSERT_TRUE(symmetry.exact());
  EXPECT_EQ(reduced.states.size(), full_orbits.size());
  EXPECT_EQ(reduced.result.counters.states, full_orbits.size());
  EXPECT_EQ(orbits(system, all, reduced.states), full_orbits);
  EXPECT_EQ(orbits(system, all, reduced.deadlocks), orbits(system, all, full.deadlocks));
  EXPECT_EQ(reduced.deadlocks.size(), orbits(system, all, full.deadlocks).size());
  EXPECT_EQ(reduced.violated, full.violated);
  EXPECT_EQ(reduced.reached, full.reached);
  EXPECT_EQ(reduced.result.verdict, full.result.verdict);
  EXPECT_EQ(reduced.result.complete, full.result.complete);
  EXPECT_EQ(reduced.result.counters.depth, full.result.counters.depth);
  for (const bool tree : {true, false}) {
    SearchOptions other = options;
    other.threads = 2;
    other.tree_compression = tree;
    const Explored parallel = explore(system, other);
    EXPECT_EQ(parallel.result.counters.states, reduced.result.counters.states);
    EXPECT_EQ(parallel.result.counters.transitions, reduced.result.counters.transitions);
    EXPECT_EQ(parallel.result.counters.deadlocks, reduced.result.counters.deadlocks);
    EXPECT_EQ(parallel.violated, full.violated);
    EXPECT_EQ(parallel.reached, full.reached);
  }
}

RC_GTEST_PROP(SymmetryOfRandomModels, OneRepresentativeForEachOrbit, ()) {
  const Configuration c = random_configuration();
  const auto system = make(c);
  RC_ASSERT(!system->symmetry_classes().empty());
  SearchOptions options;
  options.limits.depth = c.nodes + c.hubs > 4 ? 5 : 6;
  expect_one_representative_each(*system, options);
  RC_ASSERT(!::testing::Test::HasFailure());
}

RC_GTEST_PROP(SymmetryOfRandomModels, RepresentativesAreFixedAndCommon, ()) {
  const Configuration c = random_configuration();
  const auto system = make(c);
  SearchOptions options;
  options.limits.depth = 5;
  const Explored full = explore(*system, options);
  const auto all = group(*system);
  const Symmetry symmetry(*system);
  const Symmetry local(*system, {.most_tries = 0, .check_every = 0});
  const auto canonicalizer = symmetry.canonicalizer();
  const auto local_canonicalizer = local.canonicalizer();
  std::size_t n = 0;
  for (const SlotVector& s : full.states) {
    if (++n > 300) break;
    SlotVector representative = s;
    canonicalizer->canonical(representative);
    RC_ASSERT(least_image(*system, all, representative) == least_image(*system, all, s));
    for (const auto& to : all) {
      SlotVector image = system->permute(s, to);
      canonicalizer->canonical(image);
      RC_ASSERT(image == representative);
      canonicalizer->canonical(image);
      RC_ASSERT(image == representative);
    }
    // Without trying arrangements there may be several representatives, but they stay what they are.
    SlotVector minimum = s;
    local_canonicalizer->canonical(minimum);
    RC_ASSERT(least_image(*system, all, minimum) == least_image(*system, all, s));
    SlotVector again = minimum;
    local_canonicalizer->canonical(again);
    RC_ASSERT(again == minimum);
  }
}

// What fingerprints promise (transition_system.h).
RC_GTEST_PROP(SymmetryOfRandomModels, FingerprintsDoNotSeeNames, ()) {
  const Configuration c = random_configuration();
  const auto system = make(c);
  SearchOptions options;
  options.limits.depth = 4;
  const Explored full = explore(*system, options);
  std::size_t n = 0;
  for (const SlotVector& s : full.states) {
    if (++n > 200) break;
    for (const auto& to : group(*system)) {
      const std::uint32_t number = system->renaming(to);
      for (std::uint32_t slot = 0; slot < s.size(); ++slot) {
        std::vector<std::uint64_t> marks(s.size(), 0), renamed_marks(s.size(), 0);
        const std::uint64_t plain = system->fingerprint(slot, s[slot], marks);
        const Slot renamed = system->renamed(slot, s[slot], number);
        RC_ASSERT(system->fingerprint(to[slot], renamed, renamed_marks) == plain);
        for (std::uint32_t m = 0; m < s.size(); ++m) RC_ASSERT(renamed_marks[to[m]] == marks[m]);
      }
    }
  }
}

RC_GTEST_PROP(SymmetryOfRandomModels, TheAuditFindsNothing, ()) {
  const Configuration c = random_configuration();
  const auto system = make(c);
  const SymmetryAudit audit = audit_symmetry(*system, {.depth = 4});
  RC_ASSERT(audit.witness == "");
  RC_ASSERT(audit.comparisons > 0u);
}

}  // namespace
}  // namespace heddle
