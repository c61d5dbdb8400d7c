// Selects the steps of a state that a search has to execute: stubborn sets (lpor.h) with the conditions under which
// they preserve more than deadlocks.
//
//   options.selector = stubborn_selector(system, {.preserve = Preserved::Safety});
//
// Preserved::Deadlocks   every reachable state without steps, nothing else
// Preserved::Safety      ... and the truth of every `always` and `sometimes` property: a set that leaves steps out
//                        holds no step that could change it (visibility), and the search applies the cycle proviso
// Preserved::LtlX        ... and linear-time properties without "next": dependence is made symmetric (D3)
// Preserved::CtlX        ... and branching-time ones: a set that leaves steps out is a single invisible step
//
// Visibility is judged by what properties have read so far (Visibility::may_change_truth). If they read something new
// during the search, decisions made before may have been wrong: run again when Visibility::observed() has grown.
// Why that is enough: a state that the reduced search does not visit differs only by invisible steps from one that it
// visits, so a predicate reads the same values in the same order in both.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "core/relations.h"
#include "explore/reduction.h"
#include "reduce/lpor.h"

namespace heddle {

enum class Preserved : std::uint8_t { Deadlocks, Safety, LtlX, CtlX };

struct StubbornOptions {
  // Where sets begin. Best: only at the best enabled transition by (invisible, priority, number). First: at each in
  // that order until a set leaves something out. Smallest: at the one that gives the smallest set.
  enum class Start : std::uint8_t { Best, First, Smallest };

  Preserved preserve = Preserved::Safety;
  Start start = Start::Smallest;
  Lpor::Options lpor = {};
  // Transitions that count as visible, whatever their steps change; for comparison with the figures of Bokor's thesis.
  std::optional<BitSet> visible = {};
  // Relations to use instead of the system's own; for tests.
  std::shared_ptr<const Relations> relations = {};
  // Every selector adds to it how many rows of relations it has read (Lpor::rows_read) when it is destroyed; for tests.
  std::shared_ptr<std::atomic<std::uint64_t>> rows_read = {};
};

// Returns a maker of selectors, one for each thread.
// REQUIRES: system.dependence() or options.relations is there; `system` outlives the result.
std::function<std::unique_ptr<Selector>()> stubborn_selector(const TransitionSystem& system,
                                                             const StubbornOptions& options = {});

}  // namespace heddle
