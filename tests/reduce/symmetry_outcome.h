// What a search says of a model that may not be symmetric, by default and without any reduction.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "actor/actor_system.h"
#include "support/checked.h"

namespace heddle::symmetry_outcome {

struct Outcome {
  Verdict verdict{};
  bool complete = false;
  std::set<std::string> violated, reached;
  bool deadlocks = false;
  std::vector<std::string> forsaken, applied;
  std::uint64_t states = 0;
  // Searches that a bound cuts off see different parts. It is enough that neither claims to be complete.
  friend bool operator==(const Outcome& a, const Outcome& b) {
    if (!a.complete && !b.complete) return true;
    return a.verdict == b.verdict && a.complete == b.complete && a.violated == b.violated && a.reached == b.reached &&
           a.deadlocks == b.deadlocks;
  }
};

inline std::ostream& operator<<(std::ostream& out, const Outcome& o) {
  out << name(o.verdict) << (o.complete ? " complete" : "") << (o.deadlocks ? " deadlocks" : "") << " violated:";
  for (const auto& p : o.violated) out << " " << p;
  out << " reached:";
  for (const auto& p : o.reached) out << " " << p;
  for (const auto& s : o.forsaken) out << " [" << s << "]";
  return out;
}

inline Outcome outcome(const TransitionSystem& system, const SearchResult& r) {
  Outcome o{r.verdict, r.complete, {}, {}, r.counters.deadlocks > 0, {}, {}, r.counters.states};
  const auto check = [&](const Finding& f, bool truth) {
    const auto states = follow(system, f.path);
    ASSERT_TRUE(states.has_value());
    EXPECT_EQ((system.evaluate(states->back()) >> f.property & 1) != 0, truth);
  };
  for (const Finding& f : r.violations) {
    o.violated.insert(system.properties()[f.property].name);
    check(f, false);
  }
  for (const Finding& f : r.witnesses) {
    o.reached.insert(system.properties()[f.property].name);
    check(f, true);
  }
  return o;
}

using Order = SearchOptions::Order;
using Make = std::function<Model()>;

inline Outcome unreduced(const Make& make, bool all) {
  const auto system = make_actor_system(make());
  SearchOptions options;
  options.stop_at_violation = !all;
  return outcome(*system, search(*system, options));
}

// Everything `heddle check` does by default.
inline Outcome by_default(const Make& make, bool all, Order order, unsigned threads = 1, bool dead = true,
                          bool por = true) {
  SearchOptions options;
  options.stop_at_violation = !all;
  options.order = order;
  options.threads = threads;
  const run::CheckResult r =
      checked(make(), with_plan({.partial_order = por, .symmetry = true, .dead = dead}, options));
  Outcome o = outcome(*r.system, r.search);
  o.forsaken = r.not_reduced;
  o.applied = r.reductions;
  return o;
}

inline void expect_same(const Make& make) {
  const Outcome full = unreduced(make, true);
  for (const Order order : {Order::BreadthFirst, Order::DepthFirst}) {
    const Outcome reduced = by_default(make, true, order);
    EXPECT_EQ(reduced, full) << (order == Order::BreadthFirst ? "breadth" : "depth") << " first";
    EXPECT_EQ(by_default(make, false, order).verdict, full.verdict);
  }
  EXPECT_EQ(by_default(make, true, Order::BreadthFirst, 2), full) << "two threads";
  EXPECT_EQ(by_default(make, true, Order::BreadthFirst, 1, false, false), full) << "symmetry alone";
}

}  // namespace heddle::symmetry_outcome
