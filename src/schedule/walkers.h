// What the schedulers share beyond the graph: the log they report to, and the two ways of walking.
#pragma once

#include "schedule/history_log.h"
#include "schedule/scheduler.h"

namespace heddle::schedule {

// random_schedulers.cpp
void walk_at_random(ReceiveGraph& graph, const Scheduler& scheduler, const ScheduleOptions& options, HistoryLog& log);
// sound_dpor.cpp
void reduce_soundly(ReceiveGraph& unfolded, const Scheduler& scheduler, const ScheduleOptions& options,
                    HistoryLog& log);
// backtracking.cpp
void backtrack(ReceiveGraph& graph, const Scheduler& scheduler, const ScheduleOptions& options, HistoryLog& log);

}  // namespace heddle::schedule
