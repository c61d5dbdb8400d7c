// Repairs of several executions, and which of them is the best (Cirisci 2022, §2.3.2.2 and §2.3.4.2).
//
//   combined(per_execution, blocks, most)    the minimal repairs that rule out every one of the executions
//   ranked(repairs, good, blocks)            those that rule out few good executions come first
//
// A repair of several executions subsumes a repair of each. So one is chosen for each execution, and overlapping blocks
// are merged. The product is taken one execution after the other, and only minimal repairs are kept in between.
// Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "explain/code_blocks.h"
#include "explain/conflict_graph.h"

namespace heddle::explain {

struct CombinedRepairs {
  std::vector<Repair> repairs;  // ascending
  bool complete = true;         // false: there may be others, also smaller ones
};

// `most` bounds the repairs that are kept after each execution. `go_on` is asked now and then; false: stop.
CombinedRepairs combined(std::span<const std::vector<Repair>> per_execution, const CodeBlocks& blocks, std::size_t most,
                         const std::function<bool()>& go_on = {});

struct RankedRepair {
  Repair repair;
  std::size_t excluded_good = 0;  // good executions that it rules out
  std::size_t statements = 0;     // that it covers
  std::uint32_t rank = 1;         // repairs that are equally good share a rank
};

// By good executions ruled out, then by statements covered, then by the number of blocks.
std::vector<RankedRepair> ranked(std::span<const Repair> repairs, std::span<const ConflictGraph> good,
                                 const CodeBlocks& blocks);

}  // namespace heddle::explain
