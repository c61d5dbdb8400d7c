// Continues a found run by searches below its last state, and hands what they find to the Classifier.
#include "run/refinement.h"

#include <algorithm>

#include "check/refinement/classification.h"
#include "check/refinement/refinements.h"
#include "explore/continued.h"
#include "report/numbers.h"

namespace heddle::run {
namespace {

const Finding* find_if(const std::vector<Finding>& findings, auto&& matches) {
  const auto it = std::ranges::find_if(findings, matches);
  return it == findings.end() ? nullptr : &*it;
}

std::vector<SlotVector> repeated(const TransitionSystem& system, const Path& path) {
  auto states = follow(system, path);
  if (!states) throw ModelError("a run that was found cannot be repeated; --audit-handlers names the handler");
  return *std::move(states);
}

// Returns the state that a found run ends in. It is already known if the run has been explained.
SlotVector last_state(const TransitionSystem& system, const CheckResult& result, const Finding& finding) {
  const auto shown = std::ranges::find(result.violations, finding.property, &Violation::property);
  return shown != result.violations.end() ? shown->last : repeated(system, finding.path).back();
}

std::string own_properties(const TransitionSystem& system, std::size_t refinement) {
  std::string text;
  for (std::size_t i = 0; i < refinement; ++i) {
    if (system.properties()[i].kind != Property::Kind::Always) continue;
    text += (text.empty() ? "" : " or ") + system.properties()[i].name;
  }
  return text;
}

// Searches what is reachable from a state, for properties first .. first + count - 1 only.
SearchResult search_below(const TransitionSystem& system, const SlotVector& state, const SearchOptions& options,
                          std::size_t first, std::size_t count) {
  SearchOptions below = options;
  below.order = SearchOptions::Order::BreadthFirst;
  below.store = SearchOptions::Store::Exact;
  below.stop_at_violation = true;
  below.selector = nullptr;
  below.canonicalizer = nullptr;
  below.progress = nullptr;
  return search(Continued(system, state, first, count), below);
}

FoundBelow covered_by(const SearchResult& found) {
  return {.complete = found.complete,
          .explored = report::counted(found.counters.states, "state"),
          .stopped_by = found.stopped_by};
}

// Looks for a property of the model that is violated when a run goes on after a rejected call.
FoundBelow violated_below(const TransitionSystem& system, const SlotVector& state, const SearchOptions& options,
                          std::size_t refinement) {
  const SearchResult found = search_below(system, state, options, 0, refinement);
  FoundBelow below = covered_by(found);
  const Finding* real = find_if(found.violations, [&](const Finding& f) {
    return system.properties()[f.property].kind == Property::Kind::Always;
  });
  if (real == nullptr) return below;
  below.what = system.properties()[real->property].name;
  if (!real->path.steps.empty()) below.later = report::counted(real->path.steps.size(), "step");
  return below;
}

// Looks for a call that is rejected when a run goes on whose calls were all accepted.
FoundBelow rejected_below(const TransitionSystem& system, const SlotVector& state, const SearchOptions& options,
                          std::size_t refinement) {
  const SearchResult found = search_below(system, state, options, refinement, 1);
  FoundBelow below = covered_by(found);
  if (found.violations.empty()) return below;
  const Path& path = found.violations[0].path;
  const SlotVector last = repeated(Continued(system, state, refinement, 1), path).back();
  const RefinementFailure failure = system.refinements()->refinement_failure(last);
  below.what = failure.call;
  below.why = failure.property.empty() ? failure.clause : failure.property;
  below.later = report::counted(path.steps.size(), "step");
  return below;
}

// Tells the classifier of the model's own properties that were violated, each in its own run.
void compare_with_properties(const TransitionSystem& system, const CheckResult& result, const SearchOptions& options,
                             bool classify, const RefinementRun& run, Classifier& classifier) {
  for (const Finding& f : result.search.violations) {
    if (f.property >= run.property || system.properties()[f.property].kind != Property::Kind::Always) continue;
    const std::string& property = system.properties()[f.property].name;
    const SlotVector last = last_state(system, result, f);
    const RefinementFailure failure = system.refinements()->refinement_failure(last);
    const std::string steps = report::counted(f.path.steps.size(), "step");
    if (!failure.call.empty()) {
      classifier.violated_and_rejected(property, steps, failure.call);
    } else if (run.implied && std::ranges::find(*run.implied, property) == run.implied->end()) {
      classifier.violated_and_not_implied(property);
    } else {
      std::optional<FoundBelow> below;
      if (classify) below = rejected_below(system, last, options, run.property);
      classifier.violated_and_accepted(property, steps, below, !run.implied);
    }
  }
}

}  // namespace

std::optional<report::RefinementReport> judge_refinement(const TransitionSystem& system,
                                                         const TransitionSystem& searched, const CheckResult& result,
                                                         const SearchOptions& options, bool classify) {
  const auto run = refinement_of(system);
  if (!run) return std::nullopt;
  report::RefinementReport r;
  r.object = run->object;
  r.specification = run->specification;
  r.points = run->points;
  r.counts = refinement_of(searched)->counts;
  const SearchResult& found = result.search;
  Classifier classifier(run->object, classify);
  const Finding* failed = find_if(found.violations, [&](const Finding& f) { return f.property == run->property; });
  r.verdict = failed != nullptr ? Verdict::Violated : found.complete ? Verdict::Holds : Verdict::Unknown;
  if (failed != nullptr) {
    const SlotVector state = last_state(system, result, *failed);
    const RefinementFailure failure = system.refinements()->refinement_failure(state);
    r.call = failure.call;
    r.clause = failure.clause;
    r.property = failure.property;
    r.witness = failure.witness;
    std::optional<FoundBelow> below;
    if (classify) below = violated_below(system, state, options, run->property);
    classifier.rejected(failure.missing, own_properties(system, run->property), below);
  }
  compare_with_properties(system, result, options, classify, *run, classifier);
  r.classification = classifier.result().name;
  r.advice = classifier.result().advice;
  r.notes = classifier.result().notes;
  for (const RefinementRun::Quorums& q : run->quorums) r.quorums.push_back(q.text);
  return r;
}

}  // namespace heddle::run
