// heddle audit: checks what reductions take for granted on every reachable state of a small instance.
#include "run/audit.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/refinement/refinements.h"
#include "cli/command.h"
#include "cli/command_arguments.h"
#include "cli/output.h"
#include "cli/reduction_arguments.h"
#include "cli/run_arguments.h"
#include "cli/watchdog.h"
#include "core/facets/describer.h"
#include "report/numbers.h"
#include "run/memory_limit.h"
#include "run/quantities.h"

namespace heddle::cli {
namespace {

struct AuditArguments : AuditOptions {
  RunArguments run;
  std::string memory;
  Split split;
};

void show_state(const TransitionSystem& system, const SlotVector& state, const Output& output) {
  const auto lanes = system.describer().lanes();
  std::string text;
  for (const trace::Field& f : system.describer().describe_state(state)) {
    text += fmt::format("{}{}.{} = {}", text.empty() ? "" : ", ", lanes[f.lane].name, f.name, f.value);
  }
  output.say("  where " + text);
}

class AuditTeller final : public run::AuditListener {
 public:
  AuditTeller(const Output& output, Watchdog& watchdog, report::RunReport& report)
      : output_(output), watchdog_(watchdog), report_(report) {}

  void begins(const run::Instance& instance, const std::vector<std::string>& warnings) override {
    instance.describe(report_);
    watchdog_.note(report_);
    output_.say(instance.title());
    say_warnings(warnings, output_, report_);
  }

  void relations(const TransitionSystem& system, const run::AuditResult& result) override {
    const RelationAudit& audit = result.relations;
    for (const RelationFault& fault : audit.faults) {
      output_.say(fmt::format("{} ({}{}) is wrong: {}", fault.relation, fault.first,
                              fault.second.empty() ? "" : ", " + fault.second, fault.text));
      show_state(system, fault.state, output_);
    }
    output_.say(fmt::format("relations between transitions: {} of enabled transitions compared in {}, {} wrong",
                            report::counted(audit.pairs, "pair"), report::counted(audit.states, "state"),
                            report::counted(audit.faults.size(), "relation")));
    if (const auto refinement = refinement_of(system)) {
      // The user has to know this, because an audit without calls has not audited the object.
      std::string counts;
      for (const auto& [kind, count] : refinement->counts) {
        counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", report::with_separators(count), kind);
      }
      output_.say(fmt::format("{} is part of every state; different calls on it: {}", refinement->object,
                              counts.empty() ? "none" : counts));
    }
    note(result);
  }

  void symmetry(const run::AuditResult& result) override {
    output_.say(fmt::format("symmetry: {} of states with renamed ones{}",
                            report::counted(result.symmetry->comparisons, "comparison"),
                            result.symmetry->witness.empty() ? ", all alike" : ""));
    if (!result.symmetry->witness.empty()) output_.say(result.symmetry->witness);
    note(result);
  }

  void auxiliary(const run::AuditResult& result) override {
    output_.say("auxiliary data: " + result.auxiliary->summary());
    if (result.auxiliary->mismatch) output_.say(result.auxiliary->mismatch->text);
    note(result);
  }

  void inferred(const run::AuditResult& result) override {
    for (const AuxiliaryCandidate& c : result.inferred->candidates) {
      output_.say(fmt::format("{} could be Auxiliary: {} instead of {} in this instance", c.part,
                              report::counted(c.classes_after, "state"), c.classes_before));
    }
    if (result.inferred->candidates.empty()) output_.say("no further field could be Auxiliary");
  }

  void note(const run::AuditResult& result) {
    report_.counters.states =
        result.relations.states == 0 && result.symmetry ? result.symmetry->states : result.relations.states;
    report_.property = result.broken;
    report_.verdict = result.verdict;
    report_.complete = result.complete;
    report_.stopped_by = result.stopped_by;
    watchdog_.note(report_);
  }

 private:
  const Output& output_;
  Watchdog& watchdog_;
  report::RunReport& report_;
};

void run_audit(const AuditArguments& a, const Output& output, report::RunReport& report) {
  report.command = "audit";
  report.search = "depth-first";
  report.store = "exact";
  run::AuditRequest request;
  request.build = build_options(a.run);
  request.build.split = a.split;
  request.infer = a.infer;
  run::set_time_limit(a.time, request.limits);
  request.limits.bytes = run::set_memory_limit(run::parse_memory(a.memory));
  const Budget clock;
  Watchdog watchdog(request.limits, output, report);
  const run::Instance instance = open_instance(a.run, report);
  request.limits.seconds = std::max(0.0, request.limits.seconds - clock.seconds());
  AuditTeller teller(output, watchdog, report);
  const run::AuditResult result = run::audit(instance, request, teller);
  report.peak_bytes = peak_resident_bytes();
  teller.note(result);
}

}  // namespace

int command_audit(const Arguments& given) {
  const AuditArguments a{given.of<AuditOptions>(), run_arguments(given), given.of<BudgetArguments>().memory,
                         given.of<ReductionArguments>().split};
  const Output output(given.of<OutputOptions>());
  report::RunReport report;
  return run_and_finish(output, report, [&] { run_audit(a, output, report); });
}

}  // namespace heddle::cli
