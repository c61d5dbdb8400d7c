// Is a history, or one partition of it, linearizable? By search: Wing and Gong (1993) with Lowe's memoisation (2017).
//
// Operations are placed one after the other; an operation may be placed next if it was invoked before the first return of any
// operation that is not placed yet. What is left to do depends on little: that first return, which of the operations open then are
// placed, and the object's state. This is a *configuration*: constant in size, because of real-time order all operations that
// returned earlier are placed. No configuration is explored twice. What prunes further:
//   - An operation that may be placed next and never changes a state (a read) is placed at once: whatever order works with it
//     later works with it now.
//   - Operations of unknown outcome are tried last, alike ones in the order of their invocations.
//   - A configuration that has used more of those than another, or has placed fewer reads, and is otherwise equal is dropped.
//   - Checkpoints: the search is depth first between ranks of returns some way apart, preferably where no operation is open.
//     Where all configurations up to the next can be explored at little cost, they are, and everything else is forgotten. So long
//     histories need little memory, whatever their verdict, and a wrong guess costs little.
// The verdict, and which operation is stuck, depend on the history alone, not on the order of the search.
// Thread-safe: no state; the object belongs to the caller's thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "check/recorded_history.h"
#include "check/search_guard.h"
#include "check/specification.h"
#include "core/verdict.h"

namespace heddle {

struct WglOptions {
  // Checkpoints are this many returns apart, or up to three times as many if no operation is open there. 0: none.
  std::uint32_t stretch = 32;
  // All of a stretch is explored if that takes at most this many configurations for each of its returns.
  std::uint32_t patience = 8;
};

struct WglResult {
  Verdict verdict = Verdict::Unknown;
  // Of Holds: a linearization (operations of unknown outcome only where they were needed). Indices into `operations`.
  std::vector<std::uint32_t> linearization;
  // Of Violated: see PartitionResult.
  std::vector<std::vector<std::uint32_t>> longest;
  std::uint32_t stuck = never;
  std::size_t configurations = 0;  // explored
};

// `part`: indices into `operations`, ascending; operations are in the order of their invocations. Operations that failed are
// skipped.
WglResult wgl(std::span<const RecordedOperation> operations, std::span<const std::uint32_t> part, Object& object,
              SearchGuard& guard, const WglOptions& options = {});

}  // namespace heddle
