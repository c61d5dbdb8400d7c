// Judges a run with --refines: says what it found out about the abstract object, and what kind of failure that is.
//
// The rules and their words are in check/refinement/classification.h. This file finds the facts that they need: what
// happens when a found run goes on. That takes searches of explore/, which check/ may not use.
#pragma once

#include <optional>

#include "explore/search.h"
#include "report/refinement_report.h"
#include "run/result.h"

namespace heddle::run {

// Returns none if the run has no refinement. With `classify`, continues the found runs, within the limits of `options`.
// The findings are runs of `system`. `searched` is the system that the calls were counted in: `system` itself, or
// the one that leaves something out of states.
std::optional<report::RefinementReport> judge_refinement(const TransitionSystem& system,
                                                         const TransitionSystem& searched, const CheckResult& result,
                                                         const SearchOptions& options, bool classify);

}  // namespace heddle::run
