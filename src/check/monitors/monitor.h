// Decides one partition of a history without search, where its specification and its values allow it.
//
// monitor() picks the method. If none applies to the history, the caller searches (wgl.h).
// Thread-safe: no state.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "check/recorded_history.h"
#include "check/specification.h"
#include "core/budget.h"
#include "core/verdict.h"

namespace heddle {

struct MonitorResult {
  Verdict verdict;  // Unknown only if the budget ran out
  // Of a violation: operations that cannot be together in any linearizable history, and why, one phrase.
  std::vector<std::uint32_t> culprits;
  std::string reason;
};

// Returns nothing if no monitor applies. `part`: the operations of one partition, ascending.
std::optional<MonitorResult> monitor(const Specification& specification, const RecordedHistory& history,
                                     std::span<const std::uint32_t> part, Budget& budget);

}  // namespace heddle
