// Checks a model, from what the user named to the verdict: the call behind `heddle check`, the tests, the benches and
// heddle::check (include/heddle/check.h).
//
//   Listener nobody;
//   const CheckResult result = check(open("paxos"), {}, nobody);
//   result.verdict == Verdict::Holds
//
// The way of a model. It is built at most twice: as it is and, where reductions leave something out of states
// (auxiliary data, dead messages), without that. The search explores the second system. Each run that it finds is
// looked for in the first system (recall). If a run does not exist there, the search is repeated with nothing left
// out. Then findings are judged (findings.h) and refinement is classified (refinement.h).
//
// Not thread-safe: the memory limit is that of the process, and it is lifted when the search has ended.
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

// Returns a plan of all reductions. The search drops those that the model turns out not to allow.
ReductionPlan every_reduction();

// The defaults are those of `heddle check`.
struct CheckRequest {
  RunSettings settings = {};  // for check(Source); an instance has its own
  BuildOptions build = {};    // memoise, audit_handlers; check() adds what the plan needs
  SearchOptions search = {};
  ReductionPlan plan = every_reduction();
  Split split = Split::Combined;           // of transitions, for partial order reduction
  bool tell_skipped = false;               // say which parts of the plan do not apply
  bool verify_reduction = false;           // repeat the search without reductions and compare
  bool portfolio = false;                  // several reductions side by side (reduce/portfolio.h)
  std::string linearizable = {};           // insist that clients are compared with this object (linearizable_object.h)
  bool needs_refinement = false;           // a run without refinement is an error
  bool classify = false;                   // search below a rejected call (refinement.h)
  bool explain = true;                     // make traces of violations
  bool minimise = true;                    // ... of the smallest runs that still show them
  bool ascii = false;                      // explanations without Unicode
  bool watch_growth = false;               // call Listener::grows
  std::optional<std::size_t> memory = {};  // bytes that the process may hold; none: most of what the machine has left
  Budget* budget = nullptr;                // one that began earlier, with the limits of `search`; none: it begins here
};

// Throws UsageError, and ModelError for what the user did wrong in the model. Listener::failed is called before an
// exception leaves, unless the settings do not fit the source: then no instance exists yet.
CheckResult check(const Source& source, const CheckRequest& request, Listener& listener);
CheckResult check(const Instance& instance, const CheckRequest& request, Listener& listener);

}  // namespace heddle::run
