// Makes one action of what a statement does, wherever that is possible.
//
// A statement such as `pred->next = curr->next` accesses memory twice, and others may come in between. Often they do
// not matter: locks keep them away, or they touch something else. Such a statement counts as one action (Cirisci 2022,
// 2.3): otherwise repairs would ask for single statements to be atomic that are so already. Where others do matter, the
// accesses stay apart, and a repair may well say that the statement itself should be atomic.
//
// It is possible for a set of statements if the execution, with each of them as one interval, has no cycle. All are
// tried first, and then one after the other, by thread and program order. So the result is the same for all executions
// of a trace. A loop is not such a statement: its condition is evaluated once for each iteration.
// Pure function.
#pragma once

#include "explain/conflict_graph.h"
#include "explain/recorded_execution.h"

namespace heddle::explain {

RecordedExecution with_whole_statements(RecordedExecution execution, const StatementTree& tree, RealTime real_time);

}  // namespace heddle::explain
