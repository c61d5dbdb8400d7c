// Which reduction for threads suits a system: a short trial of safe sets, thread futures and lazy source sets (Cirisci
// 2022, section 2.2.3.3: which one wins depends on how many states it leaves out).
//
// The search begins with safe sets. Most systems are done after some thousand states, and nothing has to be chosen.
// Otherwise the search pauses, and the trial looks at the ends of some random runs: it goes back from the end of a run
// to a state below which safe sets find some hundred states, and has the others search what lies below it. Who needs
// the fewest states there, weighed with what a state costs, has the vote of that run. If safe sets win, their search
// goes on and has lost nothing; otherwise the winner begins afresh.
//
// The choice depends on counts, never on clocks: the same system is searched in the same way each time. Nothing but
// time depends on it: every reduction is exact. Lazy source sets are not a candidate where they cannot do what was
// asked for, such as several threads. Where symmetry applies, which goes together with safe sets only, the others must
// need so many times fewer states as there are renamings. With a depth limit, bounds or a lossy store, safe sets are
// used and nothing is tried.
#pragma once

#include "reduce/reduced_search.h"

namespace heddle {

// Whether the plan leaves the choice open and the trial can make it.
bool wants_trial(const TransitionSystem& system, const SearchOptions& options, const ReductionPlan& plan);

// Chooses and searches. ReductionReport::chosen says what the choice rests on. REQUIRES: wants_trial(...).
SearchResult tried_search(TransitionSystem& system, const SearchOptions& options, const ReductionPlan& plan,
                          ReductionReport& report);

}  // namespace heddle
