// heddle replay: executes a recorded trace on the model as it is now, and says whether it still shows what it showed.
#include "run/replay.h"

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/command_arguments.h"
#include "cli/errors.h"
#include "cli/output.h"
#include "cli/run_arguments.h"
#include "cli/watchdog.h"
#include "report/page_report.h"

namespace heddle::cli {
namespace {

void run_replay(const ReplayOptions& a, const Output& output, report::RunReport& report) {
  report.command = "replay";
  Watchdog watchdog({}, output, report);  // a long trace takes long to read
  const trace::Trace recorded = read_trace(a.file);
  report.model = recorded.model;
  const run::Instance instance = run::open_recorded(recorded, a.file, a.model).instance(run::settings_of(recorded));
  instance.describe(report);
  watchdog.note(report);
  const auto judged = [&](const run::Judgement& judgement) {
    run::describe(judgement, report);
    watchdog.note(report);
  };
  const run::ReplayResult result = run::replay(instance, recorded, {.name = a.file, .judged = judged});
  output.show(result.trace);
  if (!output.options().html.empty()) report.sections.at<report::PageReport>().keep(result.trace);
  run::describe(result, report);
  report.trace_steps = result.path.steps.size();
  report.counters.states = report.trace_steps + 1;
  report.counters.transitions = report.counters.depth = report.trace_steps;
  for (const report::PropertyReport& one : report.properties) {
    if (one.kind == Property::Kind::DeadlockFree && one.result == Verdict::Violated) report.counters.deadlocks = 1;
  }
}

}  // namespace

int command_replay(const Arguments& given) {
  const ReplayOptions a = given.of<ReplayOptions>();
  const Output output(given.of<OutputOptions>());
  report::RunReport report;
  return run_and_finish(output, report, [&] {
    try {
      run_replay(a, output, report);
    } catch (const ModelError& error) {
      // The closing line has room for one line only.
      const std::string text = error.what();
      if (const auto rest = text.find('\n'); rest != text.npos) output.say(text.substr(rest + 1));
      throw;
    }
  });
}

}  // namespace heddle::cli
