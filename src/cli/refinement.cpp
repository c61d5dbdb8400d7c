#include "cli/refinement.h"

#include <fmt/format.h>

#include <algorithm>

#include "explore/continued.h"
#include "report/numbers.h"

namespace heddle::cli {
namespace {

const Finding* find_if(const std::vector<Finding>& findings, auto&& matches) {
  const auto it = std::ranges::find_if(findings, matches);
  return it == findings.end() ? nullptr : &*it;
}

SlotVector last_state(const TransitionSystem& system, const Path& path) {
  const auto states = follow(system, path);
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

void classify_failure(const TransitionSystem& system, const SlotVector& state, const RefinementFailure& failure,
                      const SearchOptions& options, report::RefinementReport& out, std::size_t refinement) {
  const std::string properties = own_properties(system, refinement);
  SearchOptions below = options;
  below.order = SearchOptions::Order::BreadthFirst;
  below.store = SearchOptions::Store::Exact;
  below.stop_at_violation = true;
  below.selector = nullptr;
  below.canonicalizer = nullptr;
  below.progress = nullptr;
  const Continued system_below(system, state, refinement);
  const SearchResult found = search(system_below, below);
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

void warn_of_vacuity(const report::RefinementReport& r, const Output& output) {
  const auto none = [&](const char* key) { return !r.counts.contains(key) || r.counts.at(key) == 0; };
  std::uint64_t all = 0;
  for (const auto& [kind, count] : r.counts) all += count;
  if (all == 0) {
    output.say(fmt::format("warning: no step made a call on {}; the annotation says nothing", r.object));
  } else if (!none("adds") && none("commits")) {
    output.say(fmt::format("warning: {} never commits; nothing was decided in what was explored", r.object));
  }
}

}  // namespace

void report_refinement(const Instance& instance, const TransitionSystem& searched, const SearchResult& result,
                       const SearchOptions& options, bool classify, const Output& output, report::RunReport& report) {
  const TransitionSystem& system = *instance.system;
  const auto run = system.refinement();
  if (!run) return;
  report::RefinementReport& r = report.refinement.emplace();
  r.object = run->object;
  r.specification = run->specification;
  r.points = run->points;
  r.counts = searched.refinement()->counts;
  const Finding* failed = find_if(result.violations, [&](const Finding& f) { return f.property == run->property; });
  r.verdict = failed != nullptr ? Verdict::Violated : result.complete ? Verdict::Holds : Verdict::Unknown;
  if (failed != nullptr) {
    const SlotVector state = last_state(system, failed->path);
    const RefinementFailure failure = system.refinement_failure(state);
    r.call = failure.call;
    r.clause = failure.clause;
    r.property = failure.property;
    r.witness = failure.witness;
    if (classify) classify_failure(system, state, failure, options, r, run->property);
    output.say(fmt::format("{} rejects {}: {}{}: {}", r.object, r.call, r.clause,
                           r.property.empty() ? "" : " (" + r.property + ")", r.witness));
    if (!r.classification.empty()) output.say(fmt::format("{}: {}", r.classification, r.advice));
  }
  // Decisions that no call covers: the object is content while the protocol is not.
  for (const Finding& f : result.violations) {
    if (f.property >= run->property || system.properties()[f.property].kind != Property::Kind::Always) continue;
    if (!system.refinement_failure(last_state(system, f.path)).call.empty()) continue;
    const std::string& property = system.properties()[f.property].name;
    if (run->implied && std::ranges::find(*run->implied, property) == run->implied->end()) {
      output.say(
          fmt::format("{} is violated though {} accepted every call of that run: it is a matter of its own, {} does "
                      "not imply it",
                      property, r.object, r.object));
      continue;
    }
    r.classification = "ANNOTATION-SUSPECT";
    r.advice = fmt::format(
        "{} is violated although {} accepted every call of that run: the annotation is blind; record what "
        "processes decide, with `decided`, and the commits that cover it{}",
        property, r.object,
        run->implied ? ""
                     : fmt::format("; or {} does not imply {}: then name what it does imply, with `implies`", r.object,
                                   property));
    output.say(fmt::format("{}: {}", r.classification, r.advice));
  }
  if (failed == nullptr) warn_of_vacuity(r, output);
  std::string counts;
  for (const auto& [kind, count] : r.counts) counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, kind);
  if (!counts.empty()) output.say(fmt::format("different calls on {}: {}", r.object, counts));
}

}  // namespace heddle::cli
