// heddle audit: what reductions take for granted, checked on every reachable state of a small instance.
#include <fmt/format.h>

#include "check/refinements.h"
#include "cli/command.h"
#include "cli/command_arguments.h"
#include "cli/errors.h"
#include "cli/memory_limit.h"
#include "cli/output.h"
#include "cli/quantities.h"
#include "cli/reduction_arguments.h"
#include "cli/run_arguments.h"
#include "cli/watchdog.h"
#include "core/facets/describer.h"
#include "core/facets/forgetting.h"
#include "core/facets/symmetries.h"
#include "reduce/audit_auxiliary.h"
#include "reduce/audit_relations.h"
#include "reduce/audit_symmetry.h"
#include "report/numbers.h"

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

void run_audit(const AuditArguments& a, const Output& output, report::RunReport& report) {
  Budget::install_interrupt_handler();
  report.command = "audit";
  report.search = "depth-first";
  report.store = "exact";
  RunArguments run = a.run;
  run.actor.split = a.split;
  Limits limits;
  const double total = parse_seconds(a.time, "--time");
  limits.seconds = total;
  limits.bytes = set_memory_limit(a.memory);
  const Budget clock;
  Watchdog watchdog(limits, output, report);
  const Instance instance = make_instance(run, report);
  watchdog.note(report);
  output.say(instance.title());
  say_warnings(instance, output, report);
  const TransitionSystem& system = *instance.system;
  if (system.dependence() == nullptr) {
    throw UsageError(
        "nothing is known of how the steps of so many processes depend on each other; audit a smaller instance");
  }
  const RelationAudit audit = audit_relations(system, limits);
  for (const RelationFault& fault : audit.faults) {
    output.say(fmt::format("{} ({}{}) is wrong: {}", fault.relation, fault.first,
                           fault.second.empty() ? "" : ", " + fault.second, fault.text));
    show_state(system, fault.state, output);
  }
  output.say(fmt::format("relations between transitions: {} of enabled transitions compared in {}, {} wrong",
                         report::counted(audit.pairs, "pair"), report::counted(audit.states, "state"),
                         report::counted(audit.faults.size(), "relation")));
  if (const auto refinement = refinement_of(system)) {
    // Said, because an audit without calls has not audited the object.
    std::string counts;
    for (const auto& [kind, count] : refinement->counts) {
      counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", report::with_separators(count), kind);
    }
    output.say(fmt::format("{} is part of every state; different calls on it: {}", refinement->object,
                           counts.empty() ? "none" : counts));
  }
  report.counters.states = audit.states;
  bool complete = audit.complete;
  std::string broken = audit.faults.empty() ? "" : audit.faults[0].relation;
  const auto note = [&] {
    report.property = broken;
    report.verdict = broken.empty() ? Verdict::Unknown : Verdict::Violated;
    watchdog.note(report);
  };
  note();

  if (system.symmetries() != nullptr && !system.symmetries()->symmetry_classes().empty()) {
    limits.seconds = total - clock.seconds();
    const SymmetryAudit symmetry = audit_symmetry(system, limits);
    output.say(fmt::format("symmetry: {} of states with renamed ones{}",
                           report::counted(symmetry.comparisons, "comparison"),
                           symmetry.witness.empty() ? ", all alike" : ""));
    if (!symmetry.witness.empty()) output.say(symmetry.witness);
    if (!symmetry.witness.empty() && broken.empty()) broken = "symmetry";
    complete &= symmetry.complete;
    note();
  }
  SlotVector initial = system.initial_states()[0];
  if (system.forgetting() != nullptr && system.forgetting()->forget_auxiliary(initial)) {
    limits.seconds = total - clock.seconds();
    const AuxiliaryAudit decomposition = audit_auxiliary(system, AuxiliaryAudit::Kind::Full, limits);
    output.say("auxiliary data: " + decomposition.summary());
    if (decomposition.mismatch) output.say(decomposition.mismatch->text);
    if (decomposition.mismatch && broken.empty()) broken = "auxiliary data";
    complete &= decomposition.complete;
    note();
  }
  if (a.infer) {
    limits.seconds = total - clock.seconds();
    const AuxiliaryInference inferred = infer_auxiliary(system, limits);
    for (const AuxiliaryCandidate& c : inferred.candidates) {
      output.say(fmt::format("{} could be Auxiliary: {} instead of {} in this instance", c.part,
                             report::counted(c.classes_after, "state"), c.classes_before));
    }
    if (inferred.candidates.empty()) output.say("no further field could be Auxiliary");
    complete &= inferred.complete;
  }
  report.peak_bytes = peak_resident_bytes();
  report.complete = complete;
  report.property = broken;
  report.verdict = !broken.empty() ? Verdict::Violated : complete ? Verdict::Holds : Verdict::Unknown;
  if (!complete)
    report.stopped_by = Budget::interrupted() ? "interrupted" : "the budget ran out; audit a smaller instance";
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
