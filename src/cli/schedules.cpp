// heddle schedules: the options and words of run/schedules.h, which runs a model with schedulers of receipts and
// compares the histories they find.
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/command_arguments.h"
#include "cli/findings.h"
#include "cli/output.h"
#include "cli/run_arguments.h"
#include "cli/watchdog.h"
#include "core/budget.h"
#include "report/schedule_table.h"
#include "run/memory_limit.h"
#include "run/quantities.h"
#include "run/schedules.h"

namespace heddle::cli {
namespace {

struct SchedulesArguments : SchedulesOptions, BudgetArguments {
  RunArguments run;
  FindingOptions findings;
  schedule::ScheduleOptions options;
  bool ascii;
};

void show_exclusions(const run::ExclusionsResult& result, const Output& output, report::RunReport& report) {
  const schedule::ExclusionReport& e = result.report;
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
  output.show(*result.witness, false);
  report.trace_steps = e.witness->steps.size();
}

void run_schedules(const SchedulesArguments& a, const Output& output, report::RunReport& report) {
  report.command = "schedules";
  report.search = "schedules";
  report.store = "exact";
  run::SchedulesRequest request{.schedulers = run::schedulers_named(a.scheduler),
                                .options = a.options,
                                .fold_clients = !a.unfolded,
                                .minimise = !a.findings.no_minimise,
                                .ascii = a.ascii};
  Limits& limits = request.options.limits;
  if (!a.time.empty()) run::set_time_limit(a.time, limits);
  limits.bytes = run::set_memory_limit(run::parse_memory(a.memory));
  RunArguments run = a.run;
  if (!a.findings.no_trace) keep_model_file("--trace", a.findings.trace_file, run);
  if (!a.harness.empty()) run.parameters.push_back("harness=" + a.harness);
  request.build = build_options(run);
  Budget clock(limits);
  request.budget = &clock;
  Watchdog watchdog(limits, output, report);
  const run::FiniteInstance finite = run::finite_instance(open_source(run, report), settings_of(run));
  if (!finite.changed.empty()) output.say(finite.changed);
  Teller teller(a.findings, false, output, watchdog, report);
  if (a.verify_exclusions) {
    const run::ExclusionsResult exclusions = run::check_exclusions(finite.instance, request, teller);
    show_exclusions(exclusions, output, report);
    report.counters.states = exclusions.states;
    report.peak_bytes = peak_resident_bytes();
    return;
  }
  request.scheduled = [&](const run::SchedulesResult& result) {
    report.sections.at<report::SchedulersReport>().all = result.schedulers;
    run::describe(result, report);
    watchdog.note(report);
  };
  request.compared = [&](const run::SchedulesResult& result) { output.say(report::schedule_table(result.schedulers)); };
  teller.tell(run::schedules(finite.instance, request, teller));
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
