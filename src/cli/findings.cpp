// Listens to a check: prints the title, progress and pictures, and writes the traces.
#include "cli/findings.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "cli/run_arguments.h"
#include "cli/standard_output.h"
#include "core/memory.h"
#include "report/atomic_file.h"
#include "report/numbers.h"
#include "report/page_report.h"
#include "report/refinement_text.h"
#include "report/trace_json.h"

namespace heddle::cli {
namespace {

// Returns the file of the n-th violation's trace: FILE.json for the first, FILE-n.json for the others.
std::string numbered(const std::string& file, std::size_t number) {
  if (number == 1) return file;
  std::filesystem::path path = file;
  path.replace_filename(fmt::format("{}-{}{}", path.stem().string(), number, path.extension().string()));
  return path.string();
}

void say_sometimes(const run::CheckResult& result, const Output& output) {
  for (const run::Sometimes& one : result.sometimes) {
    if (one.steps) {
      output.say(fmt::format("sometimes {}: reached, after {}", one.property, report::counted(*one.steps, "step")));
    } else {
      output.say(fmt::format("sometimes {}: {}", one.property,
                             result.complete ? "never reached" : "not reached in what was explored"));
    }
  }
}

}  // namespace

void Teller::begins(const run::Instance& instance, const run::CheckResult& result) {
  output_.say(instance.title());
  say_warnings(result.warnings, output_, report_);
}

void Teller::progress(const Counters& counters, double seconds) {
  watchdog_.note(counters);
  progress_.update(counters, seconds, resident_bytes());
}

void Teller::grows(const std::vector<std::string>& sentences, bool half) {
  progress_.finish();  // the line of progress is rewritten in place
  if (half) {
    fmt::print(stderr, "half of the memory limit of {} is taken\n",
               report::bytes_text(static_cast<double>(memory_limit())));
  }
  for (const std::string& sentence : sentences) fmt::print(stderr, "what grows: {}\n", sentence);
  std::fflush(stderr);
}

void Teller::judged(const run::CheckResult& result) {
  tell(result);
  if (says_sometimes_) say_sometimes(result, output_);
  watchdog_.note(report_);
}

void Teller::shows(const run::Violation& violation, std::size_t n, const run::CheckResult& result) {
  output_.say("");
  output_.show(violation.trace, false);  // the title was said when the search began
  if (n == 1 && !output_.options().html.empty()) report_.sections.at<report::PageReport>().keep(violation.trace);
  if (n == 1 && violation.why) report_.sections.at<report::HistoryFinding>() = violation.why->finding;
  if (violation.why) {
    const report::TextOptions text = output_.text_options();
    output_.show("\n" + explain::render(*violation.why, {text.width, text.ascii, text.color}));
  }
  const std::size_t steps = violation.path.steps.size();
  if (!violation.reduced_from.empty()) output_.say(fmt::format("reduced from {}", violation.reduced_from));
  if (steps < violation.found) {
    output_.say(fmt::format("minimised from {} to {}", report::counted(violation.found, "step"), steps));
  }
  if (n == 1) report_.trace_steps = steps;
  const std::string reason = write(violation, n);
  if (unwritten_.empty()) unwritten_ = reason;
  tell(result);
}

std::string Teller::write(const run::Violation& violation, std::size_t n) {
  if (n == 1 && !options_.tree_dot.empty()) {
    try {
      report::write_file_atomically(file_named(options_.tree_dot), report::tree_dot(violation.trace));
      output_.say(fmt::format("the abstract object in {}", options_.tree_dot));
    } catch (const report::ReportError& error) {
      output_.say(fmt::format("warning: the abstract object was not drawn: {}", error.what()));
    }
  }
  if (options_.no_trace) return "";
  const std::string file = numbered(options_.trace_file, n);
  try {
    write_trace(violation.trace, file);
  } catch (const report::ReportError& error) {
    return fmt::format("the trace of {} was not written: {}", violation.trace.property, error.what());
  }
  if (n == 1) report_.trace_file = file;
  output_.say(fmt::format("trace in {}; again: {}", file, replay_command(file)));
  return "";
}

void Teller::shown(const run::CheckResult& result) {
  for (const std::string& sentence : result.growth) output_.say("what grows: " + sentence);
  if (!result.states_properties) output_.say("the model states no property; only its states were counted");
  if (!result.violations.empty() && !explained_by_.empty()) {
    output_.say("which code should have been atomic: " + explained_by_);
  }
  // A full or read-only disk does not change what was found, so this is only a warning.
  if (!unwritten_.empty()) output_.say("warning: " + unwritten_);
}

void Teller::tell(const run::CheckResult& result) {
  run::describe(result, report_);
  for (const std::string& more : {unwritten_, result.about_bug}) {
    if (!more.empty()) report_.note += (report_.note.empty() ? "" : "; ") + more;
  }
}

}  // namespace heddle::cli
