// Puts a violation of linearizability into words and into a picture.
//
//   const HistoryExplanation e = explain_history(history, specification, failed);
//   read by process 2 returned nil, but at every moment it could have happened the register was 3.
//   - write(3) by process 0 had returned before it began.
//
// The words say only what find_core has shown (explain/history_core.h).
// Deterministic; no shared state.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/transition_system.h"
#include "explain/history_core.h"
#include "report/history_finding.h"
#include "report/timeline.h"

namespace heddle::explain {

struct HistoryExplanation {
  HistoryCore core;
  std::vector<std::string> sentences;  // the first says what is wrong; the others why
  std::vector<report::TimelineBar> timeline;
  report::HistoryFinding finding;  // the same as data, with the operations around
};

// With a budget it explains as much as the budget allows.
HistoryExplanation explain_history(const RecordedHistory& history, const Specification& specification,
                                   const PartitionResult& failed, bool ascii = false, Budget* budget = nullptr);

// Explains why the history in the last state of a model's run is not linearizable, sequentially consistent or
// serializable, whichever the property asks for; nullopt if the property is about something else.
std::optional<HistoryExplanation> explain_run(const TransitionSystem& system, std::size_t property,
                                              std::span<const Slot> last, bool ascii = false, Budget* budget = nullptr);

// The sentences, wrapped, and the picture.
std::string render(const HistoryExplanation& explanation, const report::TimelineOptions& options);

}  // namespace heddle::explain
