// heddle check: explores a model and says whether its properties hold.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>

#include "check/refinements.h"
#include "cli/command.h"
#include "cli/command_arguments.h"
#include "cli/errors.h"
#include "cli/failures.h"
#include "cli/findings.h"
#include "cli/growth_report.h"
#include "cli/linearizable_object.h"
#include "cli/memory_limit.h"
#include "cli/option_values.h"
#include "cli/output.h"
#include "cli/quantities.h"
#include "cli/reduction_arguments.h"
#include "cli/refinement.h"
#include "cli/run_arguments.h"
#include "cli/watchdog.h"
#include "core/facets/assumptions.h"
#include "core/facets/describer.h"
#include "core/facets/forgetting.h"
#include "core/memory.h"
#include "core/remaining.h"
#include "core/user_code.h"
#include "explore/search.h"
#include "reduce/selective_hashing.h"
#include "report/coverage_text.h"
#include "report/numbers.h"
#include "report/progress.h"
#include "stateless/dpor_search.h"

namespace heddle::cli {
namespace {

struct CheckArguments : CheckOptions, BudgetArguments {
  RunArguments run;
  OutputOptions output;
  FindingOptions findings;
  SearchOptions search;
  ReductionArguments reductions;
};

using Order = SearchOptions::Order;
using Store = SearchOptions::Store;

SearchOptions search_options(const CheckArguments& a) {
  SearchOptions options = a.search;
  options.selective_push = a.reductions.selective_push;
  if (options.order == Order::Dpor) {
    if (const std::string why = conflicts_with_dpor(options); !why.empty()) throw UsageError(why);
    options.store = Store::None;
  }
  if (options.selective_push && options.order != Order::DepthFirst)
    throw UsageError("--spos is about the stack of --search dfs");
  if (options.store == Store::None && options.order != Order::DepthFirst && options.order != Order::Dpor) {
    throw UsageError("--store none walks every run, which is a matter of --search dfs");
  }
  options.tree_compression = !a.no_compression;
  options.stop_at_violation = !a.all;
  if (!a.time.empty()) options.limits.seconds = parse_seconds(a.time, "--time");
  options.limits.bytes = set_memory_limit(a.memory);
  if (!a.bitstate_memory.empty()) options.bitstate_bytes = parse_bytes(a.bitstate_memory, "--bitstate-memory");
  return options;
}

// A trace that cannot be written is known before the search, not after a night of it.
void check_trace_file(const FindingOptions& findings) {
  namespace fs = std::filesystem;
  if (findings.no_trace) return;
  const fs::path file = findings.trace_file;
  const fs::path directory = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::error_code error;
  if (fs::is_directory(file, error))
    throw UsageError(fmt::format("--trace: {} is a directory; name a file", file.string()));
  if (!fs::is_directory(directory, error)) {
    throw UsageError(fmt::format("--trace: there is no directory {} for the trace; create it, or name another file",
                                 directory.string()));
  }
}

// Throws ModelError if the searches disagree: then the model breaks an assumption of a reduction.
void verify_reduction(const TransitionSystem& system, const SearchOptions& options, const SearchResult& reduced,
                      const ReductionReport& reduction, const Output& output) {
  const bool orbits = std::ranges::any_of(reduction.applied, [](const auto& one) { return one != "partial order"; });
  const Comparison c = compare_with_unreduced(system, options, reduced, orbits);
  if (!c.complete) {
    output.say(fmt::format("reduction not verified: the search without it did not end ({})", c.unreduced.stopped_by));
    return;
  }
  std::string text;
  for (const std::string& difference : c.differences) text += (text.empty() ? "" : "; ") + difference;
  if (!text.empty()) {
    throw ModelError("the reductions are not sound for this model: " + text +
                     ". Run `heddle audit` on a small instance");
  }
  output.say(fmt::format("reduction verified: without it the same verdicts and final states in {} and {:.2f} s",
                         report::counted(c.unreduced.counters.states, "state"), c.unreduced.seconds));
}

bool keeps_auxiliary(const TransitionSystem& system) {
  SlotVector state = system.initial_states()[0];
  return system.forgetting() != nullptr && system.forgetting()->forget_auxiliary(state);
}

// Gives every path back what was left out of its states; false if one does not exist with it.
bool recall(const TransitionSystem& full, const TransitionSystem& forgetful, SearchResult& result) {
  for (auto* findings : {&result.violations, &result.witnesses}) {
    for (Finding& f : *findings) {
      std::optional<Path> path = recall_finding(full, forgetful, f);
      if (!path) return false;
      f.path = std::move(*path);
    }
  }
  return true;
}

// What never happened in a search that looked at everything, and a bug that does nothing, do not pass in silence.
void say_coverage(bool whole_table, const Output& output, const report::RunReport& report) {
  if (!report.coverage) return;
  if (whole_table) output.say(report::coverage_table(*report.coverage, report.complete));
  if (!report.complete) return;
  const std::vector<std::string> never = report::never_happened(*report.coverage);
  if (!never.empty()) output.say(fmt::format("never happened: {}", fmt::join(never, "; ")));
}

// A bug is there to break something. Empty unless everything was looked at and it did not.
std::string about_bug(const Instance& instance, const report::RunReport& report) {
  if (instance.broken_by_bug.empty() || !report.complete) return {};
  const auto found = std::ranges::find(report.properties, instance.broken_by_bug, &report::PropertyReport::name);
  if (found == report.properties.end()) {
    return fmt::format("bug {} is to break {}, which this run does not check", instance.bug, instance.broken_by_bug);
  }
  if (found->result != Verdict::Holds) return {};
  return fmt::format("bug {} did not break {}", instance.bug, instance.broken_by_bug);
}

void run_check(const CheckArguments& a, bool watch, const Output& output, report::RunReport& report) {
  Budget::install_interrupt_handler();
  SearchOptions options = search_options(a);
  if (earlier_crash() != nullptr) options.threads = 1;  // user_code.h
  report.command = "check";
  report.search = search_descriptions().name(options.order);
  report.store = search_stores().name(options.store);
  report.threads = options.threads;
  check_trace_file(a.findings);
  ReductionPlan plan = plan_of(a.reductions);
  if (!remembers_states(options.order) && a.reductions.reduce != "auto" && a.reductions.reduce != "none") {
    throw UsageError(
        fmt::format("--reduce does not apply to {}; drop it, or use --search bfs or dfs",
                    options.order == Order::Dpor ? "--search dpor, a reduction of its own" : "random walks"));
  }
  if (options.order == Order::Dpor) plan = {};
  RunArguments run = a.run;
  prepare(a.reductions, plan, run.actor);
  run.actor.watch_failures = watch;
  // One budget for building the model, for the search and for all that is done with what it finds.
  Budget budget(options.limits);
  Watchdog watchdog(options.limits, output, report);
  Instance instance = make_instance(run, report);
  if ((a.classify || !a.findings.tree_dot.empty()) && !refinement_of(*instance.system)) {
    throw UsageError("--classify and --tree-dot are about --refines; give that, too");
  }
  std::optional<Instance> forgetful;
  if (remembers_states(options.order)) {
    run.actor.forget_auxiliary = plan.auxiliary && keeps_auxiliary(*instance.system);
    run.actor.drop_dead = drop_dead(plan);
    if (run.actor.forget_auxiliary || plan.dead) forgetful = make_instance(run, report);
  }
  if (!watch) {
    output.say(instance.title());
    say_warnings(instance, output, report);
  }
  if (!a.linearizable.empty()) check_linearizable(a.linearizable, instance, output);

  report::Progress progress({.quiet = a.output.quiet});
  watchdog.note(report);
  options.limits = remaining(budget);
  std::optional<GrowthReport> growth;
  options.progress = [&](const Counters& counters, double seconds) {
    watchdog.note(counters);
    const std::size_t bytes = resident_bytes();
    progress.update(counters, seconds, bytes);
    if (growth) growth->look(seconds, bytes);
  };
  if (const std::string why = too_little_memory(); !why.empty()) {
    report.stopped_by = why;
    return;
  }
  const auto searched = [&]() -> TransitionSystem& { return forgetful ? *forgetful->system : *instance.system; };
  if (!a.output.quiet && options.threads == 1) growth.emplace(searched(), progress);
  report.start_bytes = resident_bytes();
  ReductionReport reduction;
  SearchResult result = reduced_search(searched(), options, plan, reduction);
  growth.reset();
  report.peak_bytes = peak_resident_bytes();
  limit_memory(std::numeric_limits<std::size_t>::max());  // what was found can be shown
  progress.finish();
  if (forgetful) {
    std::vector<std::string> left_out;
    if (run.actor.forget_auxiliary) left_out.emplace_back("auxiliary data");
    if (std::string dead = left_out_of(*forgetful->system); !dead.empty()) left_out.push_back(std::move(dead));
    if (left_out.empty() || recall(*instance.system, *forgetful->system, result)) {
      reduction.applied.insert(reduction.applied.end(), left_out.begin(), left_out.end());
    } else {
      // What was found is no run of the model. What there is, is found with nothing left out.
      output.say(
          fmt::format("a run that was found without {} does not exist with it; searched again with nothing left out",
                      fmt::join(left_out, " and ")));
      forgetful.reset();
      ReductionPlan rest = plan;
      rest.auxiliary = rest.dead = false;
      reduction = {};
      const double spent = result.seconds;
      options.limits = remaining(budget);
      set_memory_limit(a.memory);
      result = reduced_search(*instance.system, options, rest, reduction);
      limit_memory(std::numeric_limits<std::size_t>::max());
      result.seconds += spent;
      progress.finish();
    }
  }
  options.progress = nullptr;
  report.reductions = reduction.applied;
  report.counts_vary = reduction.counts_vary;
  report.not_reduced = reduction.forsaken;
  for (const std::string& sentence : reduction.forsaken) output.say("not reduced by " + sentence);
  if (a.reductions.reduce != "auto") {
    for (const std::string& sentence : reduction.skipped) output.say("not reduced by " + sentence);
  }
  options.limits = remaining(budget);
  if (a.reductions.verify) {
    set_memory_limit(a.memory);
    verify_reduction(*instance.system, options, result, reduction, output);
    limit_memory(std::numeric_limits<std::size_t>::max());
  }
  FindingOptions findings = a.findings;
  findings.budget = &budget;
  findings.watchdog = &watchdog;
  findings.exhaustive = options.order != Order::RandomWalk && options.store == Store::Exact;
  // Before explanations make handlers run again.
  if (!result.executed.empty()) {
    report.coverage = searched().describer().coverage(result.executed, reduction.symmetry_factor > 1);
  }
  const std::vector<Path> shown = report_findings(instance, searched(), result, findings, output, report);
  for (std::size_t i = 0; i < shown.size(); ++i) result.violations[i].path = shown[i];
  options.limits = remaining(budget);
  report_refinement(instance, searched(), result, options, a.classify, output, report);
  say_coverage(a.coverage, output, report);
  if (const std::string text = about_bug(instance, report); !text.empty()) {
    report.note += (report.note.empty() ? "" : "; ") + text;
  }
}

}  // namespace

int command_check(const Arguments& given) {
  const CheckArguments a{given.of<CheckOptions>(),      given.of<BudgetArguments>(), run_arguments(given),
                         given.of<OutputOptions>(),     given.of<FindingOptions>(),  given.of<SearchOptions>(),
                         given.of<ReductionArguments>()};
  const Output output(a.output);
  report::RunReport report;
  return run_and_finish(output, report,
                        [&] { watching_failures([&](bool watch) { run_check(a, watch, output, report); }); });
}

}  // namespace heddle::cli
