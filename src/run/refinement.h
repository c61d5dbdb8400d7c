// Judges a run with --refines: what it found out about the abstract object, and what kind of failure that is.
//
// The rules and their words are in check/refinement/classification.h. Here are the facts that they need: what becomes of
// a run that was found when it goes on. These are searches of explore/, which check/ may not use.
#pragma once

#include <optional>

#include "explore/search.h"
#include "report/refinement_report.h"
#include "run/result.h"

namespace heddle::run {

// Returns nothing if the run has no refinement. With `classify`, searches below what was found, within the limits of
// `options`. `searched` is the system that the calls were counted in: `system`, whose runs the findings are, or the one
// without auxiliary data.
std::optional<report::RefinementReport> judge_refinement(const TransitionSystem& system,
                                                         const TransitionSystem& searched, const CheckResult& result,
                                                         const SearchOptions& options, bool classify);

}  // namespace heddle::run
