// Decides by search whether a history, or one partition of it, is linearizable: Wing and Gong (1993) with Lowe's
// memoisation (2017).
//
// Operations are placed one after the other. An operation may be placed next if it was invoked before the first return
// of any operation that is not placed yet. The rest of the search depends on three things: that first return, which of
// the operations open at it are placed, and the object's state. They are a *configuration*. Its size is constant,
// because real-time order implies that all operations that returned earlier are placed. No configuration is explored
// twice. Four rules prune further:
//   - An operation that may be placed next and never changes a state (a read) is placed at once: an order in which it
//     comes later also works with it now.
//   - Operations of unknown outcome are tried last, alike ones in the order of their invocations.
//   - A configuration is dropped if another is equal but has used fewer operations of unknown outcome or placed more
//     reads.
//   - Checkpoints: the search is depth first between certain returns some way apart, preferably where no operation is
//     open. If all configurations up to the next checkpoint can be explored at little cost, they are, and everything
//     before it is forgotten. So long histories need little memory, whatever their verdict, and a wrong guess costs
//     little.
// The verdict and the operation that is stuck depend on the history alone, not on the order of the search.
// Thread-safe: no state; the object belongs to the caller's thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "check/recorded_history.h"
#include "check/search_guard.h"
#include "check/specification.h"
#include "core/verdict.h"

namespace heddle {

struct WglOptions {
  // Checkpoints are this many returns apart, or up to three times as many to find one at which no operation is open.
  // 0: no checkpoints.
  std::uint32_t stretch = 32;
  // A stretch between two checkpoints is explored in full if that takes at most this many configurations a return
  // (counted for the longest possible stretch).
  std::uint32_t patience = 8;
  // The search gives up, with the verdict Unknown, after this many configurations.
  std::size_t most_configurations = std::numeric_limits<std::size_t>::max();
};

struct WglResult {
  Verdict verdict = Verdict::Unknown;
  // Of Holds: a linearization, as indices into `operations`. Operations of unknown outcome are in it only where they
  // were needed.
  std::vector<std::uint32_t> linearization;
  // Of Violated: see PartitionResult.
  std::vector<std::vector<std::uint32_t>> longest;
  std::uint32_t stuck = never;
  std::size_t configurations = 0;  // explored
};

// `part` is a list of indices into `operations`. Operations that failed are skipped.
// REQUIRES: `part` is ascending, and `operations` are in the order of their invocations.
WglResult wgl(std::span<const RecordedOperation> operations, std::span<const std::uint32_t> part, Object& object,
              SearchGuard& guard, const WglOptions& options = {});

}  // namespace heddle
