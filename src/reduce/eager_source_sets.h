// Eager source sets: every step that is executed is charged at once to all steps of the path that it depends on
// (Cirisci 2022, Algorithm 2: DE-S-POR).
//
//   SearchResult r = eager_source_sets(system, options);
//
// source_set_search.h has the search and the argument. The thesis charges a step to the last dependent step of the path
// only. That loses runs where threads block each other: a lock that is attempted would be charged to the unlock before
// it, behind which the other order does not exist. So all dependent steps of the path are charged. Where the search
// meets a known state, all that may happen after it is charged. Where it meets an open component, everything is charged
// from the lowest state of that component up.
#pragma once

#include "reduce/source_set_search.h"

namespace heddle {

// REQUIRES: the system has Threads; conflicts_with_source_sets(options) is empty.
SearchResult eager_source_sets(const TransitionSystem& system, const SearchOptions& options,
                               const SourceSetOptions& how = {});

}  // namespace heddle
