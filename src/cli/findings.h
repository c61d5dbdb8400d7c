// What a search found, told to the user: verdict of each property, traces of violations, why it did not end.
#pragma once

#include <string>
#include <vector>

#include "cli/model_source.h"
#include "cli/output.h"
#include "cli/watchdog.h"
#include "core/budget.h"
#include "explore/search.h"
#include "report/run_json.h"

namespace heddle::cli {

struct FindingOptions {
  std::string trace_file = "heddle-trace.json";
  bool no_trace = false;
  bool no_minimise = false;
  std::string tree_dot;  // where the abstract object of the first violation is drawn; empty: nowhere
  // The search could in principle have seen everything; otherwise its being incomplete says nothing about what grows.
  bool exhaustive = true;
  // Whether to say which `sometimes` properties were reached.
  bool sometimes = true;
  // What is left for explaining violations, and whom to tell that there are any; none: no limit, nobody.
  Budget* budget = nullptr;
  Watchdog* watchdog = nullptr;
};

// Fills in the report. A trace that cannot be written makes the verdict an error, after the violation has been shown. Returns the
// runs that were shown, minimised, one for each violation.
// `searched`: the system the result is of, where it is not the instance's, but one that leaves something out.
std::vector<Path> report_findings(const Instance& instance, const TransitionSystem& searched,
                                  const SearchResult& result, const FindingOptions& options, const Output& output,
                                  report::RunReport& report);

// The verdict a search's result stands for. Nothing incomplete ever holds; an unreached `sometimes` is a violation only once
// everything has been looked at.
Verdict verdict_of(const SearchResult& result);

}  // namespace heddle::cli
