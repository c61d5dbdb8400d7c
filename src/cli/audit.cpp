// heddle audit: what reductions take for granted, checked on every reachable state of a small instance.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.h"
#include "cli/errors.h"
#include "cli/output.h"
#include "cli/quantities.h"
#include "cli/run_arguments.h"
#include "reduce/relation_audit.h"
#include "report/numbers.h"

namespace heddle::cli {
namespace {

struct AuditArguments {
  RunArguments run;
  OutputOptions output;
  std::string time = "60", memory;
  std::string split = "combined";
};

void show_state(const TransitionSystem& system, const SlotVector& state, const Output& output) {
  const auto lanes = system.lanes();
  std::string text;
  for (const trace::Field& f : system.describe_state(state)) {
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
  run.actor.split = a.split == "none"     ? Split::None
                    : a.split == "quorum" ? Split::Quorum
                    : a.split == "reply"  ? Split::Reply
                                          : Split::Combined;
  const Instance instance = make_instance(run, report);
  output.say(instance.title());
  const TransitionSystem& system = *instance.system;
  if (system.relations() == nullptr) {
    throw UsageError(
        "nothing is known of how the steps of so many processes depend on each other; audit a smaller instance");
  }
  Limits limits;
  limits.seconds = parse_seconds(a.time, "--time");
  if (!a.memory.empty()) limits.bytes = parse_bytes(a.memory, "--memory");
  const Budget clock;
  const RelationAudit audit = audit_relations(system, limits);
  for (const RelationFault& fault : audit.faults) {
    output.say(fmt::format("{} ({}{}) is wrong: {}", fault.relation, fault.first,
                           fault.second.empty() ? "" : ", " + fault.second, fault.text));
    show_state(system, fault.state, output);
  }
  report.counters.states = audit.states;
  report.seconds = clock.seconds();
  report.peak_bytes = peak_resident_bytes();
  report.complete = audit.complete;
  report.verdict = !audit.faults.empty() ? Verdict::Violated : audit.complete ? Verdict::Holds : Verdict::Unknown;
  if (!audit.faults.empty()) report.property = audit.faults[0].relation;
  if (!audit.complete) report.stopped_by = "the budget ran out; audit a smaller instance";
  report.note = fmt::format("{} of enabled transitions compared, {} wrong", report::counted(audit.pairs, "pair"),
                            report::counted(audit.faults.size(), "relation"));
}

}  // namespace

void add_audit(CLI::App& app, Command& run) {
  auto a = std::make_shared<AuditArguments>();
  CLI::App* audit = app.add_subcommand(
      "audit", "Check what reductions take for granted of a model, on all states of a small instance");
  add_run_arguments(*audit, a->run);
  audit->add_option("--split", a->split, "How transitions are refined: none, quorum, reply or combined")
      ->check(CLI::IsMember({"none", "quorum", "reply", "combined"}).description(""))
      ->type_name("KIND");
  audit->add_option("--time", a->time, "Such as 90, 5m or 2h; default 60 s")->type_name("DURATION");
  audit->add_option("--memory", a->memory, "Such as 512M or 2G")->type_name("BYTES");
  add_output_options(*audit, a->output);
  audit->callback([a, &run] {
    run = [a] {
      const Output output(a->output);
      report::RunReport report;
      return run_and_finish(output, report, [&] { run_audit(*a, output, report); });
    };
  });
}

}  // namespace heddle::cli
