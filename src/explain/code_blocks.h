// Code blocks: what a person could wrap in a lock, and repairs made of them.
//
//   const CodeBlocks blocks(tree);
//   const CodeBlock block = blocks.around(execution, from, to);      // of a segment of an execution
//   blocks.normalise(repair);  blocks.subsumes(larger, smaller);
//
// A block is a run of statements with the same parent. A repair is a set of blocks that shall be atomic (Cirisci 2022,
// §2.3.2). The block of a segment is the shortest run that holds both its ends in the same instance of their parent:
// ends in different iterations of a loop take the whole loop, and an end in an inner loop takes that loop. A smaller
// segment never gives a larger block.
//
// The thesis compares repairs as they are. That is only a preorder: [48,54] and [48,54],[51,54] subsume each other. So
// repairs are normalised first: no block lies within another, and blocks that overlap are merged.
// Thread-safe. REQUIRES: the tree outlives this.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "explain/conflict_graph.h"
#include "explain/recorded_execution.h"

namespace heddle::explain {

struct CodeBlock {
  std::uint32_t first = 0, last = 0;  // statements; equal, or with the same parent
  friend auto operator<=>(const CodeBlock&, const CodeBlock&) = default;
};

// Ascending; normalised.
using Repair = std::vector<CodeBlock>;

class CodeBlocks {
 public:
  explicit CodeBlocks(const StatementTree& tree) : tree_(&tree) {}

  const StatementTree& tree() const { return *tree_; }
  // REQUIRES: both are Data actions of one invocation.
  CodeBlock around(const RecordedExecution& execution, std::uint32_t from, std::uint32_t to) const;
  bool contains(const CodeBlock& larger, const CodeBlock& smaller) const;
  // Merges blocks that overlap, drops those inside others, and sorts.
  void normalise(Repair& repair) const;
  // Whether every block of `smaller` lies in a block of `larger`. REQUIRES: both are normalised.
  bool subsumes(const Repair& larger, const Repair& smaller) const;
  // Adds a repair to a set of minimal ones, unless it subsumes a member; drops the members that it makes superfluous.
  // Returns false if it was not added.
  bool add_minimal(std::vector<Repair>& minimal, Repair repair) const;
  // The statements in all blocks.
  std::size_t statements_in(const Repair& repair) const;
  // Whether the statement is one of the block, or stands inside one.
  bool holds(const CodeBlock& block, std::uint32_t statement) const;
  // The interval of each action, if every instance of a block of the repair is one and all other actions are alone.
  std::vector<std::uint32_t> intervals(const RecordedExecution& execution, const Repair& repair) const;

 private:
  bool merge(CodeBlock& into, const CodeBlock& other) const;

  const StatementTree* tree_;
};

// Whether the execution is impossible with the repair in place (Cirisci 2022, Theorem 3).
inline bool excludes(const CodeBlocks& blocks, const Repair& repair, const ConflictGraph& graph) {
  return is_cyclic(graph, blocks.intervals(graph.execution(), repair));
}

}  // namespace heddle::explain
