// The judgement of what a search found: the verdict of each property, and its violations as traces that explain themselves.
//
// A run that was found is executed once more, to see its states; minimising is a search of its own.
#pragma once

#include "core/budget.h"
#include "run/listener.h"
#include "run/result.h"
#include "run/source.h"

namespace heddle::run {

struct JudgeOptions {
  bool explain = true;   // make traces of violations
  bool minimise = true;  // ... of the smallest runs that still show them
  // The search could in principle have seen everything; otherwise its being incomplete says nothing about what grows.
  bool exhaustive = true;
  bool ascii = false;        // explanations without Unicode
  Budget* budget = nullptr;  // what is left for explaining violations; none: no limit
};

// Judges result.search, whose findings are runs of `system`. `searched` is the system the counts are of, where it is another
// one that leaves something out. Paths that were minimised replace those in result.search.
void judge(const Instance& instance, const TransitionSystem& system, const TransitionSystem& searched,
           const JudgeOptions& options, Listener& listener, CheckResult& result);

// The verdict a search's result stands for. Nothing incomplete ever holds; an unreached `sometimes` is a violation only once
// everything has been looked at.
Verdict verdict_of(const SearchResult& result);

// Of every property but those about failed code that none has violated.
std::vector<report::PropertyReport> property_reports(const TransitionSystem& system, const SearchResult& result);

}  // namespace heddle::run
