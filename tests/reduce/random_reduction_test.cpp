// On random protocols, networks and faults a reduced search finds the deadlocks and the verdicts of the unreduced one, whatever
// the split, the start of stubborn sets, the number of threads; and the relations behind it are what they claim to be.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "actor/random_run.h"
#include "explore/search.h"
#include "reduce/relation_audit.h"
#include "reduce/stubborn_selector.h"

namespace heddle {
namespace {

using Start = StubbornOptions::Start;
using random_model::Configuration;

constexpr std::size_t most_states = 4000;  // larger protocols are left out: they cost more than they show

struct Seen {
  std::set<SlotVector> deadlocks;
  std::set<std::string> violated, reached;
  SearchResult result;
};

Seen look(const TransitionSystem& system, SearchOptions options) {
  Seen seen;
  options.stop_at_violation = false;
  if (options.threads == 1) {
    options.on_deadlock = [&](std::span<const Slot> s) { seen.deadlocks.insert({s.begin(), s.end()}); };
  }
  seen.result = search(system, options);
  for (const Finding& f : seen.result.violations) seen.violated.insert(system.properties()[f.property].name);
  for (const Finding& f : seen.result.witnesses) seen.reached.insert(system.properties()[f.property].name);
  return seen;
}

bool small(const TransitionSystem& system) {
  struct Enough {};
  std::size_t states = 0;
  SearchOptions options;
  options.stop_at_violation = false;
  options.on_state = [&](std::span<const Slot>) {
    if (++states > most_states) throw Enough{};
  };
  try {
    search(system, options);
  } catch (const Enough&) {
    return false;
  }
  return true;
}

Configuration draw() {
  Configuration c = random_model::random_configuration();
  c.nodes = std::min(c.nodes, 2);
  return c;
}

// The system's relations with other priorities: any order of starts is sound, and the usual one (senders first) hides much.
std::shared_ptr<Relations> with_priorities(const Relations& relations, std::uint64_t seed) {
  auto other = std::make_shared<Relations>(relations);
  for (std::size_t t = 0; t < relations.transitions(); ++t) {
    other->priority[t] = static_cast<int>(random_model::mix(seed + t * 77) % 5);
  }
  return other;
}

// The same with pair number `which` of `dependent` left out.
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
  if (!small(*plain)) return;
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
          stubborn.relations = with_priorities(*system->relations(), static_cast<std::uint64_t>(c.seed));
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

RC_GTEST_PROP(RandomReduction, KeepsDeadlocksAndVerdicts, ()) { compare(draw()); }

RC_GTEST_PROP(RandomReduction, RelationsAreWhatTheyClaim, ()) {
  const Configuration c = draw();
  ActorOptions actor;
  actor.split = *rc::gen::element(Split::None, Split::Quorum, Split::Reply, Split::Combined);
  const auto system = random_model::make(c, actor);
  if (!small(*system)) return;
  const RelationAudit audit = audit_relations(*system);
  RC_ASSERT(audit.complete);
  for (const RelationFault& f : audit.faults) RC_FAIL(f.relation + ": " + f.text);
}

// The comparison above is able to fail: with a pair of `dependent` missing, some protocol loses a deadlock or a verdict, and the
// audit names the pair.
TEST(RandomReduction, AMissingPairShows) {
  std::size_t lost = 0, audited = 0;
  for (long seed = 0; seed < 100 && (lost == 0 || audited == 0); ++seed) {
    const auto system = make_actor_system(random_model::make(seed, 1, 1, "nothing", 1));
    if (!small(*system)) continue;
    const Seen full = look(*system, {});
    for (std::size_t pair = 0; pair < system->relations()->dependent.pairs() && lost == 0; ++pair) {
      SearchOptions options;
      StubbornOptions stubborn{.preserve = Preserved::Deadlocks};
      stubborn.start = Start::Best;
      stubborn.relations = without_pair(*system->relations(), static_cast<std::uint64_t>(seed), pair);
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
}  // namespace heddle
