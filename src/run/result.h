// The results of this folder's calls, as plain data.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/counters.h"
#include "core/coverage.h"
#include "core/path.h"
#include "core/trace.h"
#include "core/verdict.h"
#include "explain/history_explanation.h"
#include "explore/search.h"
#include "report/failure_report.h"
#include "report/refinement_report.h"
#include "report/run_json.h"

namespace heddle::run {

// What a run says of the model's properties.
struct Judgement {
  Verdict verdict = Verdict::Unknown;
  std::vector<report::PropertyReport> properties = {};
  std::string property = {};    // the first violated one; empty if none is
  std::string stopped_by = {};  // why the run is incomplete, a phrase; empty if it is complete
  std::string note = {};
  std::optional<report::FailureReport> failure = {};  // of the model's code
  std::string error = {};                             // for Verdict::Error
};

// A violation as it is shown.
struct Violation {
  std::size_t property = 0;  // index into TransitionSystem::properties()
  std::size_t found = 0;     // steps of the run that the search found; `path` may be shorter
  Path path = {};
  SlotVector last = {};  // the state that `path` ends in
  trace::Trace trace = {};
  std::optional<explain::HistoryExplanation> why = {};  // for a history that is not linearizable
  // Set if a smaller instance is shown instead: what was made smaller. `path` and `last` are then of that instance.
  std::string reduced_from = {};
};

// A `sometimes` property, and the number of steps after which it was reached; none if it was not.
struct Sometimes {
  std::string property;
  std::optional<std::size_t> steps;
};

struct CheckResult : Judgement {
  bool complete = false;
  Counters counters = {};
  // What the search or scheduler returned. Its findings are runs of `system`, minimised where they have been explained.
  SearchResult search = {};
  std::vector<Sometimes> sometimes = {};
  std::vector<Violation> violations = {};  // empty if nobody asked for explanations

  std::vector<std::string> reductions = {};   // those that were applied
  std::string chosen = {};                    // how the one that leaves out steps was chosen, a phrase; often empty
  std::vector<std::string> not_reduced = {};  // what the model turned out not to allow, a sentence each
  std::vector<std::string> skipped = {};      // what was asked for and why it does not apply, a sentence each
  bool counts_vary = false;                   // another run may count other states, but gives the same verdict

  std::vector<std::string> warnings = {};  // about the model, before it ran
  std::vector<std::string> growth = {};    // what grows, a sentence each, if the search did not end
  bool states_properties = false;          // the model states properties, beside those about failed code
  std::optional<Coverage> coverage = {};
  std::optional<report::RefinementReport> refinement = {};
  std::string about_bug = {};  // why the bug that was switched on has broken nothing, a phrase
  std::size_t start_bytes = 0, peak_bytes = 0;

  std::shared_ptr<const TransitionSystem> system = {};  // with nothing left out
};

// Copies a result into a report, except what the caller knows better: the command, the trace file.
void describe(const Judgement& judgement, report::RunReport& report);
void describe(const CheckResult& result, report::RunReport& report);

}  // namespace heddle::run
