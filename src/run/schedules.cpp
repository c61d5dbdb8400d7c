// Runs one scheduler after the other, each on a new graph, and judges and explains as check.cpp does.
#include "run/schedules.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include "core/budget.h"
#include "core/facets/describer.h"
#include "core/facets/histories.h"
#include "core/remaining.h"
#include "explain/make_trace.h"
#include "run/errors.h"
#include "run/findings.h"
#include "run/suggestions.h"

namespace heddle::run {
namespace {

using schedule::Scheduler;

// Gives the verdict of all schedulers that have run.
void conclude_schedules(const std::optional<Finding>& violation, SchedulesResult& result) {
  const auto sound = std::ranges::find_if(result.schedulers, [](const auto& m) { return !m.may_miss && m.ended; });
  result.complete = sound != result.schedulers.end();
  result.verdict = violation ? Verdict::Violated : result.complete ? Verdict::Holds : Verdict::Unknown;
  result.stopped_by.clear();
  if (result.verdict != Verdict::Unknown) return;
  result.stopped_by = "no scheduler that misses nothing has ended";
  for (const ScheduleMetrics& m : result.schedulers) {
    if (!m.may_miss) result.stopped_by += fmt::format(" ({}: {})", m.scheduler, m.stopped_by);
  }
  const auto folded = [](const auto& m) { return m.ended && !m.misses_because.empty(); };
  if (std::ranges::any_of(result.schedulers, folded)) result.stopped_by += "; --unfolded leaves out nothing";
}

// Builds the system and begins the run.
std::unique_ptr<TransitionSystem> begin(const Instance& instance, const SchedulesRequest& request, Listener& listener,
                                        CheckResult& result) {
  std::unique_ptr<TransitionSystem> system = instance.build(request.build);
  listener.built(instance);
  if (history_properties_of(*system) == 0) {
    throw ModelError(
        "schedules are judged by the histories of clients, and this model has none: its clients must Invoke and "
        "Return, "
        "and Model::linearizable must say what they may see");
  }
  result.warnings = system->describer().warnings();
  listener.begins(instance, result);
  listener.searching(result);
  return system;
}

}  // namespace

std::vector<const Scheduler*> schedulers_named(const std::string& list) {
  std::vector<const Scheduler*> chosen;
  std::vector<std::string> names;
  for (const Scheduler& s : schedule::schedulers()) {
    names.emplace_back(s.name);
    // The sound DPORs schedule clients' steps as well and take far longer, so they run only if they are named.
    const bool dpor = s.kind == Scheduler::Kind::Source || s.kind == Scheduler::Kind::Optimal;
    if (list == "all" && !dpor) chosen.push_back(&s);
    if (list == "sound" && !s.may_miss) chosen.push_back(&s);
  }
  const bool named = chosen.empty();
  for (std::size_t at = 0; named && at <= list.size();) {
    const std::size_t comma = std::min(list.find(',', at), list.size());
    const std::string name = list.substr(at, comma - at);
    const Scheduler* s = schedule::find_scheduler(name);
    if (s == nullptr) {
      throw UsageError(fmt::format("--scheduler: there is no scheduler '{}'; choose from {}; or all, or sound", name,
                                   listed(names)));
    }
    chosen.push_back(s);
    at = comma + 1;
  }
  return chosen;
}

FiniteInstance finite_instance(const Source& source, RunSettings settings) {
  FiniteInstance finite{source.instance(settings)};
  const auto network = finite.instance.options.find("network");  // a place/transition net has no network
  if (network == finite.instance.options.end() || network->second != "soup") return finite;
  if (settings.switches.contains("network")) {
    throw UsageError(
        "--network soup: messages stay for ever, so that no schedule ends; use --network multiset, or heddle check");
  }
  settings.switches["network"] = "multiset";
  finite.instance = source.instance(settings);
  finite.changed =
      fmt::format("the network of {} is a soup, in which no schedule ends: scheduled with --network multiset",
                  finite.instance.model);
  return finite;
}

SchedulesResult schedules(const Instance& instance, const SchedulesRequest& request, Listener& listener) {
  Budget own(request.options.limits);
  Budget& clock = request.budget != nullptr ? *request.budget : own;
  SchedulesResult result;
  const std::unique_ptr<TransitionSystem> system = begin(instance, request, listener, result);
  std::optional<Finding> violation;
  for (std::size_t i = 0; i < request.schedulers.size(); ++i) {
    const Scheduler& scheduler = *request.schedulers[i];
    // Each scheduler gets a new graph, so that none profits from what another has looked up.
    schedule::ReceiveGraph graph(*system, {.fold_clients = request.fold_clients});
    schedule::ScheduleOptions options = request.options;
    const bool random = scheduler.kind == Scheduler::Kind::Random || scheduler.kind == Scheduler::Kind::Priority;
    if (random) options.cutoff = 2 * request.options.cutoff;
    // The time is for the whole call: each scheduler gets an equal share of what is left when it begins.
    options.limits.seconds = remaining(clock).seconds / static_cast<double>(request.schedulers.size() - i);
    schedule::ScheduleResult r = run_scheduler(graph, scheduler, options);
    if (r.violation && (!violation || r.violation->path.steps.size() < violation->path.steps.size())) {
      violation = std::move(r.violation);
    }
    result.counters.states = std::max<std::uint64_t>(result.counters.states, graph.nodes());
    result.counters.transitions += r.metrics.steps;
    result.counters.depth = std::max(result.counters.depth, r.metrics.longest);
    if (r.metrics.stopped_by.starts_with("time limit")) {
      r.metrics.stopped_by =
          (request.schedulers.size() > 1 ? "its share of the " : "") + time_limit_text(request.options.limits);
    }
    result.schedulers.push_back(std::move(r.metrics));
    conclude_schedules(violation, result);
    if (violation) result.property = system->properties()[violation->property].name;
    request.scheduled(result);
    if (Budget::interrupted()) break;
  }
  conclude_schedules(violation, result);
  const Verdict verdict = result.verdict;
  result.search.counters = result.counters;
  result.search.complete = result.complete;
  result.search.stopped_by = result.stopped_by;
  if (violation) result.search.violations.push_back(*violation);
  result.peak_bytes = peak_resident_bytes();
  request.compared(result);
  judge(instance, *system, *system,
        {.minimise = request.minimise, .exhaustive = false, .ascii = request.ascii, .budget = &clock}, listener,
        result);
  result.verdict = verdict;
  // The schedulers looked only at properties of histories.
  const std::uint64_t looked_at = history_properties_of(*system);
  for (std::size_t i = 0; i < result.properties.size(); ++i) {
    if ((looked_at >> i & 1) == 0) result.properties[i].result = Verdict::Unknown;
  }
  return result;
}

ExclusionsResult check_exclusions(const Instance& instance, const SchedulesRequest& request, Listener& listener) {
  CheckResult about;
  const std::unique_ptr<TransitionSystem> system = begin(instance, request, listener, about);
  schedule::ReceiveGraph graph(*system, {.fold_clients = request.fold_clients});
  ExclusionsResult result{verify_exclusions(graph, request.options.limits)};
  result.states = graph.nodes();
  if (result.report.witness) {
    std::optional<std::size_t> property;
    if (result.report.witness_violates) {
      property = static_cast<std::size_t>(std::countr_zero(history_properties_of(*system)));
    }
    result.witness = explain::make_trace(*system, *result.report.witness, property);
    instance.describe(*result.witness);
  }
  return result;
}

}  // namespace heddle::run
