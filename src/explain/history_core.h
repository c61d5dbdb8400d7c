// Why is a history not linearizable? The few operations that already rule out every order.
//
// Leaving operations out of a history proves nothing: without the write a read of its value is always wrong. So operations are
// *relaxed* instead: a relaxed operation may happen at any moment, with any answer, as often as one likes or never. That only adds
// orders. What is left, the *core*, is a set of operations whose times and answers alone leave no order, whatever the others did;
// none of them can be relaxed as well. Where endless repetition leads to endlessly many object states (a queue), a relaxed
// operation happens at most once.
//
// Operations that began after the one in question had returned are left out: a history is not linearizable if its beginning is not.
//
// The search begins at the operation at which the checker got stuck, adds the operations that returned last before it in windows of
// 2, 4, ... and then relaxes one after the other. Relaxing is monotone, so one pass gives a minimal core.
// Deterministic; no shared state.
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
  std::uint32_t stuck = 0;  // the one of them that is explained: no moment suits it
  bool proven = false;      // the core alone leaves no order; false: it was too much to show, these are its neighbours
  bool others = false;      // other operations were relaxed
  std::uint32_t until = 0;  // what was invoked after this event came too late to matter and was left out
  // The object at the moments at which `stuck` could have happened, given the rest of the core; empty if not known.
  std::vector<std::string> objects;
};

struct HistoryCoreOptions {
  std::size_t largest_window = 48;      // at most 62
  std::size_t configurations = 20'000;  // of one search for an order
  Budget* budget = nullptr;             // none: no limit
};

HistoryCore find_core(const RecordedHistory& history, const Specification& specification, const PartitionResult& failed,
                      const HistoryCoreOptions& options = {});

}  // namespace heddle::explain
