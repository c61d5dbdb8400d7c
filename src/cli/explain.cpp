// heddle explain: which code of a program should have been atomic.
#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <utility>

#include "cli/command.h"
#include "cli/command_arguments.h"
#include "cli/errors.h"
#include "cli/output.h"
#include "cli/run_arguments.h"
#include "cli/watchdog.h"
#include "report/root_cause_report.h"
#include "run/memory_limit.h"
#include "run/native_door.h"
#include "run/quantities.h"
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

report::RootCauseReport section_of(const run::RootCause& cause) {
  report::RootCauseReport out;
  out.explained = cause.outcome == run::RootCause::Outcome::Explained;
  out.why = cause.why;
  out.client = cause.client;
  out.bad = cause.bad;
  out.good = cause.good;
  out.cycles = cause.cycles;
  out.all_repairs = cause.all_repairs;
  out.rounds = cause.rounds;
  out.clients = cause.clients;
  out.clients_text = cause.clients_text;
  out.file = cause.file;
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
  for (const run::CycleAccess& one : cause.cycle) {
    out.cycle.push_back({one.thread + 1, one.call, one.line, one.conflicts});
  }
  for (const run::CycleConflict& one : cause.conflicts) {
    out.conflicts.push_back(
        {one.from_thread + 1, one.to_thread + 1, one.from_line, one.to_line, one.from_writes, one.to_writes});
  }
  return out;
}

void run_explain(const ExplainArguments& a, const Output& output, report::RunReport& report) {
  report.command = "explain";
  report.model = a.run.given;
  report.options = a.run.switches;
  if (!std::filesystem::exists(a.run.given)) {
    throw UsageError(fmt::format("{}: there is no such file; check its name", a.run.given));
  }
  if (!run::is_program_file(a.run.given)) {
    throw UsageError(fmt::format(
        "{}: `heddle explain` is about programs in C and C++ with a harness: name a .cpp or .c file", a.run.given));
  }
  run::RootCauseRequest request{.file = a.run.given, .switches = a.run.switches};
  if (!a.linearizable.empty()) request.switches["linearizable"] = a.linearizable;
  request.most_repairs = a.most_repairs;
  request.executions.bad = request.executions.good = a.most_executions;
  request.executions.seed = a.seed;
  request.verify = !a.no_verify;
  request.says = [&](const std::string& sentence) { output.say(sentence); };
  Limits limits;
  if (!a.time.empty()) run::set_time_limit(a.time, limits);
  limits.bytes = run::set_memory_limit(run::parse_memory(a.memory));
  Budget budget(limits);
  Watchdog watchdog(limits, output, report);
  const run::RootCause cause = run::root_cause(request, budget);
  run::lift_memory_limit();
  using enum run::RootCause::Outcome;
  report.verdict = cause.outcome == NothingToRepair ? Verdict::Holds
                   : cause.outcome == Stopped       ? Verdict::Unknown
                                                    : Verdict::Violated;
  report.complete = cause.outcome != Stopped;
  report.stopped_by = budget.reason();
  report.property = cause.property;
  report.counters.states = cause.states;
  auto& section = report.sections.at<report::RootCauseReport>();
  section = section_of(cause);
  section.list_all = a.all_repairs;
  section.width = output.text_options().width;
  section.ascii = output.text_options().ascii;
  if (!cause.repairs.empty()) {
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
