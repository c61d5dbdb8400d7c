// Explains why a history is not linearizable by the few operations that already rule out every order.
//
// Leaving operations out of a history proves nothing: without the write, a read of its value is always wrong. So
// operations are *relaxed* instead: a relaxed operation may happen at any moment, with any answer, any number of
// times or never. That only adds orders. The operations that are not relaxed in the end are the *core*: their times
// and answers alone leave no order, whatever the others did, and none of them can be relaxed as well. Where
// repetition leads to infinitely many object states (a queue), a relaxed operation happens at most once.
//
// Operations that began after the one in question had returned are left out: a history is not linearizable if its
// beginning is not.
//
// The search begins at the operation at which the checker got stuck, adds the operations that returned last before it
// in windows of 2, 4, ... and then relaxes one after the other. Relaxing is monotone, so one pass gives a minimal
// core. Deterministic; no shared state.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "check/check_history.h"
#include "core/budget.h"

namespace heddle::explain {

struct HistoryCore {
  // Ascending, indices into RecordedHistory::operations. Never empty for a partition that is violated.
  std::vector<std::uint32_t> operations;
  std::uint32_t stuck = 0;  // the member that is explained: there is no moment at which it can have happened
  bool proven = false;      // the core alone leaves no order; false: not shown within the limits, these are neighbours
  bool others = false;      // other operations were relaxed
  std::uint32_t until = 0;  // operations invoked after this event came too late to matter and were left out
  // The object at the moments at which `stuck` could have happened, given the rest of the core, in JSON or in words;
  // empty if not known.
  std::vector<std::string> objects;
};

struct HistoryCoreOptions {
  std::size_t largest_window = 48;      // at most 62
  std::size_t configurations = 20'000;  // most configurations of one search for an order
  Budget* budget = nullptr;             // none: no limit
};

HistoryCore find_core(const RecordedHistory& history, const Specification& specification, const PartitionResult& failed,
                      const HistoryCoreOptions& options = {});

}  // namespace heddle::explain
