// The ways in which schedulers walk the graph. Each reports its schedules to the log.
#pragma once

#include "stateless/history_log.h"
#include "stateless/scheduler.h"

namespace heddle::schedule {

// random_schedulers.cpp
void walk_at_random(ReceiveGraph& graph, const Scheduler& scheduler, const ScheduleOptions& options, HistoryLog& log);
// sound_schedulers.cpp
void reduce_soundly(ReceiveGraph& unfolded, const Scheduler& scheduler, const ScheduleOptions& options,
                    HistoryLog& log);
// backtracking_schedulers.cpp
void backtrack(ReceiveGraph& graph, const Scheduler& scheduler, const ScheduleOptions& options, HistoryLog& log);

}  // namespace heddle::schedule
