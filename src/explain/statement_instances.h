// Which instance of a statement a thread is in, from the statements that it enters.
//
//   StatementInstances instances(tree, execution.instances);
//   instances.begin(thread);                 a call begins
//   instances.enter(thread, statement);      the thread is in this statement now
//   instances.current(thread)                the number of the instance; nothing: none was entered
//
// Entering a statement that is not inside the current one ends the current one. Coming back from inside a loop to the
// loop itself begins its next iteration, and so does a jump backwards among the statements of a block.
// Not thread-safe. REQUIRES: the tree and the instances outlive this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "explain/recorded_execution.h"

namespace heddle::explain {

class StatementInstances {
 public:
  StatementInstances(const StatementTree& tree, std::vector<RecordedExecution::Instance>& out)
      : tree_(tree), out_(out) {}

  void begin(std::size_t thread);
  void enter(std::size_t thread, std::uint32_t statement);
  std::uint32_t current(std::size_t thread) const {
    return thread < ways_.size() && !ways_[thread].empty() ? ways_[thread].back() : nothing;
  }

 private:
  // Of an instance: how often what is in it has begun anew, and the latest of its statements.
  struct Inside {
    std::uint32_t iteration = 0, latest = nothing;
  };

  std::uint32_t new_instance(std::uint32_t statement, std::uint32_t parent);

  const StatementTree& tree_;
  std::vector<RecordedExecution::Instance>& out_;
  std::vector<Inside> inside_;                    // by instance
  std::vector<std::vector<std::uint32_t>> ways_;  // by thread: instances, from the body to the current statement
};

}  // namespace heddle::explain
