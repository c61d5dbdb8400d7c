// The repairs of bad executions, ranked by good ones, in words: what every way to explain shares.
//
//   RepairSearch search(tree, files, real_time, most_repairs, budget);
//   search.add_good(...);  search.add_bad(...);
//   if (search.compute()) search.ranked() ...
//
// Repairs of each bad execution are computed once (explain/eliminators.h), those of all together by compute()
// (explain/repair_oracle.h). More executions may be added after it.
// Not thread-safe. REQUIRES: the tree, the names of files (explain::Action::file) and the budget outlive this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/budget.h"
#include "explain/eliminators.h"
#include "explain/repair_oracle.h"
#include "explain/trace_hash.h"
#include "run/executions_text.h"
#include "run/root_cause.h"

namespace heddle::run {

class RepairSearch {
 public:
  enum class Added : std::uint8_t {
    Yes,
    Known,         // an execution that differs only in the order of independent actions was added before
    Serializable,  // no repair rules it out: whole calls in some order have the same conflicts
    Stopped,       // by the budget
  };

  RepairSearch(const explain::StatementTree& tree, const std::vector<std::string>& files, explain::RealTime real_time,
               std::size_t most, Budget& budget)
      : tree_(tree), files_(files), blocks_(tree), real_time_(real_time), most_(most), budget_(budget) {}

  Added add_bad(explain::RecordedExecution execution, CallText calls);
  void add_good(std::vector<explain::RecordedExecution> executions);

  // Computes the repairs of all executions so far. Returns false if the budget ended first.
  bool compute();
  const std::vector<explain::RankedRepair>& ranked() const { return ranked_; }
  // Adds one more repair to the ranked ones, if there is one: with whole methods instead of the blocks of one of them;
  // or every method that the executions call. compute() forgets it.
  bool add_larger();
  // False: there may be other repairs.
  bool complete() const { return complete_; }
  // How many different bad executions there are.
  std::size_t bad() const { return bad_.size(); }
  explain::RealTime real_time() const { return real_time_; }

  std::vector<AtomicBlock> blocks_of(const explain::Repair& repair) const;
  // "push:10-13, pop:17"
  std::string text_of(const explain::Repair& repair) const;
  // Draws the shortest cycle that proves a part of the repair.
  void draw_cycle(const explain::Repair& repair, RootCause& out) const;

 private:
  struct BadExecution {
    explain::RecordedExecution execution;
    CallText calls;
    explain::Eliminators eliminators;
  };

  CycleEvent event(const BadExecution& bad, std::uint32_t number, bool writes) const;

  const explain::StatementTree& tree_;
  const std::vector<std::string>& files_;
  const explain::CodeBlocks blocks_;
  explain::RealTime real_time_;
  std::size_t most_;
  Budget& budget_;
  bool complete_ = true;
  std::vector<std::unique_ptr<std::vector<explain::RecordedExecution>>> good_executions_;
  std::vector<explain::ConflictGraph> good_;  // they refer to their executions
  std::set<explain::TraceHash> known_;        // bad ones
  std::vector<BadExecution> bad_;
  std::vector<explain::RankedRepair> ranked_;
};

}  // namespace heddle::run
