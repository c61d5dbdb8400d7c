// heddle replay: executes a recorded trace on the model as it is now, and says whether it still shows what it showed.
#include "explain/replay.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "cli/command.h"
#include "cli/command_arguments.h"
#include "cli/errors.h"
#include "cli/failures.h"
#include "cli/output.h"
#include "cli/run_arguments.h"
#include "cli/watchdog.h"
#include "core/budget.h"
#include "explain/make_trace.h"
#include "report/trace_json.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

trace::Trace read_trace(const std::string& file) {
  std::error_code error;
  std::ifstream stream(file, std::ios::binary);
  if (!stream || fs::is_directory(file, error)) {
    throw UsageError(fmt::format("{}: the file cannot be read; check its name and its permissions", file));
  }
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  return report::trace_from_json(text, file);
}

// A model's file is recorded as it was given, so it is looked for from here and from where the trace lies.
ModelSource source_of(const trace::Trace& trace, const ReplayOptions& a) {
  if (!a.model.empty()) return find_source(a.model, trace.model, true);
  const auto recorded = trace.options.find("file");
  if (recorded == trace.options.end()) {
    if (find_model(trace.model) != nullptr) return find_source(trace.model, "");
    throw UsageError(
        fmt::format("{}: the trace is of the model '{}', which is not in the library; name the model or its "
                    "file with --model",
                    a.file, trace.model));
  }
  const fs::path here = recorded->second;
  const fs::path there = fs::path(a.file).parent_path() / here;
  std::error_code error;
  for (const fs::path& candidate : {here, there}) {
    if (fs::exists(candidate, error)) return find_source(candidate.string(), trace.model, true);
  }
  throw UsageError(fmt::format("{}: the trace is of a model in {}, which is not there; name the file with --model",
                               a.file, here.string()));
}

[[noreturn]] void fail(const explain::ReplayResult& result, const trace::Trace& trace, const ReplayOptions& a) {
  std::string text = fmt::format("{}: step {} of {} does not fit the model, which cannot do: {}", a.file,
                                 result.step + 1, trace.steps.size(), result.expected);
  if (result.enabled.empty()) text += "\nthere is no step at all in that state";
  for (std::size_t i = 0; i < result.enabled.size(); ++i) {
    text += (i == 0 ? "\nit can do there: " : "\n                 ") + result.enabled[i];
  }
  throw ModelError(text);
}

void judge(const explain::ReplayResult& result, const TransitionSystem& system, report::RunReport& report) {
  if (!result.property) {
    report.verdict = Verdict::Holds;
    report.note = "the trace ends in no violation; this says nothing of other runs";
    return;
  }
  const Property& property = system.properties()[*result.property];
  const bool sometimes = property.kind == Property::Kind::Sometimes;
  if (result.shown) {
    report.verdict = sometimes ? Verdict::Holds : Verdict::Violated;
    report.property = sometimes ? "" : property.name;
  } else if (sometimes) {
    report.verdict = Verdict::Unknown;
    report.stopped_by = fmt::format("this trace no longer reaches {}", property.name);
  } else {
    report.verdict = Verdict::Holds;
    report.note = fmt::format("the trace no longer violates {}; this says nothing of other runs", property.name);
  }
  report.properties = {{property.name, property.kind, report.verdict}};
}

void run_replay(const ReplayOptions& a, bool watch, const Output& output, report::RunReport& report) {
  Budget::install_interrupt_handler();
  report.command = "replay";
  const trace::Trace recorded = read_trace(a.file);
  report.model = recorded.model;
  RunSettings settings;
  settings.parameters = recorded.parameters;
  settings.bug = recorded.bug;
  settings.switches = recorded.options;
  settings.switches.erase("file");
  settings.actor.watch_failures =
      watch || recorded.property == assertion_property || recorded.property == crash_property;
  Watchdog watchdog({}, output, report);
  const Instance instance = make_instance(source_of(recorded, a), settings);
  describe(instance, report);
  watchdog.note(report);
  const explain::ReplayResult result = explain::replay(*instance.system, recorded);
  if (!result.fits) fail(result, recorded, a);
  judge(result, *instance.system, report);
  watchdog.note(report);
  trace::Trace now = explain::make_trace(*instance.system, result.path, result.property);
  describe(instance, now);
  output.show(now);
  if (result.property && result.shown) report_failure(instance.system->properties()[*result.property], now, report);
  report.trace_steps = result.path.steps.size();
  report.counters.states = report.trace_steps + 1;
  report.counters.transitions = report.counters.depth = report.trace_steps;
}

}  // namespace

int command_replay(const Arguments& given) {
  const ReplayOptions a = given.of<ReplayOptions>();
  const Output output(given.of<OutputOptions>());
  report::RunReport report;
  return run_and_finish(output, report, [&] {
    try {
      watching_failures([&](bool watch) { run_replay(a, watch, output, report); });
    } catch (const ModelError& error) {
      // The closing line has room for one line only.
      const std::string text = error.what();
      if (const auto rest = text.find('\n'); rest != text.npos) output.say(text.substr(rest + 1));
      throw;
    }
  });
}

}  // namespace heddle::cli
