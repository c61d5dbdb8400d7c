// heddle check: explores a model and says whether its properties hold.
#include "run/check.h"

#include <fmt/format.h>

#include <filesystem>
#include <initializer_list>
#include <set>
#include <utility>

#include "cli/command.h"
#include "cli/command_arguments.h"
#include "cli/errors.h"
#include "cli/findings.h"
#include "cli/option_values.h"
#include "cli/output.h"
#include "cli/reduction_arguments.h"
#include "cli/run_arguments.h"
#include "cli/watchdog.h"
#include "core/user_code.h"
#include "report/coverage_text.h"
#include "run/memory_limit.h"
#include "run/native_door.h"
#include "run/quantities.h"
#include "run/stress.h"
#include "stateless/dpor_search.h"

namespace heddle::cli {
namespace {

struct CheckArguments : CheckOptions, BudgetArguments {
  RunArguments run;
  OutputOptions output;
  FindingOptions findings;
  SearchOptions search;
  ReductionArguments reductions;
  std::set<std::string> named;  // the options that the user gave
};

using Order = SearchOptions::Order;
using Store = SearchOptions::Store;

// An option that would have no effect is an error, so that nobody takes the result for one with the option.
void refuse_options_without_effect(const CheckArguments& a) {
  const auto refuse = [&](std::initializer_list<const char*> names, bool effective, const std::string& why) {
    for (const char* const name : names) {
      if (!effective && a.named.contains(name)) throw UsageError(fmt::format("--{} {}", name, why));
    }
  };
  const Order order = a.search.order;
  const std::string search = "--search " + search_orders().name(order);
  refuse({"dpor"}, order == Order::Dpor, "says which one --search dpor is; give that, too");
  refuse({"walks", "walk-length"}, order == Order::RandomWalk, "is about --search random; give that, too, or drop it");
  refuse({"split", "por-start", "no-net"}, remembers_states(order),
         "is about the reduction por, which does not apply to " + search + "; drop it");
  refuse({"bitstate-memory"}, a.search.store == Store::Bitstate, "is the size of --store bitstate; give that, too");
  refuse({"order"}, remembers_states(order), "is about searches that remember states; drop it, or use --search dfs");
  refuse({"reduce", "order", "threads", "store", "no-compression", "spos"}, !a.reductions.portfolio,
         "does not go together with --portfolio, which has searches of its own; drop it");
  if (a.reductions.portfolio && !remembers_states(order)) {
    throw UsageError(fmt::format("--portfolio does not apply to {}; drop one of them", search));
  }
  refuse({"store"}, order != Order::Dpor, "does not apply to --search dpor, which stores no states; drop it");
}

SearchOptions search_options(const CheckArguments& a) {
  refuse_options_without_effect(a);
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
  if (!a.time.empty()) run::set_time_limit(a.time, options.limits);
  options.limits.bytes = run::set_memory_limit(run::parse_memory(a.memory));
  if (!a.bitstate_memory.empty()) options.bitstate_bytes = run::parse_bytes(a.bitstate_memory, "--bitstate-memory");
  if (earlier_crash() != nullptr) options.threads = 1;  // user_code.h
  return options;
}

// Finds out before the search that a trace cannot be written, not after a night of searching.
void check_trace_file(const FindingOptions& findings, const RunArguments& run) {
  namespace fs = std::filesystem;
  if (!findings.tree_dot.empty()) keep_model_file("--tree-dot", findings.tree_dot, run);
  if (findings.no_trace) return;
  keep_model_file("--trace", findings.trace_file, run);
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

run::CheckRequest request_of(const CheckArguments& a) {
  run::CheckRequest request;
  request.build = build_options(a.run);
  request.search = search_options(a);
  request.split = a.reductions.split;
  request.tell_skipped = a.reductions.reduce != "auto";
  request.verify_reduction = a.reductions.verify;
  request.portfolio = a.reductions.portfolio;
  request.linearizable = a.linearizable;
  request.needs_refinement = a.classify || !a.findings.tree_dot.empty();
  request.classify = a.classify;
  request.minimise = !a.findings.no_minimise;
  request.ascii = a.output.ascii;
  request.watch_growth = !a.output.quiet;
  request.memory = run::parse_memory(a.memory);
  return request;
}

// Real threads instead of a search.
void run_stress(const CheckArguments& a, const Output& output, report::RunReport& report) {
  report.command = "check";
  report.search = "stress";
  if (!run::is_program_file(a.run.given)) throw UsageError("--stress is about programs in C and C++ with a harness");
  run::StressRequest request{.file = a.run.given, .switches = a.run.switches};
  if (!a.time.empty()) {
    Limits limits;
    run::set_time_limit(a.time, limits);
    request.seconds = limits.seconds;
  }
  report.model = a.run.given;
  report.options = a.run.switches;
  Watchdog watchdog({}, output, report);
  const run::StressResult result = run::stress(request);
  run::describe(result, report);
  report.sections.at<report::StressReport>() = result.report;
}

void run_check(const CheckArguments& a, const Output& output, report::RunReport& report) {
  report.command = "check";
  run::CheckRequest request = request_of(a);
  report.search = search_descriptions().name(request.search.order);
  report.store = search_stores().name(request.search.store);
  report.threads = request.search.threads;
  check_trace_file(a.findings, a.run);
  request.plan = plan_of(a.reductions);
  const Order order = request.search.order;
  if (!remembers_states(order) && a.reductions.reduce != "auto" && a.reductions.reduce != "none") {
    throw UsageError(fmt::format("--reduce does not apply to {}; drop it, or use --search bfs or dfs",
                                 order == Order::Dpor ? "--search dpor, a reduction of its own" : "random walks"));
  }
  // One budget covers building the model, the search, and all that is done with its findings.
  Budget budget(request.search.limits);
  request.budget = &budget;
  Watchdog watchdog(request.search.limits, output, report);
  RunArguments opened = a.run;
  // A program is compared with the object, so its run records that; a protocol has a specification of its own.
  if (!request.linearizable.empty() && run::is_program_file(opened.given)) {
    opened.switches["linearizable"] = std::exchange(request.linearizable, {});
  }
  const run::Instance instance = open_instance(opened, report);
  Teller teller(a.findings, true, output, watchdog, report);
  const run::CheckResult result = run::check(instance, request, teller);
  teller.tell(result);
  if (result.coverage) report.sections.at<report::CoverageReport>().whole_table = a.coverage;
}

}  // namespace

int command_check(const Arguments& given) {
  const CheckArguments a{given.of<CheckOptions>(),       given.of<BudgetArguments>(),
                         run_arguments(given),           given.of<OutputOptions>(),
                         given.of<FindingOptions>(),     given.of<SearchOptions>(),
                         given.of<ReductionArguments>(), given.named};
  const Output output(a.output);
  report::RunReport report;
  return run_and_finish(output, report,
                        [&] { a.stress ? run_stress(a, output, report) : run_check(a, output, report); });
}

}  // namespace heddle::cli
