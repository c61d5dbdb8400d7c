// What a run with --refines found out about the abstract object, and what kind of failure it is.
//
// CONFIRMED: the run that makes a rejected call can go on to violate a property of the model itself. LATENT: it cannot within these
// bounds. ANNOTATION-SUSPECT: nor can it, and what failed is that an earlier call is missing, so that the annotation is the first
// place to look at.
// A property of the model may be violated in another run, as early or earlier. Where a call is rejected there, too, that confirms.
// Where none is, the class of the rejected call stays and a note tells of the other run. Only where no call is rejected in any run
// that was found is the class about it: CONFIRMED if the object notices later, ANNOTATION-SUSPECT if it does not.
#pragma once

#include <optional>

#include "explore/search.h"
#include "report/run_json.h"
#include "run/result.h"

namespace heddle::run {

// None if the run has no refinement. With `classify`, searches below the rejected call within the limits of `options`.
// `searched` is the system the calls were counted in: `system`, whose runs the findings are, or the one without auxiliary data.
std::optional<report::RefinementReport> judge_refinement(const TransitionSystem& system,
                                                         const TransitionSystem& searched, const CheckResult& result,
                                                         const SearchOptions& options, bool classify);

}  // namespace heddle::run
