// Counts the histories of schedules, tells them apart, and judges each once.
//
// Along a schedule the sequence of events is a node of a prefix tree, so that two schedules have the same history,
// event by event, iff they end in the same node. The history's slot decides whether it is linearizable. The slot
// forgets the order of events where it makes no difference, so one check serves all schedules with the same slot.
// Not thread-safe.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/budget.h"
#include "stateless/receive_graph.h"
#include "stateless/scheduler.h"

namespace heddle::schedule {

class HistoryLog {
 public:
  // A place in the tree of histories; `open` operations have not returned.
  struct Place {
    std::uint32_t number = 0;
    std::uint32_t open = 0;
  };
  HistoryLog(ReceiveGraph& graph, const Scheduler& scheduler, const ScheduleOptions& options);

  Place begin() { return extend({0, graph_.initially_open()}, graph_.initial_events()); }
  Place extend(Place place, std::span<const Receipt::Event> events);
  // Notes the end of a schedule; `receives` are names of receives, which ReceiveGraph::find maps back. Returns false
  // if no more schedules are wanted.
  bool end(Place place, Node last, std::span<const std::uint32_t> receives);
  // Notes that a run was given up. It is not limited by the cut-off, which counts schedules; steps have their budget.
  void give_up() { ++metrics_.blocked; }
  // Notes that a step was executed. Returns false once a budget is used up.
  bool step() {
    ++metrics_.steps;
    return metrics_.steps % 1024 != 0 || within_budget();
  }
  // Notes that a run is longer than any run is expected to be that ends.
  void too_long(std::size_t steps);
  void ended() { metrics_.ended = true; }
  // Adds the counts of a search that counts by itself.
  void add_steps(std::uint64_t steps, std::uint64_t blocked) {
    metrics_.steps += steps;
    metrics_.blocked += blocked;
  }
  void stop(std::string reason) { metrics_.stopped_by = std::move(reason); }
  // REQUIRES: it is called once, after the last schedule.
  ScheduleResult finish();

 private:
  bool within_budget();
  bool linearizable(Node node);
  Finding finding(Node last, std::span<const std::uint32_t> names);

  ReceiveGraph& graph_;
  const ScheduleOptions& options_;
  Budget budget_;
  ScheduleMetrics metrics_;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> next_;
  std::vector<bool> counted_;
  boost::unordered_flat_map<Slot, bool> verdicts_;
  std::uint64_t lengths_ = 0;  // of all schedules together
  std::optional<Finding> violation_;
};

}  // namespace heddle::schedule
