// What follows what in an execution: program order, conflicts, and, where histories are strict, returns before calls.
//
//   const ConflictGraph graph(execution, RealTime::Ignored);
//   graph.frontier(t, u)           the conflicts that matter, from thread t to thread u
//   is_cyclic(graph, intervals)    whether the execution is impossible when intervals of it are atomic
//
// Two actions of different threads conflict if both access a byte and one of them writes. Of two conflicts between the
// same threads, the one with the later source and the earlier target makes the other superfluous: in a cycle it leaves
// less, or nothing, to be made atomic. What is left is the frontier. Its edges ascend in sources and in targets.
//
// Building a graph takes time linear in the accesses, times the number of threads. Thread-safe after construction.
// REQUIRES: the execution outlives the graph.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "explain/recorded_execution.h"

namespace heddle::explain {

// Whether an invocation that returns before another one is called has to come first in every order that explains both.
// It does where histories are compared: otherwise a repair might seem to rule out an execution whose history is
// still possible.
enum class RealTime : std::uint8_t { Ignored, Respected };

struct ConflictEdge {
  std::uint32_t from, to;  // indices of actions; from < to
  friend auto operator<=>(const ConflictEdge&, const ConflictEdge&) = default;
};

class ConflictGraph {
 public:
  ConflictGraph(const RecordedExecution& execution, RealTime real_time);

  const RecordedExecution& execution() const { return *execution_; }
  RealTime real_time() const { return real_time_; }
  std::span<const ConflictEdge> frontier(std::uint32_t from_thread, std::uint32_t to_thread) const {
    return frontier_[from_thread * execution_->threads + to_thread];
  }
  // The first action of the invocation that the action belongs to.
  std::uint32_t first_of_invocation(std::uint32_t action) const { return first_of_invocation_[action]; }
  // Conflicts, and the order of real time, from which all others follow with program order.
  std::span<const ConflictEdge> covering() const { return covering_; }

 private:
  const RecordedExecution* execution_;
  RealTime real_time_;
  std::vector<std::vector<ConflictEdge>> frontier_;  // by source thread, then target thread
  std::vector<std::uint32_t> first_of_invocation_;
  std::vector<ConflictEdge> covering_;
};

// Every conflict, in the order of sources. Takes quadratic time: for comparison.
std::vector<ConflictEdge> all_conflicts(const RecordedExecution& execution, RealTime real_time);

// Whether the graph of intervals has a cycle, that is, whether no order of whole intervals keeps program order and
// conflicts (Cirisci 2022, Theorem 3). `intervals` has the number of each action's interval. Linear.
bool is_cyclic(const ConflictGraph& graph, std::span<const std::uint32_t> intervals);

}  // namespace heddle::explain
