// Source and optimal DPOR as schedulers: one schedule for each class of runs that differ only in the order of
// independent receives.
//
// Clients' steps are not folded here, because DPOR reasons about single steps. Receipts of one process that commute are
// independent (commuting.h), provided that the search of states that finds them ends within the limits. Properties are
// not watched on the way: a history that is not linearizable stays so to the end of the run.
#include "core/remaining.h"
#include "stateless/commuting.h"
#include "stateless/optimal_dpor.h"
#include "stateless/source_dpor.h"
#include "stateless/walkers.h"

namespace heddle::schedule {

void reduce_soundly(ReceiveGraph& unfolded, const Scheduler& scheduler, const ScheduleOptions& options,
                    HistoryLog& log) {
  const TransitionSystem& system = unfolded.system();
  // The search for commuting steps and the schedules share one budget.
  Budget budget(options.limits);
  const Commuting commuting(system, options.limits);
  if (!budget.check(system.bytes())) return log.stop(budget.reason());
  StatelessOptions stateless;
  stateless.limits = remaining(budget);
  stateless.properties = false;
  stateless.commuting = &commuting;
  stateless.most_executions = options.cutoff;
  std::vector<std::uint32_t> names;
  bool wanted = true;
  stateless.on_execution = [&](const Path& path) {
    Node node = unfolded.initial();
    HistoryLog::Place place = log.begin();
    names.clear();
    for (const Step& step : path.steps) {
      for (const Receive& r : unfolded.receives(node)) {
        if (unfolded.steps(r)[0] != step) continue;
        place = log.extend(place, unfolded.events(r));
        names.push_back(r.name);
        node = r.target;
        break;
      }
    }
    wanted &= log.end(place, node, names);
  };
  const bool source = scheduler.kind == Scheduler::Kind::Source;
  const StatelessResult r = source ? source_dpor(system, stateless) : optimal_dpor(system, stateless);
  log.add_steps(r.counters.transitions, r.blocked);
  if (r.stopped_by.empty()) {
    log.ended();
  } else if (wanted) {
    log.stop(budget.check(system.bytes()) ? r.stopped_by : budget.reason());
  }
}

}  // namespace heddle::schedule
