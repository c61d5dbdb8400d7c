// Checking a model, from what the user named to the verdict: the call behind `heddle check`, the tests, the benches and
// heddle::check (include/heddle/check.h).
//
//   Listener nobody;
//   const CheckResult result = check(open("paxos"), {}, nobody);
//   result.verdict == Verdict::Holds
//
// The way of a model. It is built twice at most: as it is, and, where reductions leave something out of states (auxiliary data,
// dead messages), without that. The search goes through the second. What it finds is looked for in the first (recall); if it is
// not there, the search is repeated with nothing left out. Then findings are judged (findings.h) and refinement is classified
// (refinement.h).
//
// Not thread-safe: the limit of memory is that of the process, and it is lifted when the search has ended.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/budget.h"
#include "explore/search.h"
#include "reduce/reduced_search.h"
#include "run/listener.h"
#include "run/result.h"
#include "run/source.h"

namespace heddle::run {

// All reductions there are; what the model turns out not to allow is left out.
ReductionPlan every_reduction();

// The defaults are those of `heddle check`.
struct CheckRequest {
  RunSettings settings = {};  // for check(Source); an instance has its own
  BuildOptions build = {};    // memoise, audit_handlers; what the plan needs is added
  SearchOptions search = {};
  ReductionPlan plan = every_reduction();
  Split split = Split::Combined;           // of transitions, for partial order reduction
  bool tell_skipped = false;               // say which parts of the plan do not apply
  bool verify_reduction = false;           // search without reductions too and compare
  std::string linearizable = {};           // insist on clients being compared with this object (linearizable_object.h)
  bool needs_refinement = false;           // it is an error if the run has none
  bool classify = false;                   // search below a rejected call (refinement.h)
  bool explain = true;                     // make traces of violations
  bool minimise = true;                    // ... of the smallest runs that still show them
  bool ascii = false;                      // explanations without Unicode
  bool watch_growth = false;               // Listener::grows
  std::optional<std::size_t> memory = {};  // bytes that the process may hold; none: most of what the machine has left
  Budget* budget = nullptr;                // began earlier, with the limits of `search`; none: one of its own
};

// Throws UsageError, and ModelError for what the user did wrong in the model; Listener::failed has been called then.
CheckResult check(const Source& source, const CheckRequest& request, Listener& listener);
CheckResult check(const Instance& instance, const CheckRequest& request, Listener& listener);

}  // namespace heddle::run
