// The optimal repairs of one execution: which code, made atomic, would have ruled it out (Cirisci 2022, §2.3.4).
//
//   const Eliminators found = eliminators(graph, blocks, {});
//   found.repairs                     minimal: no one subsumes another
//
// An execution is ruled out iff its graph has a cycle when the instances of blocks are intervals. Such a cycle goes
// through at most one place of each thread: a conflict enters a thread, another one leaves it. Where it leaves at or
// after the place where it enters, program order closes the gap. Where it leaves before, in the same invocation, the
// segment between the two must be atomic. The segments of a cycle are a candidate, and nothing else needs to be looked
// at. Two repairs of the printed algorithm: a thread may be left at the very action that enters it (a lost update), and
// it is threads that must differ, not actions.
//
// Nothing is lost by that: a cycle that comes to a thread twice, in at e and out at l, in at f and out at m, contains
// two shorter ones, with e to m and with f to l, and one of these needs nothing that the whole does not need. If e <=
// m, or f <= l, program order closes that one. Otherwise m < e and l < f. If e <= l, then m < e <= l < f, and [m,e]
// lies in the segment [m,f] of the whole; likewise [l,f] in [l,e] if f <= m. Otherwise both segments of the whole are
// there, [l,e] and [m,f]; since l < f and m < e they overlap, and what is made atomic holds [m,e].
//
// Only conflicts of the frontier are tried (conflict_graph.h). After the place of entry only the first conflict to each
// thread is: it has the earliest target. A partial cycle is given up if its segments already subsume a repair, or if
// another one came to the same thread no later in it and needed nothing more: whatever closes the one closes the other.
// So threads that are alike count once, as they need the same blocks.
//
// That other one may have been to a thread that the rest leads through, in at e and out at l, and the rest comes to it
// at f. If e <= f, what began at e covers what follows. If f < e, the way from l to f is a cycle already, which needs
// nothing more: program order closes it, or [l,f] lies in [l,e]. Its lowest thread is higher than that of the whole,
// and from there it is found, or what makes it superfluous.
//
// Pure function. The time is polynomial in the actions and in the number of different sets of blocks that partial
// cycles need. That number can be exponential in the number of threads: k conflicts between neighbours in a ring of n
// threads give k^n repairs.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "explain/code_blocks.h"
#include "explain/conflict_graph.h"

namespace heddle::explain {

struct EliminatorOptions {
  std::size_t most = 100'000;            // repairs
  std::function<bool()> go_on = {};      // asked now and then; false: stop. None: no limit
  std::vector<ConflictEdge> edges = {};  // for comparison: these conflicts instead of the frontier
};

// A cycle of conflicts that proves a repair: each leads into the thread that the next one leaves.
using ConflictCycle = std::vector<ConflictEdge>;

struct Eliminators {
  std::vector<Repair> repairs;        // ascending
  std::vector<ConflictCycle> cycles;  // one for each repair
  bool complete = true;               // false: there may be others
};

Eliminators eliminators(const ConflictGraph& graph, const CodeBlocks& blocks, const EliminatorOptions& options = {});

}  // namespace heddle::explain
