// Applies those parts of a plan that the system and its properties allow, and searches again where an assumption fails.
#include "reduce/reduced_search.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <utility>

#include "core/facets/assumptions.h"
#include "core/facets/symmetries.h"
#include "core/facets/visibility.h"
#include "reduce/eager_source_sets.h"
#include "reduce/lazy_source_sets.h"
#include "reduce/safe_sets.h"
#include "reduce/symmetry.h"
#include "reduce/thread_futures.h"
#include "reduce/trial.h"
#include "stateless/dpor_search.h"

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

constexpr std::size_t no_class = ~std::size_t{0};  // SymmetryCheck::Fault

// Returns the properties whose verdict follows from all states, not from a single run.
std::uint64_t relied_upon(const TransitionSystem& system, const SearchResult& result) {
  std::uint64_t which = 0;
  for (std::size_t i = 0; i < system.properties().size(); ++i) which |= std::uint64_t{1} << i;
  for (const auto* findings : {&result.violations, &result.witnesses}) {
    for (const Finding& f : *findings) which &= ~(std::uint64_t{1} << f.property);
  }
  return which;
}

void note_states(Assumptions& assumptions, SearchOptions& options) {
  const auto on_state = options.on_state, on_deadlock = options.on_deadlock;
  options.on_state = [&assumptions, on_state](std::span<const Slot> state) {
    assumptions.note_state(state, false);
    if (on_state) on_state(state);
  };
  options.on_deadlock = [&assumptions, on_deadlock](std::span<const Slot> state) {
    assumptions.note_state(state, true);
    if (on_deadlock) on_deadlock(state);
  };
}

// Gives up the assumptions that turned out not to be justified. If nothing says which class is not symmetric, gives up
// all classes.
void forsake(TransitionSystem& system, const std::optional<NotSymmetric>& noticed, const SymmetryCheck& check,
             const ReductionPlan& plan, ReductionReport& report) {
  Assumptions& assumptions = *system.assumptions();
  if (plan.insist && noticed) throw NotSymmetric(*noticed);
  std::vector<std::size_t> which;
  for (const SymmetryCheck::Fault& fault : check.faults) {
    const bool symmetry = fault.symmetry_class != no_class;
    if (plan.insist && symmetry) {
      throw NotSymmetric("the model is not symmetric, so symmetry reduction would be unsound: " + fault.text +
                         ". Ids have no order: look for positions such as all<Role>()[0] and Model::id, for loops "
                         "over members that break off, for the first message of a quorum, or run without symmetry");
    }
    const std::string what = symmetry ? "symmetry" : assumptions.left_out();
    if (plan.insist) throw ModelError(what + " must not be left out: " + fault.text + "; drop `dead` from --reduce");
    report.forsaken.push_back(what + ": " + fault.text);
    if (symmetry) which.push_back(fault.symmetry_class);
  }
  if (check.faults.empty()) {
    report.forsaken.push_back("symmetry: " + std::string(noticed->what()));
    for (std::size_t c = 0; c < system.symmetries()->symmetry_classes().size(); ++c) which.push_back(c);
  }
  std::sort(which.rbegin(), which.rend());
  for (const std::size_t c : which) assumptions.forsake_class(c);
  assumptions.reconsider();
}

// How a search leaves out steps: a Selector of its options, or a search of its own.
struct LeavingOut {
  enum class How : std::uint8_t { Nothing, Selector, LazySourceSets, EagerSourceSets };
  How how = How::Nothing;
  std::optional<ThreadFutures> futures;

  // What it learns of a thread is not known of another one that takes its name.
  bool names_threads() const { return source_sets() || futures; }
  bool source_sets() const { return how == How::LazySourceSets || how == How::EagerSourceSets; }
};

void choose_steps(const TransitionSystem& system, const ReductionPlan& plan, SearchOptions& options,
                  LeavingOut& leaving_out, ReductionReport& report) {
  using How = LeavingOut::How;
  const bool relations = system.dependence() != nullptr || plan.stubborn.relations != nullptr;
  const bool has_threads = system.threads() != nullptr;
  const auto skip = [&](bool asked, const char* name) {
    if (asked && !has_threads) report.skipped.push_back(std::string(name) + ": the system has no threads");
  };
  skip(plan.safe || plan.spor, "safe sets");
  skip(plan.futures, "thread futures");
  skip(plan.lazy, "lazy source sets");
  skip(plan.eager, "eager source sets");
  const bool depth_first = options.order == SearchOptions::Order::DepthFirst;
  if (plan.order.given() && !has_threads) throw ModelError("--order is about threads, and the system has none");
  if (plan.order.given() && !plan.lazy && !plan.eager) {
    if (!depth_first) {
      throw ModelError("--order is a matter of depth-first searches; use --search dfs, or --reduce lazy or eager");
    }
    options.step_order = step_order(system, plan.order);
  }
  if (plan.order.given() && options.threads > 1) {
    throw ModelError("several threads take steps in any order; drop --order or --threads");
  }
  const auto apply = [&](How how, const char* name) {
    leaving_out.how = how;
    report.applied.emplace_back(name);
  };
  if (has_threads && (plan.lazy || plan.eager)) {
    if (const std::string why = conflicts_with_source_sets(options); !why.empty()) throw ModelError(why);
    if (plan.lazy) return apply(How::LazySourceSets, "lazy source sets");
    return apply(How::EagerSourceSets, "eager source sets");
  }
  if (has_threads && plan.futures) {
    leaving_out.futures.emplace(system);
    options.selector = leaving_out.futures->selector();
    return apply(How::Selector, "thread futures");
  }
  if (has_threads && (plan.safe || plan.spor || (plan.partial_order && !relations))) {
    options.selector = safe_sets(system, plan.spor ? Releases::Visible : Releases::MayBeSafe);
    return apply(How::Selector, "safe sets");
  }
  if (plan.partial_order && relations) {
    StubbornOptions stubborn = plan.stubborn;
    stubborn.preserve = std::max(stubborn.preserve, needed(system));
    options.selector = stubborn_selector(system, stubborn);
    return apply(How::Selector, "partial order");
  }
  if (plan.partial_order) {
    report.skipped.emplace_back("partial order: nothing is known of how the steps depend on each other");
  }
}

SearchResult search_with(const TransitionSystem& system, const SearchOptions& options, const ReductionPlan& plan,
                         LeavingOut::How how) {
  SourceSetOptions source_sets = plan.source_sets;
  if (plan.order.given()) source_sets.order = plan.order;
  using Futures = LazyOptions::Futures;
  const Futures futures = plan.traversal ? Futures::Traversal : Futures::Sets;
  if (how == LeavingOut::How::LazySourceSets) {
    return lazy_source_sets(system, options, {.futures = futures, .how = source_sets});
  }
  if (how == LeavingOut::How::EagerSourceSets) return eager_source_sets(system, options, source_sets);
  return search(system, options);
}

}  // namespace

bool leaves_out_steps(std::string_view applied) {
  constexpr std::string_view of_steps[] = {"partial order", "safe sets", "thread futures", "lazy source sets",
                                           "eager source sets"};
  return std::ranges::find(of_steps, applied) != std::end(of_steps);
}

SearchResult reduced_search(TransitionSystem& system, SearchOptions options, const ReductionPlan& plan,
                            ReductionReport& report) {
  if (options.order == SearchOptions::Order::RandomWalk) {
    return until_not_mistaken(system, [&] { return search(system, options); });
  }
  if (options.order == SearchOptions::Order::Dpor) {
    report.applied.emplace_back("partial order");
    return until_not_mistaken(system, [&] { return dpor_search(system, options); });
  }
  if (wants_trial(system, options, plan)) return tried_search(system, options, plan, report);
  LeavingOut leaving_out;
  choose_steps(system, plan, options, leaving_out, report);
  std::optional<ThreadFutures>& futures = leaving_out.futures;
  const bool leaves_out = options.selector != nullptr || leaving_out.source_sets();
  std::optional<Symmetry> symmetry;
  const auto use_symmetry = [&] {
    if (!plan.symmetry || system.symmetries() == nullptr || leaving_out.names_threads()) return;
    symmetry.emplace(system);
    std::erase(report.applied, "symmetry");
    report.symmetry_factor = symmetry_gain(symmetry->classes(), 1, 1).factor;
    if (symmetry->classes().empty()) {
      symmetry.reset();
      options.canonicalizer = nullptr;
      return;
    }
    options.canonicalizer = [&] { return symmetry->canonicalizer(); };
    report.applied.emplace_back("symmetry");
  };
  use_symmetry();
  if (plan.symmetry && !symmetry) {
    report.skipped.push_back("symmetry: " + (leaving_out.source_sets() ? "source sets do not go together with it"
                                             : leaving_out.futures     ? "thread futures do not go together with it"
                                             : system.symmetries() == nullptr
                                                 ? "nothing is known of processes that are alike"
                                                 : system.symmetries()->why_not_alike()));
  }
  Assumptions* const assumptions = system.assumptions();
  const Visibility& visibility = visibility_of(system);
  const bool numbered = options.threads > 1 && options.store != SearchOptions::Store::None;
  report.counts_vary = numbered && options.selector != nullptr;
  // Sets are chosen by what properties have looked at so far. Therefore properties look at some states first, and the
  // search runs again whenever it made them look at something new.
  const auto look_around = [&] {
    if (!leaves_out) return;
    const std::vector<SlotVector> sample = sample_states(system, options.limits);
    for (const SlotVector& state : sample) system.evaluate(state);
    if (leaving_out.futures) leaving_out.futures->look_at(sample);
    if (is_mistaken(system)) throw Mistaken{};  // better now than in the middle of a search
  };
  const double limit = options.limits.seconds;
  if (!options.limits.asked_seconds) options.limits.asked_seconds = limit;
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  bool noting = false, looked = false;
  for (;; ++report.runs) {
    SearchResult result;
    bool mistaken = false;
    std::size_t before = 0;
    std::optional<NotSymmetric> noticed;
    try {
      if (!std::exchange(looked, true)) look_around();
      before = visibility.observed();
      result = search_with(system, options, plan, leaving_out.how);
    } catch (const Mistaken&) {
      mistaken = true;
    } catch (const NotSymmetric& e) {
      noticed = e;
    }
    options.limits.seconds = std::max(0.0, limit - seconds());
    mistaken |= is_mistaken(system) || (futures && futures->mistaken());
    if (mistaken && seconds() < limit) {
      if (is_mistaken(system) || !futures || !futures->mistaken()) {
        assumptions->reconsider();
        if (futures) futures->forget();
        use_symmetry();  // states may be longer
        looked = false;  // states mean something else now
      } else {
        futures->reconsider();
      }
      continue;
    }
    if (mistaken) {
      result.complete = result.exhausted = false;
      result.stopped_by = time_limit_text(options.limits);
      if (result.violations.empty()) result.verdict = Verdict::Unknown;
    }
    report.counts_vary |= numbered && symmetry && !symmetry->exact();
    if (noticed && assumptions == nullptr) throw NotSymmetric(*noticed);
    // A search that has not finished claims nothing, and its findings were followed without symmetry. A search that
    // exhausted a bound claims that it found everything within it, so its assumptions are checked.
    if (assumptions != nullptr && (symmetry || !left_out_of(system).empty()) && (result.exhausted || noticed)) {
      Budget budget(options.limits);
      const std::uint64_t which = noticed ? ~std::uint64_t{0} : symmetry ? relied_upon(system, result) : 0;
      const SymmetryCheck check = assumptions->check_symmetry(which, [&] { return budget.check(system.bytes()); });
      if (noticed || !check.faults.empty()) {
        forsake(system, noticed, check, plan, report);
        if (futures) futures->forget();
        looked = false;
        use_symmetry();
        continue;
      }
      if (!check.finished) {
        result.complete = result.exhausted = false;
        result.stopped_by = budget.reason();
        if (result.violations.empty()) result.verdict = Verdict::Unknown;
      } else if (check.wants_states) {
        if (!noting) note_states(*assumptions, options);
        noting = true;
        continue;
      }
    }
    result.seconds = seconds();
    const bool settled = !leaves_out || visibility.observed() == before;
    const bool decided = options.stop_at_violation && !result.violations.empty();
    if (settled || decided || !result.exhausted) return result;
  }
}

Comparison compare_with_unreduced(const TransitionSystem& system, const SearchOptions& options,
                                  const SearchResult& reduced, bool orbits) {
  Comparison c;
  SearchOptions plain = options;
  plain.selector = nullptr;
  plain.canonicalizer = nullptr;
  if (plain.order == SearchOptions::Order::Dpor) {
    plain.order = SearchOptions::Order::BreadthFirst;
    plain.store = SearchOptions::Store::Exact;
  }
  c.unreduced = search(system, plain);
  c.complete = is_decided(c.unreduced, options.stop_at_violation);
  if (!c.complete) return c;
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
