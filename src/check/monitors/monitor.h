// Deciding one partition of a history without search, where its specification and its values allow it.
//
// monitor() picks the method; none of them applies to every history, and then the caller searches (wgl.h).
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

// `part`: operations of one partition, ascending. Nothing if no monitor applies.
std::optional<MonitorResult> monitor(const Specification& specification, const RecordedHistory& history,
                                     std::span<const std::uint32_t> part, Budget& budget);

}  // namespace heddle
