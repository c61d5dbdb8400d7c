// Verdicts from findings; then each finding is minimised, executed and made a trace.
#include "run/findings.h"

#include <algorithm>
#include <utility>

#include "core/facets/assumptions.h"
#include "core/facets/describer.h"
#include "core/failure_properties.h"
#include "core/remaining.h"
#include "explain/make_trace.h"
#include "explain/minimise.h"
#include "run/failures.h"

namespace heddle::run {
namespace {

const Finding* find(const std::vector<Finding>& findings, std::size_t property) {
  const auto it = std::ranges::find(findings, property, &Finding::property);
  return it == findings.end() ? nullptr : &*it;
}

std::vector<Sometimes> sometimes_of(const TransitionSystem& system, const SearchResult& result) {
  std::vector<Sometimes> all;
  for (std::size_t i = 0; i < system.properties().size(); ++i) {
    const Property& property = system.properties()[i];
    if (property.kind != Property::Kind::Sometimes) continue;
    Sometimes& one = all.emplace_back(Sometimes{property.name, std::nullopt});
    if (const Finding* witness = find(result.witnesses, i)) one.steps = witness->path.steps.size();
  }
  return all;
}

// Looking for a smaller instance must not take much longer than finding the violation did.
constexpr double most_seconds_to_shrink = 20;

Violation explained(const Instance& instance, const TransitionSystem& as_found, const Finding& as_found_in,
                    const JudgeOptions& options) {
  std::optional<SmallerInstance> smaller;
  if (options.minimise && instance.smaller) {
    Limits limits = options.budget != nullptr ? remaining(*options.budget) : Limits{};
    limits.seconds = std::min(limits.seconds, most_seconds_to_shrink);
    smaller = instance.smaller(as_found, as_found_in, limits);
  }
  const TransitionSystem& system = smaller ? *smaller->system : as_found;
  const Finding& finding = smaller ? smaller->finding : as_found_in;
  explain::MinimiseOptions effort;
  if (options.budget != nullptr) effort.wall_seconds = remaining(*options.budget).seconds;
  Violation violation;
  violation.property = finding.property;
  violation.found = finding.path.steps.size();
  violation.path = finding.path;
  try {
    if (options.minimise) violation.path = explain::minimise(system, finding, effort);
  } catch (const Mistaken&) {
    // A variation of the run needs what the system assumed not to be needed. The run as it was found does not.
  }
  const std::vector<SlotVector> states = explain::states_of(system, violation.path);
  violation.trace = explain::make_trace(system, violation.path, states, finding.property);
  instance.describe(violation.trace);
  if (smaller) {
    violation.trace.options = smaller->options;
    violation.reduced_from = smaller->from;
  }
  violation.why = explain::explain_run(system, finding.property, states.back(), options.ascii, options.budget);
  violation.last = states.back();
  return violation;
}

}  // namespace

Verdict verdict_of(const SearchResult& result) {
  if (!result.violations.empty()) return Verdict::Violated;
  if (!result.complete) return Verdict::Unknown;
  return result.unreached.empty() ? Verdict::Holds : Verdict::Violated;
}

std::vector<report::PropertyReport> property_reports(const TransitionSystem& system, const SearchResult& result) {
  std::vector<report::PropertyReport> all;
  for (std::size_t i = 0; i < system.properties().size(); ++i) {
    const Property& property = system.properties()[i];
    if (about_failures(property) != AboutFailures::No && find(result.violations, i) == nullptr) continue;
    Verdict verdict = result.complete ? Verdict::Holds : Verdict::Unknown;
    if (find(result.violations, i) != nullptr) verdict = Verdict::Violated;
    if (property.kind == Property::Kind::Sometimes) {
      const bool reached = find(result.witnesses, i) != nullptr;
      verdict = reached ? Verdict::Holds : result.complete ? Verdict::Violated : Verdict::Unknown;
    }
    all.push_back({property.name, property.kind, verdict});
  }
  return all;
}

void judge(const Instance& instance, const TransitionSystem& system, const TransitionSystem& searched,
           const JudgeOptions& options, Listener& listener, CheckResult& result) {
  SearchResult& found = result.search;
  result.verdict = verdict_of(found);
  result.complete = found.complete;
  result.counters = found.counters;
  result.stopped_by = found.stopped_by;
  result.note = found.note;
  result.properties = property_reports(system, found);
  result.sometimes = sometimes_of(system, found);
  result.states_properties = std::ranges::any_of(
      system.properties(), [](const Property& p) { return about_failures(p) == AboutFailures::No; });
  const bool unending = options.exhaustive && result.verdict == Verdict::Unknown;
  // This comes before minimising, which adds to the tables.
  if (unending || found.counters.cut_off > 0) result.growth = searched.describer().growth();
  if (found.violations.empty() && result.verdict == Verdict::Violated) {
    result.property = system.properties()[found.unreached.front()].name;
  }
  if (!found.violations.empty()) result.property = system.properties()[found.violations.front().property].name;
  listener.judged(result);
  if (!options.explain) return;
  for (std::size_t i = 0; i < found.violations.size(); ++i) {
    Finding& finding = found.violations[i];
    Violation& violation = result.violations.emplace_back(explained(instance, system, finding, options));
    if (violation.reduced_from.empty()) finding.path = violation.path;
    if (i == 0) judge_failure(system.properties()[finding.property], violation.trace, result);
    listener.shows(violation, i + 1, result);
  }
  listener.shown(result);
}

}  // namespace heddle::run
