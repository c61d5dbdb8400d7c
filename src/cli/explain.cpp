// heddle explain: which code of a program should have been atomic.
#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "cli/command.h"
#include "cli/command_arguments.h"
#include "cli/errors.h"
#include "cli/output.h"
#include "cli/run_arguments.h"
#include "cli/watchdog.h"
#include "report/atomic_file.h"
#include "report/page_report.h"
#include "report/root_cause_report.h"
#include "run/memory_limit.h"
#include "run/native_door.h"
#include "run/quantities.h"
#include "run/recorded_cause.h"
#include "run/root_cause.h"

namespace heddle::cli {
namespace {

struct ExplainArguments : ExplainOptions, BudgetArguments {
  RunArguments run;
};

std::string standing_text(run::ExplainedRepair::Standing standing) {
  using enum run::ExplainedRepair::Standing;
  return standing == Verified ? "verified" : standing == Rejected ? "rejected" : "not tried";
}

report::RootCauseReport::Event event_of(const run::CycleEvent& event) {
  using Kind = report::RootCauseReport::Event::Kind;
  static_assert(int(Kind::Read) == int(run::CycleEvent::Kind::Read) &&
                int(Kind::Return) == int(run::CycleEvent::Kind::Return));
  return {static_cast<Kind>(event.kind), event.thread + 1, event.call, event.file, event.line};
}

report::RootCauseReport section_of(const run::RootCause& cause) {
  report::RootCauseReport out;
  out.explained = cause.outcome == run::RootCause::Outcome::Explained;
  out.why = cause.why;
  out.violation = cause.violation;
  out.source = cause.source == run::RootCause::Source::Program ? report::RootCauseReport::Source::Program
               : cause.source == run::RootCause::Source::Trace ? report::RootCauseReport::Source::Trace
                                                               : report::RootCauseReport::Source::Files;
  out.client = cause.client;
  out.bad = cause.bad;
  out.good = cause.good;
  out.cycles = cause.cycles;
  out.all_repairs = cause.all_repairs;
  out.rounds = cause.rounds;
  out.also_fails = cause.also_fails;
  out.clients = cause.clients;
  out.clients_text = cause.clients_text;
  out.compared_clients = cause.compared_clients;
  for (const run::ExplainedRepair& one : cause.repairs) {
    report::RootCauseReport::Repair repair{.blocks = {},
                                           .rank = one.rank,
                                           .excluded_good = one.excluded_good,
                                           .statements = one.statements,
                                           .standing = standing_text(one.standing),
                                           .why = one.why};
    for (const run::AtomicBlock& block : one.blocks) {
      repair.blocks.push_back({block.function, block.file, block.first_line, block.last_line, block.where()});
    }
    out.repairs.push_back(std::move(repair));
  }
  for (const run::CyclePlace& one : cause.cycle) out.cycle.push_back({event_of(one.event), one.conflicts});
  for (const run::CycleConflict& one : cause.conflicts) {
    out.conflicts.push_back({event_of(one.from), event_of(one.to)});
  }
  return out;
}

// What the command line names: a program, a trace, or recorded executions. Throws UsageError.
enum class Subject { Program, Trace, Files };

Subject subject_of(const ExplainArguments& a) {
  const std::string& file = a.run.given;
  if (!a.bad.empty()) {
    if (!file.empty()) throw UsageError(fmt::format("--bad takes the place of a program; leave {} or --bad out", file));
    if (a.bad == "-" && a.good == "-") throw UsageError("--bad and --good cannot both be standard input");
    return Subject::Files;
  }
  if (!a.good.empty()) throw UsageError("--good ranks repairs of the executions in a file: name that with --bad");
  if (file.empty()) throw UsageError("name a program (.cpp, .c), a trace (.json), or executions with --bad FILE");
  if (!std::filesystem::exists(file)) throw UsageError(fmt::format("{}: there is no such file; check its name", file));
  if (file.ends_with(".json")) return Subject::Trace;
  if (run::is_program_file(file)) return Subject::Program;
  throw UsageError(fmt::format(
      "{}: `heddle explain` is about programs in C and C++ with a harness: name a .cpp or .c file, or a trace of one",
      file));
}

// Throws UsageError for options that mean nothing to what is explained.
void need_fitting_options(const ExplainArguments& a, Subject subject) {
  if (subject == Subject::Program) return;
  const std::string what = subject == Subject::Trace ? "a trace" : "recorded executions";
  if (!a.write_bad.empty() || !a.write_good.empty()) {
    throw UsageError(fmt::format("--write-bad and --write-good are for programs, not for {}", what));
  }
  for (const auto& [name, value] : a.run.switches) {
    if (subject == Subject::Files && name == "history") continue;
    throw UsageError(fmt::format("--{} is for programs; {} {} made already", name, what,
                                 subject == Subject::Trace ? "was" : "were"));
  }
  if (!a.linearizable.empty())
    throw UsageError(fmt::format("--linearizable is for programs; what is wrong with {} was decided already", what));
}

void write_executions(const std::string& file, const std::string& text, const Output& output) {
  if (file.empty()) return;
  report::write_file_atomically(file, text);
  output.say("executions in " + file);
}

void run_explain(const ExplainArguments& a, const Output& output, report::RunReport& report) {
  report.command = "explain";
  report.model = a.bad.empty() ? a.run.given : a.bad;
  report.options = a.run.switches;
  const Subject subject = subject_of(a);
  need_fitting_options(a, subject);
  run::RootCauseRequest request{.file = a.run.given, .switches = a.run.switches};
  if (!a.linearizable.empty()) request.switches["linearizable"] = a.linearizable;
  request.most_repairs = a.most_repairs;
  request.executions.bad = request.executions.good = a.most_executions;
  request.executions.seed = a.seed;
  request.verify = !a.no_verify;
  request.says = [&](const std::string& sentence) { output.say(sentence); };
  if (!a.write_bad.empty() || !a.write_good.empty()) {
    request.executions_text = [&](const std::string& bad, const std::string& good) {
      write_executions(a.write_bad, bad, output);
      write_executions(a.write_good, good, output);
    };
  }
  Limits limits;
  if (!a.time.empty()) run::set_time_limit(a.time, limits);
  limits.bytes = run::set_memory_limit(run::parse_memory(a.memory));
  Budget budget(limits);
  Watchdog watchdog(limits, output, report);
  std::optional<trace::Trace> recorded;
  if (subject == Subject::Trace) recorded = read_trace(a.run.given);
  if (recorded && !output.options().html.empty()) report.sections.at<report::PageReport>().keep(*recorded);
  const run::RootCause cause =
      subject == Subject::Trace ? run::root_cause_of_trace(*recorded, a.run.given, request, budget)
      : subject == Subject::Files
          ? run::root_cause_of_files({.bad = a.bad, .good = a.good, .histories = a.run.switches.contains("history")},
                                     request, budget)
          : run::root_cause(request, budget);
  run::lift_memory_limit();
  using enum run::RootCause::Outcome;
  report.verdict = cause.outcome == NothingToRepair ? Verdict::Holds
                   : cause.outcome == Stopped       ? Verdict::Unknown
                                                    : Verdict::Violated;
  report.complete = cause.outcome != Stopped;
  report.stopped_by = cause.outcome == Stopped && !cause.stopped_by.empty() ? cause.stopped_by : budget.reason();
  report.property = cause.property;
  report.counters.states = cause.states;
  auto& section = report.sections.at<report::RootCauseReport>();
  section = section_of(cause);
  section.list_all = a.all_repairs;
  section.width = output.text_options().width;
  section.ascii = output.text_options().ascii;
  if (subject == Subject::Program && !cause.repairs.empty()) {
    run::Switches switches = request.switches;
    std::string& atomic = switches["atomic"];
    for (const run::AtomicBlock& block : cause.repairs[0].blocks) atomic += (atomic.empty() ? "" : ",") + block.where();
    section.check = run::program_command("check", a.run.given, switches);
  }
}

}  // namespace

int command_explain(const Arguments& given) {
  const ExplainArguments a{given.of<ExplainOptions>(), given.of<BudgetArguments>(), run_arguments(given)};
  const Output output(given.of<OutputOptions>());
  report::RunReport report;
  return run_and_finish(output, report, [&] { run_explain(a, output, report); });
}

}  // namespace heddle::cli
