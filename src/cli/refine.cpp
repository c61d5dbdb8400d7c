// heddle refine: says whether an abstract object accepts the calls that an implementation has logged.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <optional>

#include "check/refinement/check_call_log.h"
#include "cli/command.h"
#include "cli/command_arguments.h"
#include "cli/errors.h"
#include "cli/heartbeat.h"
#include "cli/output.h"
#include "cli/standard_output.h"
#include "cli/watchdog.h"
#include "core/budget.h"
#include "history/call_log.h"
#include "history/source_text.h"
#include "report/atomic_file.h"
#include "report/call_log_report.h"
#include "report/json_text.h"
#include "report/json_view.h"
#include "report/numbers.h"
#include "report/refinement_report.h"
#include "report/refinement_text.h"
#include "report/utf8.h"
#include "run/memory_limit.h"
#include "run/quantities.h"
#include "run/suggestions.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_rounds_shown = 24;
constexpr std::size_t most_calls_shown = 12;  // before the rejected call

struct RefineArguments : RefineOptions, BudgetArguments {
  OutputOptions output;
};

Limits limits_of(const RefineArguments& a) {
  Limits limits;
  if (!a.time.empty()) run::set_time_limit(a.time, limits);
  limits.bytes = run::set_memory_limit(run::parse_memory(a.memory));
  return limits;
}

LoggedTree empty_tree(const RefineArguments& a) {
  LoggedTree tree;
  tree.same_value = !a.log_of_commands;
  tree.choose(a.spec);
  // A client typed as 7 may be logged as 7 or as "7".
  for (const std::string& client : a.clients) {
    tree.clients.push_back({report::quoted(client)});
    if (report::is_plain_integer(client) || client == "true" || client == "false" || client == "null") {
      tree.clients.push_back({client});
    }
  }
  return tree;
}

class RefineRun {
 public:
  RefineRun(const RefineArguments& a, const Output& output, report::RunReport& report)
      : a_(a), output_(output), report_(report), budget_(limits_of(a)), checker_(empty_tree(a), &budget_) {}

  void run() {
    check_tree_dot();
    Watchdog watchdog(budget_.limits(), output_, report_);
    watchdog_ = &watchdog;
    history::LineReader lines(a_.file);
    report_.model = calls().file = lines.name();
    history::CallLogReader log(lines);
    try {
      const Heartbeat heartbeat(a_.output.quiet, [this] {
        return fmt::format("{} of {}", report::counted(done_.load(std::memory_order_relaxed), "call"), a_.file);
      });
      follow(log);
    } catch (const history::ReadingStopped& stopped) {
      report_.stopped_by = stopped.what();
    } catch (const CheckingStopped& stopped) {
      report_.stopped_by = stopped.what();
    }
    finish(log);
  }

 private:
  void follow(history::CallLogReader& log) {
    constexpr std::uint64_t block = 1024;  // calls between two looks at the clock
    LoggedCall call;
    while (log.next(call)) {
      Answer answer = checker_.make(call);
      if (answer.kind == Answer::Kind::rejected) {
        rejected_.emplace(call, std::move(answer));
        return;
      }
      if (checker_.calls() <= most_calls_shown) first_.push_back(call);
      if (checker_.calls() % block != 0) continue;
      done_.store(checker_.calls(), std::memory_order_relaxed);
      if (!budget_.check(0)) throw history::ReadingStopped(budget_.reason());
    }
  }

  void finish(const history::CallLogReader& log) {
    report::CallLogReport& calls = this->calls();
    report::RefinementReport& r = report_.sections.at<report::RefinementReport>();
    report_.complete = !rejected_ && report_.stopped_by.empty();
    report_.verdict = rejected_ ? Verdict::Violated : report_.complete ? Verdict::Holds : Verdict::Unknown;
    if (rejected_) report_.stopped_by = "violation";
    const std::string property = "refines " + a_.object;
    report_.properties = {{property, Property::Kind::Always, report_.verdict}};
    r.object = a_.object;
    r.specification = a_.spec;
    r.points = "recorded";
    r.verdict = report_.verdict;
    r.counts = checker_.counts();
    calls.calls = checker_.calls();
    calls.instances = checker_.instances();
    calls.rounds = checker_.rounds();
    calls.left_out.assign(log.left_out().begin(), log.left_out().end());
    if (!calls.left_out.empty()) {
      output_.say(fmt::format("fields that were not read: {}", run::listed(calls.left_out)));
    }
    if (rejected_) {
      report_.property = property;
      watchdog_->note(report_);
      violated(r, calls);
    } else {
      warn_of_vacuity();
    }
    if (!a_.tree_dot.empty()) draw(r);
    report_.peak_bytes = peak_resident_bytes();
  }

  void violated(report::RefinementReport& r, report::CallLogReport& calls) {
    const auto& [call, answer] = *rejected_;
    r.call = call.text();
    r.clause = answer.clause;
    r.property = answer.property;
    r.witness = answer.witness;
    calls.line = call.line;
    calls.earlier = checker_.earlier(call);
    calls.tree = checker_.tree_json(call, most_rounds_shown);
    if (answer.missing) {
      r.advice = "an earlier call is missing: is the step that should have made it logged, and before this line?";
    }
    const std::string by = call.process.empty() ? "" : " of " + call.process;
    output_.say(report::printable(fmt::format("{}:{}: {} rejects {}{}: {} ({}): {}", calls.file, calls.line, r.object,
                                              r.call, by, r.clause, r.property, r.witness)));
    if (!r.advice.empty()) output_.say(r.advice);
    for (const auto& [line, text] : calls.earlier) {
      output_.say(report::printable(fmt::format("  line {}: {}", line, text)));
    }
    if (checker_.size_of_tree() > most_rounds_shown) {
      output_.say(fmt::format("{} of the {} rounds of this instance are shown; those between them are left out",
                              most_rounds_shown, report::with_separators(checker_.size_of_tree())));
    }
    const report::TextOptions text = output_.text_options();
    std::string table = report::call_table(r.object, "line", rows(r, calls.tree), text.width, text.ascii);
    table.pop_back();
    output_.say(table);
  }

  // Returns all calls on the instance if the log is short, otherwise only the rejected call.
  std::vector<report::CallRow> rows(const report::RefinementReport& r, const std::string& tree) const {
    const LoggedCall& rejected = rejected_->first;
    std::vector<report::CallRow> rows;
    if (checker_.calls() <= most_calls_shown) {
      CallLogChecker again(empty_tree(a_));
      std::string before = "[]";
      for (const LoggedCall& call : first_) {
        if (call.mode.instance != rejected.mode.instance) continue;
        const bool stutter = again.make(call).kind == Answer::Kind::stutter;
        std::string after = again.tree_json(call);
        rows.push_back({fmt::format("{:>4}", call.line),
                        {{r.object, call.text(), stutter ? "stutter" : "accepted"}},
                        before,
                        after});
        before = std::move(after);
      }
    }
    rows.push_back({fmt::format("{:>4}", rejected.line), {{r.object, r.call, "rejected"}}, tree, tree});
    return rows;
  }

  void warn_of_vacuity() {
    const auto counts = checker_.counts();
    if (checker_.calls() == 0) {
      output_.say(fmt::format("warning: {} makes no call on {}; it says nothing", calls().file, a_.object));
    } else if (counts.at("commits") == 0) {
      output_.say(fmt::format("warning: {} never commits; nothing was decided in what was logged", a_.object));
    }
  }

  // Finds out before the log is read, not after it, that the picture cannot be written.
  void check_tree_dot() const {
    if (a_.tree_dot.empty()) return;
    const fs::path file = a_.tree_dot;
    std::error_code error;
    if (fs::is_directory(file, error) || (file.has_parent_path() && !fs::is_directory(file.parent_path(), error))) {
      throw UsageError(
          fmt::format("--tree-dot: {} cannot be written; name a file in a directory that exists", a_.tree_dot));
    }
  }
  void draw(const report::RefinementReport& r) const {
    try {
      report::write_file_atomically(
          file_named(a_.tree_dot),
          rejected_ ? report::tree_dot(checker_.tree_json(rejected_->first), r.call, r.clause + " " + r.property)
                    : report::tree_dot(checker_.trees_json(), "", ""));
      output_.say(fmt::format("the abstract object in {}", a_.tree_dot));
    } catch (const report::ReportError& error) {  // this does not change the verdict
      if (!rejected_) throw;
      output_.say(fmt::format("warning: the abstract object was not drawn: {}", error.what()));
    }
  }

  report::CallLogReport& calls() { return report_.sections.at<report::CallLogReport>(); }

  const RefineArguments& a_;
  const Output& output_;
  report::RunReport& report_;
  Budget budget_;
  Watchdog* watchdog_ = nullptr;
  CallLogChecker checker_;
  std::vector<LoggedCall> first_;
  std::optional<std::pair<LoggedCall, Answer>> rejected_;
  std::atomic<std::uint64_t> done_ = 0;
};

}  // namespace

int command_refine(const Arguments& given) {
  const RefineArguments a{given.of<RefineOptions>(), given.of<BudgetArguments>(), given.of<OutputOptions>()};
  const Output output(a.output);
  report::RunReport report;
  report.command = "refine";
  report.model = a.file;
  report.sections.at<report::CallLogReport>().file = a.file;
  report.options = given.recorded;
  return run_and_finish(output, report, [&] {
    if (a.file.empty()) throw UsageError("which log? heddle refine LOG; see heddle refine --help");
    RefineRun(a, output, report).run();
  });
}

}  // namespace heddle::cli
