// heddle simulate: executes one random run, to give a feeling for a model, or many runs of a program.
#include "run/simulate.h"

#include <fmt/format.h>

#include <optional>
#include <string>

#include "cli/command.h"
#include "cli/command_arguments.h"
#include "cli/errors.h"
#include "cli/output.h"
#include "cli/run_arguments.h"
#include "cli/watchdog.h"
#include "report/json_view.h"
#include "report/page_report.h"

namespace heddle::cli {
namespace {

struct SimulateArguments : SimulateOptions {
  RunArguments run;
};

std::optional<ThreadStrategy> strategy_of(const std::string& name) {
  if (name.empty()) return std::nullopt;
  if (name == "random") return ThreadStrategy::Uniform;
  if (name == "pct") return ThreadStrategy::Priorities;
  if (name == "pos") return ThreadStrategy::PartialOrders;
  throw UsageError(fmt::format("--strategy {}: it is random, pct or pos", name));
}

void run_simulate(const SimulateArguments& a, const Output& output, report::RunReport& report) {
  report.command = "simulate";
  report.search = "random walk";
  if (!a.trace_file.empty()) keep_model_file("--trace", a.trace_file, a.run);
  Watchdog watchdog({}, output, report);
  const run::Instance instance = open_instance(a.run, report);
  instance.describe(report);
  watchdog.note(report);
  const auto judged = [&](const run::Judgement& judgement) {
    run::describe(judgement, report);
    watchdog.note(report);
  };
  const run::SimulateResult result = run::simulate(instance, {.settings = {},
                                                              .build = build_options(a.run),
                                                              .steps = a.steps,
                                                              .seed = a.seed,
                                                              .runs = a.runs,
                                                              .strategy = strategy_of(a.strategy),
                                                              .depth = a.depth,
                                                              .judged = judged});
  // Of many runs only one that violates something is worth looking at.
  if (result.covered.empty() || result.verdict == Verdict::Violated) {
    output.show(result.trace);
    if (!output.options().html.empty()) report.sections.at<report::PageReport>().keep(result.trace);
  }
  if (!result.covered.empty() && result.verdict == Verdict::Violated) output.say(result.covered);
  if (!result.ended.empty()) output.say(result.ended);
  if (!a.trace_file.empty() && !result.interrupted) {
    try {
      write_trace(result.trace, a.trace_file);
      report.trace_file = a.trace_file;
    } catch (const report::ReportError& error) {  // this does not change a violation
      if (result.verdict == Verdict::Unknown) throw;
      report.warnings.push_back(fmt::format("the trace was not written: {}", error.what()));
      output.say("warning: " + report.warnings.back());
    }
  }
  run::describe(result, report);
  report.trace_steps = result.path.steps.size();
  report.counters.walks = result.runs;
  report.counters.states = result.steps + result.runs;
  report.counters.transitions = result.steps;
  report.counters.depth = report.trace_steps;
}

}  // namespace

int command_simulate(const Arguments& given) {
  const SimulateArguments a{given.of<SimulateOptions>(), run_arguments(given)};
  const Output output(given.of<OutputOptions>());
  report::RunReport report;
  return run_and_finish(output, report, [&] { run_simulate(a, output, report); });
}

}  // namespace heddle::cli
