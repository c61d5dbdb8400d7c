// Searches with reductions that are chosen and combined so that the properties' verdicts are preserved.
//
//   ReductionReport report;
//   SearchResult r = reduced_search(system, options, plan, report);
//
// docs/reductions.md has the table of combinations and what each preserves. With SearchOptions::Order::Dpor the search
// is stateless, which is itself a reduction: nothing of the plan is applied.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "explore/search.h"
#include "reduce/source_set_search.h"
#include "reduce/stubborn_selector.h"

namespace heddle {

struct ReductionPlan {
  // Stubborn sets. Of a system that has Threads and no Dependence: safe sets, thread futures or lazy source sets, as a
  // short trial says (trial.h).
  bool partial_order = false;
  bool safe = false;       // safe sets, for systems with Threads
  bool spor = false;       // safe sets by the rule of Cirisci 2022: the release of a lock is never safe
  bool futures = false;    // thread futures, for systems with Threads; includes safe sets
  bool lazy = false;       // lazy source sets, for systems with Threads; include safe sets
  bool eager = false;      // eager source sets, likewise
  bool traversal = false;  // lazy ones walk the stored steps each time, as in the thesis; for comparison
  bool symmetry = false;
  bool dead = false;       // the system searched is to drop dead messages (ActorOptions::drop_dead)
  bool auxiliary = false;  // the system searched is to be built without auxiliary data (ActorOptions::forget_auxiliary)
  // On: a reduction that turns out not to apply to the model is an error. Off: the search is made again without it, and
  // the report says so.
  bool insist = false;
  StubbornOptions stubborn = {};
  ThreadOrder order = {};  // of threads, for depth-first searches and source sets
  SourceSetOptions source_sets = {};
};

struct ReductionReport {
  std::vector<std::string>
      applied;         // "partial order", "safe sets", "symmetry": the reductions that could do something here
  std::string chosen;  // how the one that leaves out steps was chosen, a phrase; empty: the plan says it
  std::vector<std::string> skipped;   // one sentence each: what was asked for and why it does not apply
  std::vector<std::string> forsaken;  // one sentence each: what the model turned out not to allow
  double symmetry_factor = 1;         // states that are alike, at most
  std::size_t runs = 1;               // the search was repeated because it had been mistaken, or to look at more
  // The number of states depends on the order in which several threads found them, because the cycle proviso compares
  // the numbers of states. Verdicts do not depend on it.
  bool counts_vary = false;
};

// A verdict that rests on symmetry is given only after Assumptions::check_symmetry has found nothing. Classes whose
// members turn out not to be alike are left out, and the search is made again. Throws ModelError for a combination that
// would not be sound.
SearchResult reduced_search(TransitionSystem& system, SearchOptions options, const ReductionPlan& plan,
                            ReductionReport& report);

// Whether what ReductionReport::applied names leaves out steps only, so that all final states are kept.
bool leaves_out_steps(std::string_view applied);

// Whether a search has found out all that it was to find out.
inline bool is_decided(const SearchResult& result, bool stop_at_violation) {
  return result.complete || (stop_at_violation && !result.violations.empty());
}

// The result of running without reductions, within the same limits: differences in verdicts, reached properties and
// deadlocks. REQUIRES: `reduced` is decided.
struct Comparison {
  std::vector<std::string> differences;  // one sentence each; empty: equal
  bool complete = false;                 // the unreduced search is decided; otherwise there are no differences
  SearchResult unreduced;
};
// `orbits`: the reduced search counted states up to symmetry.
Comparison compare_with_unreduced(const TransitionSystem& system, const SearchOptions& options,
                                  const SearchResult& reduced, bool orbits);

}  // namespace heddle
