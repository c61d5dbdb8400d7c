#include "run/refinement.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/refinement/refinements.h"
#include "explore/continued.h"
#include "report/numbers.h"

namespace heddle::run {
namespace {

const Finding* find_if(const std::vector<Finding>& findings, auto&& matches) {
  const auto it = std::ranges::find_if(findings, matches);
  return it == findings.end() ? nullptr : &*it;
}

// The state a run that was found ends in, which is known where the run has been explained.
SlotVector last_state(const TransitionSystem& system, const CheckResult& result, const Finding& finding) {
  const auto shown = std::ranges::find(result.violations, finding.property, &Violation::property);
  if (shown != result.violations.end()) return shown->last;
  const auto states = follow(system, finding.path);
  if (!states) throw ModelError("a run that was found cannot be repeated; --audit-handlers names the handler");
  return states->back();
}

std::string own_properties(const TransitionSystem& system, std::size_t refinement) {
  std::string text;
  for (std::size_t i = 0; i < refinement; ++i) {
    if (system.properties()[i].kind != Property::Kind::Always) continue;
    text += (text.empty() ? "" : " or ") + system.properties()[i].name;
  }
  return text;
}

// What lies below a state, as far as properties first .. first + count - 1 are concerned.
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

void classify_failure(const TransitionSystem& system, const SlotVector& state, const RefinementFailure& failure,
                      const SearchOptions& options, report::RefinementReport& out, std::size_t refinement) {
  const std::string properties = own_properties(system, refinement);
  const SearchResult found = search_below(system, state, options, 0, refinement);
  const Finding* real = find_if(found.violations, [&](const Finding& f) {
    return system.properties()[f.property].kind == Property::Kind::Always;
  });
  if (real != nullptr) {
    const std::size_t later = real->path.steps.size();
    out.classification = "CONFIRMED";
    out.advice = fmt::format(
        "{} is violated {}", system.properties()[real->property].name,
        later == 0 ? "by this very step"
                   : fmt::format("{} later in a run that goes on from here", report::counted(later, "step")));
    return;
  }
  const std::string covered =
      properties.empty() ? "the model states no property of its own to compare with"
      : found.complete   ? fmt::format("no run that goes on from here within these bounds violates {}", properties)
                         : fmt::format("in the {} explored below, none violates {} ({})",
                                       report::counted(found.counters.states, "state"), properties, found.stopped_by);
  if (failure.missing) {
    out.classification = "ANNOTATION-SUSPECT";
    out.advice =
        covered + "; an earlier call is missing, so look first at the annotation: which step should have made it?";
  } else {
    out.classification = "LATENT";
    out.advice =
        covered +
        "; a larger instance may, or the annotation of the last step or of the step the witness names is wrong: "
        "compare the round, value and parent it records with what the messages say";
  }
}

// A property of the model is violated at the end of a run in which the object accepted every call. The object may notice later, in
// which case it is the linearization point that is late; or never, and the annotation is blind.
struct Unnoticed {
  std::string call;  // rejected later; empty: none is, or it was not looked for
  std::string why;   // the rest of a sentence
};

Unnoticed look_for_call(const TransitionSystem& system, const CheckResult& result, const Finding& finding,
                        const SearchOptions& options, bool classify, std::size_t refinement) {
  const std::string& property = system.properties()[finding.property].name;
  std::string remedy =
      "a step of it should make one (`decided` where a process takes something to be decided, and the commits that "
      "cover "
      "it)";
  if (!refinement_of(system)->implied) {
    remedy += fmt::format(", or {} says more than the object: then name what it does imply, with `implies`", property);
  }
  if (!classify) return {"", fmt::format("{}; --classify looks for one below", remedy)};
  const SlotVector state = last_state(system, result, finding);
  const SearchResult found = search_below(system, state, options, refinement, 1);
  if (found.violations.empty()) {
    const std::string covered = found.complete
                                    ? "nor does it reject one in any run that goes on from there within these bounds"
                                    : fmt::format("nor does it reject one in the {} explored below ({})",
                                                  report::counted(found.counters.states, "state"), found.stopped_by);
    return {"", fmt::format("{}: the annotation is blind; {}", covered, remedy)};
  }
  const Path& path = found.violations[0].path;
  const auto states = follow(Continued(system, state, refinement, 1), path);
  if (!states) throw ModelError("a run that was found cannot be repeated; --audit-handlers names the handler");
  const RefinementFailure failure = system.refinements()->refinement_failure(states->back());
  return {
      failure.call,
      fmt::format("{} later, in a run that goes on from there, it rejects {} ({}): if the two belong together, that "
                  "linearization point is late",
                  report::counted(path.steps.size(), "step"), failure.call,
                  failure.property.empty() ? failure.clause : failure.property)};
}

// The model's own properties that were violated, in runs of their own. What is said of the rejected call stays what it is; only if no
// call was rejected do they decide on the class.
void compare_with_properties(const TransitionSystem& system, const CheckResult& result, const SearchOptions& options,
                             bool classify, bool rejected, report::RefinementReport& r, std::size_t refinement) {
  const auto implied = refinement_of(system)->implied;
  for (const Finding& f : result.search.violations) {
    if (f.property >= refinement || system.properties()[f.property].kind != Property::Kind::Always) continue;
    const std::string& property = system.properties()[f.property].name;
    const RefinementFailure failure = system.refinements()->refinement_failure(last_state(system, result, f));
    const std::string steps = report::counted(f.path.steps.size(), "step");
    if (!failure.call.empty()) {
      if (r.classification == "CONFIRMED" || !classify) continue;
      r.classification = "CONFIRMED";
      r.advice = fmt::format("{} is violated in another run, of {}, in which {} rejects {}", property, steps, r.object,
                             failure.call);
      continue;
    }
    if (implied && std::ranges::find(*implied, property) == implied->end()) {
      r.notes.push_back(fmt::format(
          "{} is violated though {} accepted every call of that run: it is a matter of its own, {} does not "
          "imply it",
          property, r.object, r.object));
      continue;
    }
    const Unnoticed unnoticed = look_for_call(system, result, f, options, classify, refinement);
    if (rejected || !r.classification.empty()) {
      r.notes.push_back(fmt::format("{} is violated in another run, of {}, in which {} accepts every call; {}",
                                    property, steps, r.object, unnoticed.why));
      continue;
    }
    r.classification = unnoticed.call.empty() ? "ANNOTATION-SUSPECT" : "CONFIRMED";
    r.advice = fmt::format("{} is violated although {} accepted every call of that run; {}", property, r.object,
                           unnoticed.why);
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
  const Finding* failed = find_if(found.violations, [&](const Finding& f) { return f.property == run->property; });
  r.verdict = failed != nullptr ? Verdict::Violated : found.complete ? Verdict::Holds : Verdict::Unknown;
  if (failed != nullptr) {
    const SlotVector state = last_state(system, result, *failed);
    const RefinementFailure failure = system.refinements()->refinement_failure(state);
    r.call = failure.call;
    r.clause = failure.clause;
    r.property = failure.property;
    r.witness = failure.witness;
    if (classify) classify_failure(system, state, failure, options, r, run->property);
  }
  compare_with_properties(system, result, options, classify, failed != nullptr, r, run->property);
  for (const RefinementRun::Quorums& q : run->quorums) r.quorums.push_back(q.text);
  return r;
}

}  // namespace heddle::run
