// Schedulers of receipts choose the orders of messages with which an actor system is run, to see which histories its
// clients get.
//
//   ReceiveGraph graph(system);
//   ScheduleResult r = run_scheduler(graph, *find_scheduler("LV"), {.cutoff = 50'000});
//
// SR, EX, DB, DP, TD, IR and LV are those compared by Al-Mahfoudh, Stutsman, Gopalakrishnan: Efficient linearizability
// checking for actor-based systems (2023). PC is PCT (Burckhardt et al., ASPLOS 2010), SL explores with sleep sets, and
// SD and OD are the sound DPORs of this folder. The other depth-first schedulers share one skeleton
// (backtracking_schedulers.cpp). They differ in a row of the table in scheduler.cpp: what they explore first from a
// state, and, if they look for races, two predicates on receives and what to do when a race was found.
//
//   are_dependent(a, b)   the order of the two may matter
//   did_enable(a, b)      a may be the reason that b could be received
//
// Users can replace both. EX, DB, SL, SD and OD miss nothing if they end. The others may miss schedules even if they
// end, and say so: DP follows one reversal of each race only as far as receives it has seen, and TD, IR and LV remember
// one alternative at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/budget.h"
#include "stateless/receive_graph.h"
#include "stateless/schedule_metrics.h"

namespace heddle::schedule {

struct Scheduler {
  enum class Kind : std::uint8_t {
    Random,    // runs from the start, one after the other
    Priority,  // runs from the start, by random priorities
    All,       // depth first, every receive
    Delay,     // depth first, every receive, in an order that random delays change
    Sleep,     // depth first, every receive but those that were explored before in another order
    Races,     // depth first, one receive and those that races ask for
    Source,    // source_dpor.h
    Optimal,   // optimal_dpor.h
  };
  // What to explore before S_i instead of a receive r that should come before S_i but is not possible there.
  enum class Enabler : std::uint8_t {
    Every,  // all receives that came since and were possible there
    First,  // what was received next after S_i
    Root,   // what began the chain of receives that led to r
  };
  std::string_view name, summary;
  Kind kind = Kind::All;
  bool may_miss = false;
  Enabler enabler = Enabler::Every;
  bool freeze = false;  // a state has at most one alternative waiting
  bool by_key = false;  // receives about different keys are independent, and exclusions are heeded
};

std::span<const Scheduler> schedulers();
// Returns null if there is none.
const Scheduler* find_scheduler(std::string_view name);

using Predicate = std::function<bool(const Receive& earlier, const Receive& later)>;

struct ScheduleOptions {
  std::uint64_t cutoff = 50'000;  // schedules, at most; random ones run as many
  std::uint64_t seed = 1;
  unsigned delays = 3;                  // DB: in one schedule
  unsigned priority_changes = 3;        // PC: in one schedule
  Limits limits;                        // runs longer than the limit of depth are taken for cycles
  Predicate are_dependent, did_enable;  // empty: those of the scheduler
  // Called with the last state of every schedule.
  std::function<void(std::span<const Slot>)> on_schedule;

  static constexpr std::uint32_t default_depth = 10'000;
};

struct ScheduleResult {
  ScheduleMetrics metrics;
  std::optional<Finding> violation;  // the first
};

ScheduleResult run_scheduler(ReceiveGraph& graph, const Scheduler& scheduler, const ScheduleOptions& options = {});

// The predicates of the schedulers, for users who want to refine them.
bool same_receiver(const Receive& earlier, const Receive& later);
bool same_receiver_and_key(const Receive& earlier, const Receive& later);
bool sender_was_receiver(const Receive& earlier, const Receive& later);

}  // namespace heddle::schedule
