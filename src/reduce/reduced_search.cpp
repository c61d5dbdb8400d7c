#include "reduce/reduced_search.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>

#include "reduce/symmetry.h"

namespace heddle {
namespace {

bool has_property(const TransitionSystem& system, Property::Kind kind) {
  return std::ranges::any_of(system.properties(), [&](const Property& p) { return p.kind == kind; });
}

// Deadlocks need less than properties of states on the way.
Preserved needed(const TransitionSystem& system) {
  const bool on_the_way = has_property(system, Property::Kind::Always) ||
                          has_property(system, Property::Kind::Sometimes) ||
                          has_property(system, Property::Kind::Bound);
  return on_the_way ? Preserved::Safety : Preserved::Deadlocks;
}

}  // namespace

SearchResult reduced_search(const TransitionSystem& system, SearchOptions options, const ReductionPlan& plan,
                            ReductionReport& report) {
  if (options.order == SearchOptions::Order::RandomWalk) return search(system, options);
  if (plan.partial_order) {
    if (system.relations() == nullptr && !plan.stubborn.relations) {
      report.skipped.emplace_back(
          "partial order: nothing is known of how the steps of so many processes depend on each other");
    } else {
      StubbornOptions stubborn = plan.stubborn;
      stubborn.preserve = std::max(stubborn.preserve, needed(system));
      options.selector = stubborn_selector(system, stubborn);
      report.applied.emplace_back("partial order");
    }
  }
  std::optional<Symmetry> symmetry;
  if (plan.symmetry) {
    symmetry.emplace(system);
    if (symmetry->classes().empty()) {
      report.skipped.emplace_back("symmetry: no two processes are alike");
    } else {
      options.canonicalizer = [&] { return symmetry->canonicalizer(); };
      report.applied.emplace_back("symmetry");
      report.symmetry_factor = symmetry_gain(symmetry->classes(), 1, 1).factor;
    }
  }
  const bool numbered = options.threads > 1 && options.store != SearchOptions::Store::None;
  report.counts_vary = numbered && options.selector != nullptr;
  // Sets are chosen by what properties have looked at so far. Let them look at some states first, and run again whenever the
  // search made them look at something new.
  const auto look_around = [&] {
    if (!options.selector) return;
    for (const SlotVector& state : sample_states(system, options.limits)) system.evaluate(state);
  };
  const double limit = options.limits.seconds;
  const auto start = std::chrono::steady_clock::now();
  for (;; ++report.runs) {
    const auto seconds = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    SearchResult result;
    bool mistaken = false;
    std::size_t before = 0;
    try {
      if (report.runs == 1) look_around();
      before = system.observed();
      result = search(system, options);
    } catch (const Mistaken&) {
      mistaken = true;
    }
    const double spent = seconds();
    result.seconds = spent;
    mistaken |= system.mistaken();
    if (mistaken && spent < limit) {
      system.reconsider();
      options.limits.seconds = limit - spent;
      continue;
    }
    if (mistaken) {
      result.complete = false;
      result.stopped_by = "time limit of " + std::to_string(static_cast<long>(limit)) + " s";
      if (result.violations.empty()) result.verdict = Verdict::Unknown;
    }
    report.counts_vary |= numbered && symmetry && !symmetry->exact();
    const bool settled = !options.selector || system.observed() == before;
    const bool decided = options.stop_at_violation && !result.violations.empty();
    if (settled || decided || !result.complete) {
      if (!settled && !decided && result.complete) result.complete = false;
      return result;
    }
    options.limits.seconds = limit - spent;
  }
}

Comparison compare_with_unreduced(const TransitionSystem& system, const SearchOptions& options,
                                  const SearchResult& reduced, bool orbits) {
  Comparison c;
  SearchOptions plain = options;
  plain.selector = nullptr;
  plain.canonicalizer = nullptr;
  c.unreduced = search(system, plain);
  c.complete = c.unreduced.complete || !c.unreduced.violations.empty();
  if (!c.complete || !(reduced.complete || !reduced.violations.empty())) return c;
  if (reduced.verdict != c.unreduced.verdict) {
    c.differences.push_back("the verdict is " + std::string(name(c.unreduced.verdict)) + " without reductions and " +
                            std::string(name(reduced.verdict)) + " with them");
  }
  if (options.stop_at_violation && !reduced.violations.empty()) return c;
  const auto names = [&](const std::vector<Finding>& findings) {
    std::set<std::string> out;
    for (const Finding& f : findings) out.insert(system.properties()[f.property].name);
    return out;
  };
  const auto compare = [&](const std::set<std::string>& full, const std::set<std::string>& less, const char* what) {
    for (const std::string& one : full) {
      if (!less.contains(one)) c.differences.push_back(one + " is " + what + " without reductions only");
    }
    for (const std::string& one : less) {
      if (!full.contains(one)) c.differences.push_back(one + " is " + what + " with reductions only");
    }
  };
  compare(names(c.unreduced.violations), names(reduced.violations), "violated");
  compare(names(c.unreduced.witnesses), names(reduced.witnesses), "reached");
  const std::uint64_t full = c.unreduced.counters.deadlocks, less = reduced.counters.deadlocks;
  const bool same = orbits ? (full > 0) == (less > 0) && less <= full : full == less;
  if (!same) {
    c.differences.push_back(std::to_string(full) + " states without a step without reductions, " +
                            std::to_string(less) + " with them");
  }
  return c;
}

}  // namespace heddle
