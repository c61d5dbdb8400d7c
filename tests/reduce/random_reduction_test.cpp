// On random protocols, networks and faults a reduced search finds the deadlocks and the verdicts of the unreduced one,
// whatever the split, the start of stubborn sets and the number of threads. The relations behind it are correct.
// These are tests of reduce/ alone: splits and starts that the call which checks models never chooses are tried, too.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "actor/random_run.h"
#include "core/facets/assumptions.h"
#include "core/facets/dependence.h"
#include "explore/search.h"
#include "reduce/audit_relations.h"
#include "reduce/auxiliary.h"
#include "reduce/reduced_search.h"
#include "reduce/small_systems.h"
#include "reduce/stubborn_selector.h"
#include "reduce/symmetry.h"
#include "support/check_random.h"

namespace heddle::random_reduction_test {
namespace {

using Start = StubbornOptions::Start;
using random_model::Configuration;

constexpr std::size_t most_states = 4000;  // larger protocols are left out: they cost more than they show

struct Seen {
  std::set<SlotVector> deadlocks;
  std::set<std::string> violated, reached;
  SearchResult result;
};

template <class Run>
Seen look(const TransitionSystem& system, SearchOptions options, Run&& run) {
  Seen seen;
  options.stop_at_violation = false;
  if (options.threads == 1) {
    options.on_deadlock = [&](std::span<const Slot> s) { seen.deadlocks.insert({s.begin(), s.end()}); };
  }
  seen.result = run(system, options);
  for (const Finding& f : seen.result.violations) seen.violated.insert(system.properties()[f.property].name);
  for (const Finding& f : seen.result.witnesses) seen.reached.insert(system.properties()[f.property].name);
  return seen;
}

Seen look(const TransitionSystem& system, const SearchOptions& options) {
  return look(system, options, [](const TransitionSystem& s, const SearchOptions& o) { return search(s, o); });
}

Configuration draw() {
  Configuration c = random_model::random_configuration();
  c.nodes = std::min(c.nodes, 2);
  return c;
}

// Returns the system's relations with other priorities: any order of starts is sound, and the usual one (senders first)
// hides many mistakes.
std::shared_ptr<Relations> with_priorities(const Relations& relations, std::uint64_t seed) {
  auto other = std::make_shared<Relations>(relations);
  for (std::size_t t = 0; t < relations.transitions(); ++t) {
    other->priority[t] = static_cast<int>(random_model::mix(seed + t * 77) % 5);
  }
  return other;
}

// Returns the same relations without pair number `which` of `dependent`.
std::shared_ptr<Relations> without_pair(const Relations& relations, std::uint64_t seed, std::size_t which) {
  auto less = with_priorities(relations, seed);
  for (std::size_t t = 0; t < relations.transitions(); ++t) {
    for (std::size_t u = 0; u < relations.transitions(); ++u) {
      if (!relations.dependent(t, u) || which-- != 0) continue;
      less->dependent.remove(t, u);
      return less;
    }
  }
  return less;
}

void compare(const Configuration& c) {
  const auto plain = random_model::make(c);
  if (!small(*plain, most_states)) return;
  const Seen full = look(*plain, {});
  for (const Split split : {Split::None, Split::Quorum, Split::Reply, Split::Combined}) {
    ActorOptions actor;
    actor.split = split;
    const auto system = random_model::make(c, actor);
    const Seen same = look(*system, {});
    RC_ASSERT(same.result.counters.states == full.result.counters.states);
    RC_ASSERT(same.result.counters.transitions == full.result.counters.transitions);
    for (const Start start : {Start::Best, Start::First, Start::Smallest}) {
      for (const Preserved preserve : {Preserved::Deadlocks, Preserved::Safety, Preserved::LtlX}) {
        StubbornOptions stubborn{.preserve = preserve, .start = start};
        stubborn.lpor.net = start != Start::First;
        if (start == Start::Best)
          stubborn.relations = with_priorities(system->dependence()->relations(), static_cast<std::uint64_t>(c.seed));
        SearchOptions options;
        options.selector = stubborn_selector(*system, stubborn);
        const Seen reduced = look(*system, options);
        RC_ASSERT(reduced.result.counters.states <= full.result.counters.states);
        RC_ASSERT(reduced.deadlocks == same.deadlocks);
        if (preserve == Preserved::Deadlocks) continue;
        RC_ASSERT(reduced.violated == full.violated);
        RC_ASSERT(reduced.reached == full.reached);
        options.threads = 2;
        const Seen parallel = look(*system, options);
        RC_ASSERT(parallel.result.counters.deadlocks == full.result.counters.deadlocks);
        RC_ASSERT(parallel.violated == full.violated);
      }
    }
  }
}

RC_GTEST_PROP(RandomReduction, SlowKeepsDeadlocksAndVerdicts, ()) { compare(draw()); }

// Draws a protocol and a combination of reductions that the program offers: deadlocks (up to renaming, with symmetry)
// and verdicts are those of the unreduced search.
void compare_combination() {
  Configuration c = draw();
  c.nodes = *rc::gen::inRange(1, 4);
  const auto plain = random_model::make(c);
  if (!small(*plain, 600)) return;
  ActorOptions actor;
  actor.split = *rc::gen::element(Split::None, Split::Quorum, Split::Reply, Split::Combined);
  ReductionPlan plan;
  plan.auxiliary = *rc::gen::arbitrary<bool>();
  if (plan.auxiliary) {
    c.history = 1;
    actor.forget_auxiliary = true;
  }
  plan.symmetry = *rc::gen::arbitrary<bool>();
  plan.dead = *rc::gen::arbitrary<bool>();
  using DropDead = ActorOptions::DropDead;
  actor.drop_dead = !plan.dead ? DropDead::No : plan.symmetry ? DropDead::UpToRenaming : DropDead::Yes;
  const auto system = random_model::make(c, actor);
  if (plan.dead) {
    // Dead messages are known when a search has ended without a mistake.
    ReductionReport first;
    SearchOptions options;
    options.stop_at_violation = false;
    RC_ASSERT(reduced_search(*system, options, {}, first).complete);
  }
  const Seen full = look(*system, {});
  RC_ASSERT(!system->assumptions()->mistaken());
  if (plan.auxiliary || plan.dead) {
    ActorOptions keep = actor;
    keep.forget_auxiliary = false;
    keep.drop_dead = DropDead::No;
    const auto keeping = random_model::make(c, keep);
    if (!small(*keeping, 3000)) return;
    const Seen kept = look(*keeping, {});
    RC_ASSERT(kept.violated == full.violated);
    RC_ASSERT(kept.reached == full.reached);
    RC_ASSERT(kept.deadlocks.size() >= full.deadlocks.size());
    RC_ASSERT(kept.deadlocks.empty() == full.deadlocks.empty());
    for (const Finding& f : full.result.violations) RC_ASSERT(recall_finding(*keeping, *system, f).has_value());
  }
  plan.partial_order = *rc::gen::arbitrary<bool>();
  plan.stubborn.start = *rc::gen::element(Start::Best, Start::First, Start::Smallest);
  plan.stubborn.lpor.net = *rc::gen::arbitrary<bool>();
  plan.stubborn.relations = with_priorities(system->dependence()->relations(), static_cast<std::uint64_t>(c.seed));
  SearchOptions options;
  options.threads = *rc::gen::element(1u, 1u, 2u);
  options.order = *rc::gen::element(SearchOptions::Order::BreadthFirst, SearchOptions::Order::DepthFirst);
  options.selective_push = *rc::gen::arbitrary<bool>();
  ReductionReport report;
  const Seen reduced = look(*system, options, [&](const TransitionSystem&, const SearchOptions& o) {
    return reduced_search(*system, o, plan, report);
  });
  RC_ASSERT(reduced.result.complete);
  RC_ASSERT(reduced.violated == full.violated);
  RC_ASSERT(reduced.reached == full.reached);
  for (const Finding& f : reduced.result.violations) RC_ASSERT(follow(*system, f.path).has_value());
  RC_ASSERT(reduced.result.counters.states <= full.result.counters.states);
  if (options.threads > 1) {
    if (report.applied.size() < 2)
      RC_ASSERT((reduced.result.counters.deadlocks > 0) == (full.result.counters.deadlocks > 0));
    return;
  }
  const Symmetry symmetry(*system);
  const auto canonicalizer = symmetry.canonicalizer();
  const auto orbits = [&](const std::set<SlotVector>& states) {
    std::set<SlotVector> out;
    for (SlotVector state : states) {
      if (plan.symmetry && !symmetry.classes().empty()) canonicalizer->canonical(state);
      out.insert(state);
    }
    return out;
  };
  RC_ASSERT(orbits(reduced.deadlocks) == orbits(full.deadlocks));
}

TEST(RandomReduction, SlowTenThousandProtocolsInAnyCombination) { testing::check_random(10'000, compare_combination); }

RC_GTEST_PROP(RandomReduction, RelationsAreWhatTheyClaim, ()) {
  const Configuration c = draw();
  ActorOptions actor;
  actor.split = *rc::gen::element(Split::None, Split::Quorum, Split::Reply, Split::Combined);
  const auto system = random_model::make(c, actor);
  if (!small(*system, most_states)) return;
  const RelationAudit audit = audit_relations(*system);
  RC_ASSERT(audit.complete);
  for (const RelationFault& f : audit.faults) RC_FAIL(f.relation + ": " + f.text);
}

// The comparison above is able to fail: without a pair of `dependent`, some protocol loses a deadlock or a verdict, and
// the audit names the pair.
TEST(RandomReduction, AMissingPairShows) {
  std::size_t lost = 0, audited = 0;
  for (long seed = 0; seed < 100 && (lost == 0 || audited == 0); ++seed) {
    const auto system = make_actor_system(random_model::make(seed, 1, 1, "nothing", 1));
    if (!small(*system, most_states)) continue;
    const Seen full = look(*system, {});
    for (std::size_t pair = 0; pair < system->dependence()->relations().dependent.pairs() && lost == 0; ++pair) {
      SearchOptions options;
      StubbornOptions stubborn{.preserve = Preserved::Deadlocks};
      stubborn.start = Start::Best;
      stubborn.relations = without_pair(system->dependence()->relations(), static_cast<std::uint64_t>(seed), pair);
      options.selector = stubborn_selector(*system, stubborn);
      if (look(*system, options).deadlocks == full.deadlocks) continue;
      ++lost;
      for (const RelationFault& f : audit_relations(*system, {}, stubborn.relations.get()).faults) {
        audited += f.relation == "dependent";
      }
    }
  }
  EXPECT_GT(lost, 0U);
  EXPECT_GT(audited, 0U);
}

}  // namespace
}  // namespace heddle::random_reduction_test
