// heddle::check, the installed door to this folder (include/heddle/check.h).
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "core/user_code.h"
#include "heddle/check.h"
#include "heddle_paths.h"
#include "report/closing_line.h"
#include "report/text.h"
#include "report/trace_json.h"
#include "run/actor_door.h"
#include "run/check.h"
#include "run/doors.h"
#include "run/errors.h"
#include "run/exceptions.h"
#include "run/memory_limit.h"
#include "run/replay.h"
#include "run/suggestions.h"
#include "run/switches.h"

namespace heddle {
namespace {

// A test program in which a model calls exit(0) would seem to pass.
extern "C" void on_exit_during_check() {
  if (!in_user_code()) return;
  std::fputs("error: the model called exit() during heddle::check; nothing is known of its properties\n", stderr);
  std::_Exit(3);
}

void watch_for_exit() {
  [[maybe_unused]] static const bool watched = [] {
    return std::atexit(on_exit_during_check) == 0 && std::at_quick_exit(on_exit_during_check) == 0;
  }();
}

// Throws UsageError if a setting makes no sense.
void check_settings(const CheckSettings& settings) {
  constexpr unsigned most_threads = 128;
  if (settings.threads < 1 || settings.threads > most_threads) {
    throw run::UsageError(fmt::format("threads: {} is not a number from 1 to {}", settings.threads, most_threads));
  }
  if (!(settings.seconds >= 0)) {
    throw run::UsageError(fmt::format("seconds: {} is no duration; give a number that is not negative, or leave it out",
                                      settings.seconds));
  }
  std::vector<std::string> known;
  for (const run::Switch& row : run::switch_table()) known.push_back(row.name);
  for (const auto& [name, value] : settings.options) {
    if (std::ranges::find(known, name) != known.end()) continue;
    const std::string hint = run::did_you_mean(name, known);
    throw run::UsageError(fmt::format("options: there is no option '{}' for network and faults{} They are {}", name,
                                      hint.empty() ? "." : hint, run::listed(known)));
  }
}

// Fills in the report as soon as something is known, so that an exception loses nothing of it.
class Known final : public run::Listener {
 public:
  explicit Known(report::RunReport& report) : report_(report) {}
  void built(const run::Instance& instance) override { instance.describe(report_); }
  void failed(const run::CheckResult& result) override { run::describe(result, report_); }

 private:
  report::RunReport& report_;
};

void keep_trace(const trace::Trace& trace, report::RunReport& report, Checked& checked) {
  report.trace_steps = trace.steps.size();
  checked.trace = report::render_text(trace);
  checked.trace_json = report::to_json(trace);
}

// Does the work, and fills in what follows from the report.
Checked concluded(const char* command, const std::function<void(report::RunReport&, Checked&)>& work) {
  report::RunReport report;
  report.command = command;
  report.version = paths::version;
  Checked checked;
  const Budget clock;
  watch_for_exit();
  run::conclude_exceptions(report, [&] { work(report, checked); });
  report.seconds = clock.seconds();
  if (report.peak_bytes == 0) report.peak_bytes = peak_resident_bytes();
  checked.verdict = name(report.verdict);
  checked.message = report::closing_line(report);
  checked.property = report.property;
  checked.states = report.counters.states;
  checked.transitions = report.counters.transitions;
  return checked;
}

Checked check(const std::function<run::Source()>& open, const CheckSettings& settings) {
  return concluded("check", [&](report::RunReport& report, Checked& checked) {
    check_settings(settings);
    run::CheckRequest request;
    request.settings = {settings.parameters, settings.bug, settings.options};
    if (!settings.reduce) request.plan = {};
    request.search.threads = settings.threads;
    request.search.limits.seconds = settings.seconds;
    if (settings.memory != std::numeric_limits<std::size_t>::max()) request.memory = settings.memory;
    Known listener(report);
    const run::CheckResult result = run::check(open(), request, listener);
    run::describe(result, report);
    if (!result.about_bug.empty()) report.note += (report.note.empty() ? "" : "; ") + result.about_bug;
    if (!result.violations.empty()) keep_trace(result.violations.front().trace, report, checked);
  });
}

}  // namespace

Checked check(const std::string& model, const CheckSettings& settings) {
  return check([&] { return run::open(model); }, settings);
}

Checked check(const Definition& model, const CheckSettings& settings) {
  return check([&] { return run::open_definition(model); }, settings);
}

Checked replay(const std::string& trace_json, const std::string& model) {
  return concluded("replay", [&](report::RunReport& report, Checked& checked) {
    const trace::Trace recorded = report::trace_from_json(trace_json, "trace");
    report.model = recorded.model;
    const run::Instance instance = run::open_recorded(recorded, "trace", model).instance(run::settings_of(recorded));
    instance.describe(report);
    try {
      const run::ReplayResult result = run::replay(instance, recorded, {.name = "trace"});
      run::describe(result, report);
      report.counters.states = result.path.steps.size() + 1;
      report.counters.transitions = report.counters.depth = result.path.steps.size();
      keep_trace(result.trace, report, checked);
    } catch (const run::DoesNotFit& error) {
      report.verdict = Verdict::Unknown;
      const std::string words = error.what();
      report.stopped_by = words.substr(0, words.find('\n'));
    }
  });
}

}  // namespace heddle
