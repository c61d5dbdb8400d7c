// heddle schedules: runs a model with schedulers of receipts and compares the histories they find.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>

#include "cli/command.h"
#include "cli/command_arguments.h"
#include "cli/errors.h"
#include "cli/findings.h"
#include "cli/output.h"
#include "cli/run_arguments.h"
#include "cli/watchdog.h"
#include "core/budget.h"
#include "core/facets/describer.h"
#include "core/facets/histories.h"
#include "core/remaining.h"
#include "explain/make_trace.h"
#include "report/numbers.h"
#include "report/schedule_table.h"
#include "run/findings.h"
#include "run/memory_limit.h"
#include "run/quantities.h"
#include "run/suggestions.h"
#include "stateless/exclusions.h"
#include "stateless/scheduler.h"

namespace heddle::cli {
namespace {

struct SchedulesArguments : SchedulesOptions, BudgetArguments {
  RunArguments run;
  FindingOptions findings;
  schedule::ScheduleOptions options;
  bool ascii;
};

std::vector<const schedule::Scheduler*> chosen_schedulers(const std::string& text) {
  std::vector<const schedule::Scheduler*> chosen;
  std::vector<std::string> names;
  for (const schedule::Scheduler& s : schedule::schedulers()) {
    names.emplace_back(s.name);
    // The sound DPORs schedule clients' steps as well and take far longer, so they run only if they are named.
    const bool dpor = s.kind == schedule::Scheduler::Kind::Source || s.kind == schedule::Scheduler::Kind::Optimal;
    if (text == "all" && !dpor) chosen.push_back(&s);
    if (text == "sound" && !s.may_miss) chosen.push_back(&s);
  }
  const bool named = chosen.empty();
  for (std::size_t at = 0; named && at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::string name = text.substr(at, comma - at);
    const schedule::Scheduler* s = schedule::find_scheduler(name);
    if (s == nullptr) {
      throw UsageError(fmt::format("--scheduler: there is no scheduler '{}'; choose from {}; or all, or sound", name,
                                   run::listed(names)));
    }
    chosen.push_back(s);
    at = comma + 1;
  }
  return chosen;
}

// Gives the verdict. A sound scheduler that ended decides; without one, only a violation does.
void conclude(report::RunReport& report, const std::optional<Finding>& violation) {
  const std::vector<ScheduleMetrics>& schedulers = report.sections.at<report::SchedulersReport>().all;
  const auto sound = std::ranges::find_if(schedulers, [](const auto& m) { return !m.may_miss && m.ended; });
  report.complete = sound != schedulers.end();
  report.verdict = violation ? Verdict::Violated : report.complete ? Verdict::Holds : Verdict::Unknown;
  report.stopped_by.clear();
  if (report.verdict == Verdict::Unknown) {
    report.stopped_by = "no scheduler that misses nothing has ended";
    for (const ScheduleMetrics& m : schedulers) {
      if (!m.may_miss) report.stopped_by += fmt::format(" ({}: {})", m.scheduler, m.stopped_by);
    }
    const auto folded = [](const auto& m) { return m.ended && !m.misses_because.empty(); };
    if (std::ranges::any_of(schedulers, folded)) report.stopped_by += "; --unfolded leaves out nothing";
  }
}

void show_exclusions(const run::Instance& instance, const TransitionSystem& system, const schedule::ExclusionReport& e,
                     const Output& output, report::RunReport& report) {
  report.complete = e.complete;
  report.property = "exclusions";
  if (!e.any && e.complete) {
    report.verdict = Verdict::Holds;
    output.say("nothing that the model excludes is ever received");
    return;
  }
  if (!e.complete) {
    report.verdict = Verdict::Unknown;
    report.stopped_by = e.stopped_by;
    return;
  }
  report.verdict = e.lost == 0 ? Verdict::Holds : Verdict::Violated;
  const std::string histories = fmt::format("{} {}", e.histories, e.histories == 1 ? "history" : "histories");
  if (e.lost == 0) {
    output.say(
        fmt::format("the exclusions are safe here: receiving them at once or later gives the same {}", histories));
    return;
  }
  output.say(
      fmt::format("the exclusions are not safe: of {} up to commuting events, {} occur only if an excluded message "
                  "waits, {} of them not "
                  "linearizable. For instance:",
                  histories, e.lost, e.lost_violations));
  const std::optional<std::size_t> property =
      e.witness_violates ? std::optional(static_cast<std::size_t>(std::countr_zero(history_properties_of(system))))
                         : std::nullopt;
  trace::Trace trace = explain::make_trace(system, *e.witness, property);
  instance.describe(trace);
  output.show(trace, false);
  report.trace_steps = e.witness->steps.size();
}

// Opens an instance whose runs end. In a soup messages stay forever, so no run ends. If the user did not ask for a
// soup, messages are received once instead; if the user did, this is a UsageError.
run::Instance open_finite_instance(const RunArguments& run, const Output& output, report::RunReport& report) {
  const run::Source source = open_source(run, report);
  run::RunSettings settings = settings_of(run);
  run::Instance instance = source.instance(settings);
  const auto network = instance.options.find("network");  // a place/transition net has no network
  if (network == instance.options.end() || network->second != "soup") return instance;
  if (run.switches.contains("network")) {
    throw UsageError(
        "--network soup: messages stay for ever, so that no schedule ends; use --network multiset, or heddle check");
  }
  settings.switches["network"] = "multiset";
  instance = source.instance(settings);
  output.say(fmt::format("the network of {} is a soup, in which no schedule ends: scheduled with --network multiset",
                         instance.model));
  return instance;
}

void run_schedules(const SchedulesArguments& a, const Output& output, report::RunReport& report) {
  report.command = "schedules";
  report.search = "schedules";
  report.store = "exact";
  schedule::ScheduleOptions options = a.options;
  if (!a.time.empty()) run::set_time_limit(a.time, options.limits);
  options.limits.bytes = run::set_memory_limit(run::parse_memory(a.memory));
  const auto chosen = chosen_schedulers(a.scheduler);
  RunArguments run = a.run;
  if (!a.findings.no_trace) keep_model_file("--trace", a.findings.trace_file, run);
  if (!a.harness.empty()) run.parameters.push_back("harness=" + a.harness);
  Budget clock(options.limits);
  Watchdog watchdog(options.limits, output, report);
  const run::Instance instance = open_finite_instance(run, output, report);
  const std::unique_ptr<TransitionSystem> system = instance.build(build_options(run));
  instance.describe(report);
  if (history_properties_of(*system) == 0) {
    throw ModelError(
        "schedules are judged by the histories of clients, and this model has none: its clients must Invoke and "
        "Return, "
        "and Model::linearizable must say what they may see");
  }
  output.say(instance.title());
  say_warnings(system->describer().warnings(), output, report);
  watchdog.note(report);
  const schedule::ReceiveGraph::Options graph_options{.fold_clients = !a.unfolded};

  if (a.verify_exclusions) {
    schedule::ReceiveGraph graph(*system, graph_options);
    show_exclusions(instance, *system, verify_exclusions(graph, options.limits), output, report);
    report.counters.states = graph.nodes();
    report.peak_bytes = peak_resident_bytes();
    return;
  }

  std::optional<Finding> violation;
  run::CheckResult checked;
  SearchResult& result = checked.search;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const schedule::Scheduler* s = chosen[i];
    // Each scheduler gets a new graph, so that none profits from what another has looked up.
    schedule::ReceiveGraph graph(*system, graph_options);
    schedule::ScheduleOptions own = options;
    const bool random = s->kind == schedule::Scheduler::Kind::Random || s->kind == schedule::Scheduler::Kind::Priority;
    if (random) own.cutoff = 2 * options.cutoff;
    // The time is for the whole command: each scheduler gets an equal share of what is left when it begins.
    own.limits.seconds = remaining(clock).seconds / static_cast<double>(chosen.size() - i);
    schedule::ScheduleResult r = run_scheduler(graph, *s, own);
    if (r.violation && (!violation || r.violation->path.steps.size() < violation->path.steps.size())) {
      violation = std::move(r.violation);
    }
    result.counters.states = std::max<std::uint64_t>(result.counters.states, graph.nodes());
    result.counters.transitions += r.metrics.steps;
    result.counters.depth = std::max(result.counters.depth, r.metrics.longest);
    if (r.metrics.stopped_by.starts_with("time limit")) {
      r.metrics.stopped_by = (chosen.size() > 1 ? "its share of the " : "") + time_limit_text(options.limits);
    }
    report.sections.at<report::SchedulersReport>().all.push_back(std::move(r.metrics));
    report.counters = result.counters;
    conclude(report, violation);
    if (violation) report.property = system->properties()[violation->property].name;
    watchdog.note(report);
    if (Budget::interrupted()) break;
  }
  output.say(report::schedule_table(report.sections.at<report::SchedulersReport>().all));
  conclude(report, violation);
  const Verdict verdict = report.verdict;
  result.complete = report.complete;
  result.stopped_by = report.stopped_by;
  if (violation) result.violations.push_back(*violation);
  report.peak_bytes = checked.peak_bytes = peak_resident_bytes();
  checked.warnings = report.warnings;
  Teller teller(a.findings, false, output, watchdog, report);
  run::judge(instance, *system, *system,
             {.minimise = !a.findings.no_minimise, .exhaustive = false, .ascii = a.ascii, .budget = &clock}, teller,
             checked);
  teller.tell(checked);
  report.verdict = verdict;
  // The schedulers looked only at properties of histories.
  const std::uint64_t looked_at = history_properties_of(*system);
  for (std::size_t i = 0; i < report.properties.size(); ++i) {
    if ((looked_at >> i & 1) == 0) report.properties[i].result = Verdict::Unknown;
  }
}

}  // namespace

int command_schedules(const Arguments& given) {
  const SchedulesArguments a{
      given.of<SchedulesOptions>(), given.of<BudgetArguments>(),           run_arguments(given),
      given.of<FindingOptions>(),   given.of<schedule::ScheduleOptions>(), given.of<OutputOptions>().ascii};
  const Output output(given.of<OutputOptions>());
  report::RunReport report;
  return run_and_finish(output, report, [&] { run_schedules(a, output, report); });
}

}  // namespace heddle::cli
