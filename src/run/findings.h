// Judges what a search found: gives each property a verdict, and turns violations into traces that explain themselves.
//
// A run that was found is executed once more, to see its states; minimising is another search.
#pragma once

#include "core/budget.h"
#include "run/listener.h"
#include "run/result.h"
#include "run/source.h"

namespace heddle::run {

struct JudgeOptions {
  bool explain = true;   // make traces of violations
  bool minimise = true;  // ... of the smallest runs that still show them
  // The search could in principle have seen everything. Otherwise its incompleteness does not mean that states grow.
  bool exhaustive = true;
  bool ascii = false;        // explanations without Unicode
  Budget* budget = nullptr;  // the rest of it is for explaining violations; none: no limit
};

// Judges result.search, whose findings are runs of `system`. `searched` is the system that was explored: `system`
// itself, or one that leaves something out of states. Minimised paths replace those in result.search.
void judge(const Instance& instance, const TransitionSystem& system, const TransitionSystem& searched,
           const JudgeOptions& options, Listener& listener, CheckResult& result);

// Returns the verdict of a search. An incomplete search never holds. An unreached `sometimes` is a violation only if
// the search is complete.
Verdict verdict_of(const SearchResult& result);

// Returns a report of every property. Properties about failed code are left out unless they are violated.
std::vector<report::PropertyReport> property_reports(const TransitionSystem& system, const SearchResult& result);

}  // namespace heddle::run
