// The table of schedulers, and the predicates by which they tell which receives to reorder.
#include "stateless/scheduler.h"

#include <algorithm>

#include "stateless/walkers.h"

namespace heddle::schedule {
namespace {

using enum Scheduler::Kind;
using enum Scheduler::Enabler;

constexpr Scheduler table[] = {
    {.name = "EX", .summary = "exhaustive depth-first search"},
    {.name = "SR", .summary = "systematic random", .kind = Random, .may_miss = true},
    {.name = "DB", .summary = "delay-bounded", .kind = Delay},
    {.name = "DP", .summary = "dynamic partial order reduction", .kind = Races, .may_miss = true},
    {.name = "TD", .summary = "TransDPOR", .kind = Races, .may_miss = true, .enabler = First, .freeze = true},
    {.name = "IR", .summary = "IRed", .kind = Races, .may_miss = true, .enabler = Root, .freeze = true},
    {.name = "LV",
     .summary = "LiViola",
     .kind = Races,
     .may_miss = true,
     .enabler = Root,
     .freeze = true,
     .by_key = true},
    {.name = "PC", .summary = "probabilistic concurrency testing (PCT)", .kind = Priority, .may_miss = true},
    {.name = "SL", .summary = "sleep sets; receives that commute are independent", .kind = Sleep},
    {.name = "SD", .summary = "source DPOR; receives that commute are independent", .kind = Source},
    {.name = "OD", .summary = "optimal DPOR; receives that commute are independent", .kind = Optimal},
};

}  // namespace

std::span<const Scheduler> schedulers() { return table; }

const Scheduler* find_scheduler(std::string_view name) {
  const auto it = std::ranges::find(table, name, &Scheduler::name);
  return it == std::end(table) ? nullptr : &*it;
}

bool same_receiver(const Receive& earlier, const Receive& later) { return earlier.process() == later.process(); }

bool same_receiver_and_key(const Receive& earlier, const Receive& later) {
  if (earlier.process() != later.process() || earlier.excluded || later.excluded) return false;
  return earlier.key == later.key || earlier.key == Receipt::any_key || later.key == Receipt::any_key;
}

bool sender_was_receiver(const Receive& earlier, const Receive& later) {
  return (later.senders >> (earlier.process() & 63) & 1) != 0;
}

ScheduleResult run_scheduler(ReceiveGraph& graph, const Scheduler& scheduler, const ScheduleOptions& options) {
  ScheduleOptions complete = options;
  if (complete.limits.depth == Limits{}.depth) complete.limits.depth = ScheduleOptions::default_depth;
  if (!complete.are_dependent) complete.are_dependent = scheduler.by_key ? same_receiver_and_key : same_receiver;
  if (!complete.did_enable) complete.did_enable = sender_was_receiver;
  if (scheduler.kind == Source || scheduler.kind == Optimal) {
    ReceiveGraph unfolded(graph.system(), {.fold_clients = false});
    HistoryLog log(unfolded, scheduler, complete);
    reduce_soundly(unfolded, scheduler, complete, log);
    return log.finish();
  }
  HistoryLog log(graph, scheduler, complete);
  if (scheduler.kind == Random || scheduler.kind == Priority) {
    walk_at_random(graph, scheduler, complete, log);
  } else {
    backtrack(graph, scheduler, complete, log);
  }
  return log.finish();
}

}  // namespace heddle::schedule
