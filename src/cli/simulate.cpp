// heddle simulate: one random run, to get a feeling for a model.
#include <fmt/format.h>

#include <random>

#include "cli/command.h"
#include "cli/command_arguments.h"
#include "cli/errors.h"
#include "cli/failures.h"
#include "cli/output.h"
#include "cli/run_arguments.h"
#include "cli/watchdog.h"
#include "core/budget.h"
#include "explain/goal.h"
#include "explain/make_trace.h"
#include "explore/search.h"
#include "report/json_view.h"
#include "report/numbers.h"

namespace heddle::cli {
namespace {

struct SimulateArguments : SimulateOptions {
  RunArguments run;
};

struct RandomRun {
  Path path;
  std::optional<std::size_t> violated;
  std::string ended;  // why it is shorter than asked for; empty otherwise
};

// Stops at a violation, at a state without steps, and at a bound.
RandomRun run_at_random(const TransitionSystem& system, std::size_t steps, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  RandomRun run;
  const auto initial = system.initial_states();
  // The remainder is slightly uneven, but the same on every platform, unlike std::uniform_int_distribution.
  run.path.initial = random() % initial.size();
  SlotVector state = initial[run.path.initial];
  StepBuffer enabled;
  for (;;) {
    bool continued = true;
    for (std::size_t i = 0; i < system.properties().size(); ++i) {
      const Property& property = system.properties()[i];
      if (property.kind == Property::Kind::Bound) continued &= (system.evaluate(state) >> i & 1) != 0;
      if (property.kind != Property::Kind::Always && !property.of_final_states()) continue;
      if (explain::Goal(system, i).look(state).reached) {
        run.violated = i;
        return run;
      }
    }
    enabled.clear();
    system.expand(state, enabled);
    if (!continued) run.ended = "a bound was reached";
    if (enabled.size() == 0) run.ended = "no step is possible any more";
    if (!run.ended.empty() || run.path.steps.size() == steps) return run;
    if (Budget::interrupted()) throw Interrupted();
    const std::size_t k = random() % enabled.size();
    run.path.steps.push_back(enabled.step(k));
    state = apply_changes(state, enabled.changes(k));
  }
}

void run_simulate(const SimulateArguments& a, bool watch, const Output& output, report::RunReport& report) {
  Budget::install_interrupt_handler();
  report.command = "simulate";
  report.search = "random walk";
  RunArguments arguments = a.run;
  arguments.actor.watch_failures = watch;
  Watchdog watchdog({}, output, report);
  const Instance instance = make_instance(arguments, report);
  watchdog.note(report);
  const RandomRun run = run_at_random(*instance.system, a.steps, a.seed);
  if (run.violated) {
    report.verdict = Verdict::Violated;
    report.property = instance.system->properties()[*run.violated].name;
    watchdog.note(report);
  }
  trace::Trace trace = explain::make_trace(*instance.system, run.path, run.violated);
  describe(instance, trace);
  output.show(trace);
  if (!run.ended.empty()) output.say(run.ended);
  if (!a.trace_file.empty()) {
    try {
      write_trace(trace, a.trace_file);
      report.trace_file = a.trace_file;
    } catch (const report::ReportError& error) {  // a violation is one all the same
      if (!run.violated) throw;
      report.warnings.push_back(fmt::format("the trace was not written: {}", error.what()));
      output.say("warning: " + report.warnings.back());
    }
  }

  report.trace_steps = run.path.steps.size();
  report.verdict = run.violated ? Verdict::Violated : Verdict::Unknown;
  report.property = trace.property;
  if (!run.violated) report.stopped_by = fmt::format("one random run (seed {}) proves nothing", a.seed);
  for (std::size_t i = 0; i < instance.system->properties().size(); ++i) {
    const Property& property = instance.system->properties()[i];
    if (about_failures(property) != AboutFailures::No && run.violated != i) continue;
    report.properties.push_back(
        {property.name, property.kind, run.violated == i ? Verdict::Violated : Verdict::Unknown});
  }
  if (run.violated) report_failure(instance.system->properties()[*run.violated], trace, report);
  report.counters.walks = 1;
  report.counters.states = report.trace_steps + 1;
  report.counters.transitions = report.counters.depth = report.trace_steps;
}

}  // namespace

int command_simulate(const Arguments& given) {
  const SimulateArguments a{given.of<SimulateOptions>(), run_arguments(given)};
  const Output output(given.of<OutputOptions>());
  report::RunReport report;
  return run_and_finish(output, report,
                        [&] { watching_failures([&](bool watch) { run_simulate(a, watch, output, report); }); });
}

}  // namespace heddle::cli
