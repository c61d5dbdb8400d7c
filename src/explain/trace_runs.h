// One run for each Mazurkiewicz trace of a system of threads, towards final states of one kind.
//
//   const TraceRuns runs(system, 0, kind_of, budget);
//   runs.for_each(RunKind::Bad, [&](const Path& run) { ...; return true; });
//   const Path some = runs.random(RunKind::Good, generator);
//
// First the graph of states is built; of threads with a safe action only one goes on (Threads, 4). Then runs are
// enumerated with sleep sets (Godefroid: LNCS 1032, 1996), so that no trace and no beginning of a trace is met twice. A
// state from which no final state of the wanted kind can be reached is not entered, so few runs are made in vain.
//
// A run that comes back to a state has endlessly many longer relatives. Such runs are left out, and has_cycles() says
// so. Thread-safe after construction. REQUIRES: the system has Threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "core/access.h"
#include "core/budget.h"
#include "core/path.h"
#include "core/transition_system.h"

namespace heddle::explain {

enum class RunKind : std::uint8_t { Neither = 0, Bad = 1, Good = 2 };

class TraceRuns {
 public:
  // `kind_of` judges states without steps.
  TraceRuns(const TransitionSystem& system, std::size_t initial,
            const std::function<RunKind(std::span<const Slot>)>& kind_of, Budget& budget);

  // False: the budget ended before the graph was complete, and there may be others.
  bool complete() const { return complete_; }
  bool has_cycles() const { return has_cycles_; }
  std::size_t states() const { return nodes_.size(); }
  bool any(RunKind kind) const { return reaches(0, kind); }

  // Calls f with a run of each trace that ends in a state of this kind, until f returns false. Returns whether all were
  // given to f.
  bool for_each(RunKind kind, const std::function<bool(const Path&)>& f) const;
  // A random run. Every step towards the kind is equally likely. REQUIRES: any(kind), and there are no cycles.
  Path random(RunKind kind, std::mt19937_64& generator) const;

 private:
  struct Edge {
    Step step;
    std::uint32_t to;
  };
  // What a thread can do in a state.
  struct Action {
    std::uint32_t thread;
    std::uint32_t first_edge, edges;
    std::uint32_t accesses;  // number in accesses_
  };
  struct Node {
    std::uint32_t first_action = 0, actions = 0;
    std::uint8_t reaches = 0;  // kinds of final states
  };

  bool reaches(std::uint32_t node, RunKind kind) const {
    return node < nodes_.size() && (nodes_[node].reaches & static_cast<std::uint8_t>(kind)) != 0;
  }
  bool reaches(const Action& action, RunKind kind) const;
  void find_cycles();
  void spread_kinds();
  std::size_t bytes() const;

  std::size_t initial_;
  bool complete_ = false, has_cycles_ = false;
  std::vector<Node> nodes_;
  std::vector<Action> actions_;
  std::vector<Edge> edges_;
  std::vector<std::vector<Access>> accesses_;  // sorted by slot
};

}  // namespace heddle::explain
