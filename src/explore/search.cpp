// Chooses the search that the options name, and draws the verdict from what it found.
#include "explore/search.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <stdexcept>

#include "explore/searches.h"

namespace heddle {

SearchResult search(const TransitionSystem& system, const SearchOptions& options) {
  if (options.store == SearchOptions::Store::None && options.order == SearchOptions::Order::BreadthFirst) {
    throw ModelError("a stateless search has no queue to work off; use --search dfs");
  }
  if (options.store != SearchOptions::Store::Exact && options.order == SearchOptions::Order::BreadthFirst) {
    throw ModelError(
        "hash compaction and bitstate forget states, and a breadth-first search has to come back to them; use --search "
        "dfs");
  }
  if (options.step_order && options.order != SearchOptions::Order::DepthFirst) {
    throw ModelError("the order of steps is a matter of depth-first searches; use --search dfs");
  }
  switch (options.order) {
    case SearchOptions::Order::BreadthFirst:
      return breadth_first(system, options);
    case SearchOptions::Order::DepthFirst:
      return depth_first(system, options);
    case SearchOptions::Order::RandomWalk:
      return random_walks(system, options);
    case SearchOptions::Order::Dpor:
      break;
  }
  throw std::logic_error("search(): DPOR is run by reduced_search()");
}

void too_few_threads(std::size_t started, std::size_t wanted) {
  throw ModelError("only " + std::to_string(started) + " of " + std::to_string(wanted) +
                   " threads could be started; ask for fewer with --threads, or raise the limit (ulimit -u)");
}

std::size_t store_length(const TransitionSystem& system, const std::vector<SlotVector>& initial) {
  if (initial.empty()) throw ModelError("the model has no initial state");
  return system.varying_length() ? 0 : initial[0].size();
}

void conclude(const TransitionSystem& system, const Budget& budget, SearchResult& result) {
  result.seconds = budget.seconds();
  if (result.stopped_by.empty()) result.stopped_by = budget.reason();
  result.exhausted = result.stopped_by.empty();
  if (result.stopped_by.empty() && result.counters.cut_off > 0) result.stopped_by = "depth limit or bound reached";
  result.complete = result.stopped_by.empty();
  const auto properties = system.properties();
  // What a finding may be about: a violation shows a property false in a state, a witness shows one true.
  assert(std::ranges::all_of(result.violations, [&](const Finding& f) {
    return f.property < properties.size() && properties[f.property].kind != Property::Kind::Sometimes &&
           properties[f.property].kind != Property::Kind::Bound;
  }));
  assert(std::ranges::all_of(result.witnesses, [&](const Finding& f) {
    return f.property < properties.size() && properties[f.property].kind == Property::Kind::Sometimes;
  }));
  assert(!result.complete || (result.counters.queue == 0 && result.counters.cut_off == 0));
  assert(!result.complete || result.executed.empty() ||
         std::accumulate(result.executed.begin(), result.executed.end(), std::uint64_t{0}) ==
             result.counters.transitions);
  for (std::size_t i = 0; i < properties.size(); ++i) {
    if (properties[i].kind != Property::Kind::Sometimes) continue;
    const bool reached = std::any_of(result.witnesses.begin(), result.witnesses.end(),
                                     [&](const Finding& f) { return f.property == i; });
    if (!reached) result.unreached.push_back(i);
  }
  if (!result.violations.empty()) {
    result.verdict = Verdict::Violated;
  } else if (!result.complete) {
    result.verdict = Verdict::Unknown;
  } else {
    result.verdict = result.unreached.empty() ? Verdict::Holds : Verdict::Violated;
  }
}

}  // namespace heddle
