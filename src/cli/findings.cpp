#include "cli/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/failures.h"
#include "cli/run_arguments.h"
#include "cli/standard_output.h"
#include "core/facets/describer.h"
#include "core/remaining.h"
#include "explain/history_explanation.h"
#include "explain/make_trace.h"
#include "explain/minimise.h"
#include "report/atomic_file.h"
#include "report/numbers.h"
#include "report/refinement_text.h"
#include "report/text.h"
#include "report/trace_json.h"

namespace heddle::cli {
namespace {

const Finding* find(const std::vector<Finding>& findings, std::size_t property) {
  const auto it = std::ranges::find(findings, property, &Finding::property);
  return it == findings.end() ? nullptr : &*it;
}

std::vector<report::PropertyReport> property_reports(const TransitionSystem& system, const SearchResult& result) {
  std::vector<report::PropertyReport> all;
  for (std::size_t i = 0; i < system.properties().size(); ++i) {
    const Property& property = system.properties()[i];
    if (about_failures(property) != AboutFailures::No && find(result.violations, i) == nullptr) continue;
    Verdict verdict = result.complete ? Verdict::Holds : Verdict::Unknown;
    if (find(result.violations, i) != nullptr) verdict = Verdict::Violated;
    if (property.kind == Property::Kind::Sometimes) {
      const bool reached = find(result.witnesses, i) != nullptr;
      verdict = reached ? Verdict::Holds : result.complete ? Verdict::Violated : Verdict::Unknown;
    }
    all.push_back({property.name, property.kind, verdict});
  }
  return all;
}

// The first violation's trace goes to FILE.json, that of the n-th to FILE-n.json.
std::string numbered(const std::string& file, std::size_t number) {
  if (number == 1) return file;
  std::filesystem::path path = file;
  path.replace_filename(fmt::format("{}-{}{}", path.stem().string(), number, path.extension().string()));
  return path.string();
}

// Returns why the trace could not be written; empty if it was.
std::string show_violation(const Instance& instance, const Finding& finding, std::size_t number,
                           const FindingOptions& options, const Output& output, report::RunReport& report,
                           std::vector<Path>& shown) {
  const TransitionSystem& system = *instance.system;
  const std::size_t found = finding.path.steps.size();
  explain::MinimiseOptions effort;
  if (options.budget != nullptr) effort.wall_seconds = remaining(*options.budget).seconds;
  const Path path = options.no_minimise ? finding.path : explain::minimise(system, finding, effort);
  shown.push_back(path);
  trace::Trace trace = explain::make_trace(system, path, finding.property);
  describe(instance, trace);
  output.say("");
  report::TextOptions text_options = output.text_options();
  text_options.title = false;  // it was said when the search began
  std::string text = report::render_text(trace, text_options);
  while (text.ends_with('\n')) text.pop_back();
  output.say(text);
  const std::vector<SlotVector> states = *follow(system, path);
  if (const auto why =
          explain::explain_run(system, finding.property, states.back(), text_options.ascii, options.budget)) {
    text = explain::render(*why, {text_options.width, text_options.ascii, text_options.color});
    while (text.ends_with('\n')) text.pop_back();
    output.say("\n" + text);
  }
  if (path.steps.size() < found) {
    output.say(fmt::format("minimised from {} to {}", report::counted(found, "step"), path.steps.size()));
  }
  if (number == 1) {
    report.property = trace.property;
    report.trace_steps = path.steps.size();
    report_failure(system.properties()[finding.property], trace, report);
  }
  if (number == 1 && !options.tree_dot.empty()) {
    try {
      report::write_file_atomically(file_named(options.tree_dot), report::tree_dot(trace));
      output.say(fmt::format("the abstract object in {}", options.tree_dot));
    } catch (const report::ReportError& error) {
      output.say(fmt::format("warning: the abstract object was not drawn: {}", error.what()));
    }
  }
  if (options.no_trace) return "";
  const std::string file = numbered(options.trace_file, number);
  try {
    write_trace(trace, file);
  } catch (const report::ReportError& error) {
    return fmt::format("the trace of {} was not written: {}", trace.property, error.what());
  }
  if (number == 1) report.trace_file = file;
  output.say(fmt::format("trace in {}; again: {}", file, replay_command(file)));
  return "";
}

void show_sometimes(const TransitionSystem& system, const SearchResult& result, const Output& output) {
  for (std::size_t i = 0; i < system.properties().size(); ++i) {
    const Property& property = system.properties()[i];
    if (property.kind != Property::Kind::Sometimes) continue;
    if (const Finding* witness = find(result.witnesses, i)) {
      output.say(fmt::format("sometimes {}: reached, after {}", property.name,
                             report::counted(witness->path.steps.size(), "step")));
    } else {
      output.say(fmt::format("sometimes {}: {}", property.name,
                             result.complete ? "never reached" : "not reached in what was explored"));
    }
  }
}

}  // namespace

Verdict verdict_of(const SearchResult& result) {
  if (!result.violations.empty()) return Verdict::Violated;
  if (!result.complete) return Verdict::Unknown;
  return result.unreached.empty() ? Verdict::Holds : Verdict::Violated;
}

std::vector<Path> report_findings(const Instance& instance, const TransitionSystem& searched,
                                  const SearchResult& result, const FindingOptions& options, const Output& output,
                                  report::RunReport& report) {
  const TransitionSystem& system = *instance.system;
  report.verdict = verdict_of(result);
  report.complete = result.complete;
  report.counters = result.counters;
  report.stopped_by = result.stopped_by;
  report.note = result.note;
  report.properties = property_reports(system, result);
  const bool unending = options.exhaustive && report.verdict == Verdict::Unknown;
  if (unending || result.counters.cut_off > 0)
    report.growth = searched.describer().growth();  // before minimising adds to it

  if (options.sometimes) show_sometimes(system, result, output);
  if (result.violations.empty() && report.verdict == Verdict::Violated) {
    report.property = system.properties()[result.unreached.front()].name;
  }
  if (!result.violations.empty()) report.property = system.properties()[result.violations.front().property].name;
  if (options.watchdog != nullptr) options.watchdog->note(report);
  std::vector<Path> shown;
  std::string unwritten;
  for (std::size_t i = 0; i < result.violations.size(); ++i) {
    const std::string reason = show_violation(instance, result.violations[i], i + 1, options, output, report, shown);
    if (unwritten.empty()) unwritten = reason;
  }
  for (const std::string& sentence : report.growth) output.say("what grows: " + sentence);
  const auto of_model = [](const Property& p) { return about_failures(p) == AboutFailures::No; };
  if (std::ranges::none_of(system.properties(), of_model))
    output.say("the model states no property; only its states were counted");
  // What was found is found; a disk that is full or read-only takes nothing from it.
  if (!unwritten.empty()) output.say("warning: " + unwritten);
  if (!unwritten.empty()) report.note += (report.note.empty() ? "" : "; ") + unwritten;
  return shown;
}

}  // namespace heddle::cli
