// heddle serializable: says which isolation level a recorded history of transactions has.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <mutex>
#include <optional>
#include <system_error>

#include "check/transactions/check_transactions.h"
#include "check/transactions/restricted.h"
#include "cli/command.h"
#include "cli/command_arguments.h"
#include "cli/errors.h"
#include "cli/heartbeat.h"
#include "cli/history_arguments.h"
#include "cli/output.h"
#include "cli/watchdog.h"
#include "core/budget.h"
#include "explain/transaction_core.h"
#include "explain/transaction_explanation.h"
#include "explain/transaction_orders.h"
#include "history/input_file.h"
#include "history/transactions.h"
#include "report/atomic_file.h"
#include "report/json_view.h"
#include "report/numbers.h"
#include "report/transactions_report.h"
#include "report/utf8.h"
#include "run/memory_limit.h"
#include "run/quantities.h"

namespace heddle::cli {
namespace {

struct SerializableArguments : SerializableOptions, BudgetArguments {
  HistoryArguments reading;
  OutputOptions output;
};

Level asked_level(const std::string& given) {
  if (given.empty()) return {};
  if (const auto level = level_named(given)) return *level;
  std::string all;
  for (const Level& level : all_levels()) {
    if (level.respects == Respects::Nothing) all += (all.empty() ? "" : ", ") + name(level);
  }
  throw UsageError(fmt::format("--level: there is no level '{}'; there are {}, each also as session-... and strict-...",
                               given, all));
}

std::string_view outcome_name(Outcome outcome) {
  constexpr std::string_view names[] = {"ok", "failed", "unknown"};
  return names[static_cast<int>(outcome)];
}

class SerializableRun {
 public:
  SerializableRun(const SerializableArguments& a, const Output& output, report::RunReport& report)
      : a_(a), output_(output), report_(report) {}

  void run() {
    const Level level = asked_level(a_.level);
    checked().level = name(level);
    Limits limits;
    if (!a_.time.empty()) run::set_time_limit(a_.time, limits);
    limits.bytes = run::set_memory_limit(run::parse_memory(a_.memory));
    Watchdog watchdog(limits, output_, report_);
    Budget budget(limits);
    const Heartbeat heartbeat(a_.output.quiet, [this] {
      const std::lock_guard lock(mutex_);
      return doing_;
    });
    TransactionHistory history;
    try {
      read(history, limits, budget);
      check(history, level, budget, watchdog);
    } catch (const history::HistoryError& error) {
      report_.verdict = Verdict::Error;
      report_.error = error.what();
    } catch (const history::ReadingStopped& stopped) {
      report_.verdict = Verdict::Unknown;
      report_.stopped_by = std::string(stopped.what()) + ", while reading";
    }
    report_.peak_bytes = peak_resident_bytes();
    report_.complete = report_.verdict == Verdict::Holds;
  }

 private:
  void read(TransactionHistory& history, const Limits& limits, Budget& budget) {
    say_doing("reading " + a_.file);
    const double start = budget.seconds();
    const history::InputFile input(a_.file, limits.bytes);
    history::TransactionReadOptions options;
    if (!a_.reading.format.empty()) options.format = format_given(a_.reading.format, "--format");
    options.initial = a_.initial;
    if (!a_.total.empty()) {
      std::int64_t total = 0;
      const char* end = a_.total.data() + a_.total.size();
      const auto [stop, error] = std::from_chars(a_.total.data(), end, total);
      if (error == std::errc::result_out_of_range)
        throw UsageError(fmt::format("--total: {} is too large; it has to fit into 64 bits", a_.total));
      if (stop != end || error != std::errc())
        throw UsageError(fmt::format("--total: {} is no integer; it is what all accounts have together", a_.total));
      options.total = total;
    }
    options.budget = &budget;
    const history::TransactionReadSummary summary =
        history::read_transactions(input.text(), input.name(), options, history);
    report::TransactionsReport& to = checked();
    to.format = history::name(summary.format);
    to.ok = summary.ok;
    to.failed = summary.failed;
    to.unknown = summary.unknown;
    to.processes = history.processes.size();
    to.keys = history.keys();
    to.real_time = history.has_invocations;
    constexpr std::string_view workloads[] = {"list-append", "rw-register", "bank", "counter"};
    to.workload = history.is_set ? "set" : workloads[static_cast<int>(history.workload)];
    to.warning = history::backwards_text({.backwards = summary.backwards, .first_backwards = summary.first_backwards});
    to.reading_seconds = budget.seconds() - start;
    std::string line =
        fmt::format("{} ({}, {}): {} of {} on {}", a_.file, to.format, to.workload,
                    report::counted(history.transactions.size(), "transaction"),
                    to.processes == 1 ? "1 process" : report::with_separators(to.processes) + " processes",
                    report::counted(to.keys, "key"));
    if (summary.failed > 0) line += fmt::format(", {} failed", report::with_separators(summary.failed));
    if (summary.unknown > 0) line += fmt::format(", {} of unknown outcome", report::with_separators(summary.unknown));
    if (summary.nemesis_events > 0)
      line += ", " + report::counted(summary.nemesis_events, "event") + " of the nemesis left out";
    output_.say(report::printable(line));
    if (!to.warning.empty()) output_.say(report::printable("warning: " + to.warning));
  }

  void check(const TransactionHistory& history, const Level& level, Budget& budget, Watchdog& watchdog) {
    say_doing("checking " + a_.file);
    const double start = budget.seconds();
    TransactionsOptions options;
    options.asked = level;
    options.all_levels = a_.level.empty();
    options.writes_follow_reads = a_.writes_follow_reads;
    options.budget = &budget;
    checked().writes_follow_reads = a_.writes_follow_reads;
    const TransactionsResult result = check_transactions(history, options);
    report::TransactionsReport& to = checked();
    to.checking_seconds = budget.seconds() - start;
    to.open_keys = result.open_keys;
    to.show_table = options.all_levels;
    for (const LevelResult& one : result.levels) to.levels.push_back(row(one, result));
    report_.verdict = result.verdict;
    report_.stopped_by = result.stopped_by;
    if (result.verdict == Verdict::Violated) {
      report_.property = name(level);
      watchdog.note(report_);
      violated(history, level, result.findings[result.of(level).finding], budget, watchdog);
    }
    if (a_.explain) explain_all(history, level, result);
  }

  static report::TransactionsReport::LevelRow row(const LevelResult& one, const TransactionsResult& result) {
    constexpr std::string_view respects[] = {"", "session", "strict"};
    report::TransactionsReport::LevelRow out;
    out.name = name(one.level);
    out.isolation = name(one.level.isolation);
    out.respects = respects[static_cast<int>(one.level.respects)];
    out.asked = one.asked;
    out.verdict = one.verdict;
    out.stopped_by = one.stopped_by;
    if (one.verdict == Verdict::Violated) out.anomaly = explain::anomaly_name(result.findings[one.finding]);
    if (one.verdict == Verdict::Holds) out.certificate = name(result.certificates[one.certificate].level);
    return out;
  }

  // Says in numbers and names what rules levels out.
  static report::TransactionsReport::Explanation described(const TransactionHistory& history,
                                                           const transactions::IsolationFinding& finding) {
    report::TransactionsReport::Explanation to;
    to.anomaly = explain::anomaly_name(finding);
    to.finding = explain::finding_line(history, finding);
    const std::vector<std::uint32_t> shown = explain::transactions_of(finding);
    const auto name_of = [&](std::uint32_t t) {
      return fmt::format("T{}", std::ranges::find(shown, t) - shown.begin() + 1);
    };
    for (const std::uint32_t t : shown) {
      const Transaction& one = history.transactions[t];
      to.transactions.push_back({name_of(t), one.process == never ? "" : history.processes[one.process],
                                 std::string(outcome_name(one.outcome)),
                                 explain::transaction_text(history, t, false, 2000), one.invoked_line,
                                 one.returned_line});
    }
    const auto add = [&](const std::vector<transactions::CycleStep>& cycle,
                         std::vector<report::TransactionsReport::Edge>& edges) {
      for (const transactions::CycleStep& step : cycle) {
        edges.push_back({name_of(step.from), name_of(step.to), std::string(explain::dependency_name(step.kind)),
                         explain::reason(history, step, name_of(step.from), name_of(step.to)), step.assumed});
      }
    };
    add(finding.cycle, to.edges);
    for (const auto& one : finding.cases) add(one, to.edges);
    for (const transactions::InferredOrder& one : finding.inferred) {
      if (std::ranges::find(shown, one.first) == shown.end()) break;  // the rest is not shown
      to.inferred.push_back({explain::inferred_order(history, one, name_of(one.first), name_of(one.second)), {}});
      add(one.cycle, to.inferred.back().edges);
    }
    return to;
  }

  explain::TransactionTextOptions text_options() const {
    const report::TextOptions text = output_.text_options();
    return {a_.file, text.width, text.ascii};
  }
  void show(const std::string& text) const {
    if (a_.output.quiet || text.empty()) return;
    output_.show(text);
    output_.say("");
  }

  void violated(const TransactionHistory& history, const Level& level, const transactions::IsolationFinding& finding,
                Budget& budget, Watchdog& watchdog) {
    report::TransactionsReport& to = checked();
    to.asked = described(history, finding);
    if (!a_.dot.empty()) {
      report::write_file_atomically(a_.dot, explain::finding_dot(history, finding));
      to.dot = a_.dot;
    }
    watchdog.note(report_);
    write_witness(history, level, finding, budget);
    if (a_.output.quiet) return;
    output_.say("");
    show(explain::explain_finding(history, finding, level, text_options()));
    if (!missing_witness_.empty()) output_.say(missing_witness_);
    if (to.witness.empty()) return;
    output_.say(fmt::format("{} that already break this are in {}; again: heddle serializable {} --level {}",
                            report::counted(to.witness_transactions, "transaction"), to.witness, to.witness,
                            name(level)));
  }

  // --explain: every level that was decided, not only the one in question. Each finding and each order stands for all
  // levels that it decides; the text has the finding of the level in question already.
  void explain_all(const TransactionHistory& history, const Level& level, const TransactionsResult& result) {
    report::TransactionsReport& to = checked();
    to.explains = true;
    const auto is_asked = [&](const LevelResult& one) { return one.asked && (a_.level.empty() || one.level == level); };
    const bool has_shown = report_.verdict == Verdict::Violated;
    if (!has_shown && !a_.output.quiet) output_.say("");
    for (std::uint32_t number = 0; number < result.findings.size(); ++number) {
      std::vector<const LevelResult*> ruled_out;
      for (const LevelResult& one : result.levels) {
        if (is_asked(one) && one.verdict == Verdict::Violated && one.finding == number) ruled_out.push_back(&one);
      }
      if (ruled_out.empty()) continue;
      to.explanations.push_back(described(history, result.findings[number]));
      for (const LevelResult* one : ruled_out) to.explanations.back().levels.push_back(name(one->level));
      if (has_shown && result.of(level).finding == number) continue;
      show(explain::explain_finding(history, result.findings[number], ruled_out.front()->level, text_options()));
    }
    for (std::uint32_t number = 0; number < result.certificates.size(); ++number) {
      // The strongest of those that it shows: none of the others holds of which it follows.
      const LevelResult* best = nullptr;
      for (const LevelResult& one : result.levels) {
        const bool shows = is_asked(one) && one.verdict == Verdict::Holds && one.certificate == number;
        if (shows && (best == nullptr || best->level.follows_from(one.level))) best = &one;
      }
      const auto is_weaker = [&](const LevelResult& one) {
        return is_asked(one) && one.verdict == Verdict::Holds && one.certificate != number &&
               best->level.follows_from(one.level);
      };
      if (best == nullptr || std::ranges::any_of(result.levels, is_weaker)) continue;
      const TransactionCertificate& certificate = result.certificates[number];
      constexpr std::string_view kinds[] = {"whole", "start", "commit"};
      report::TransactionsReport::Order& order = to.orders.emplace_back();
      order.level = name(best->level);
      for (const explain::OrderEvent& event : explain::events_of(certificate)) {
        const Transaction& one = history.transactions[event.transaction];
        order.events.push_back(
            {one.returned_line != 0 ? one.returned_line : one.invoked_line, kinds[static_cast<int>(event.kind)]});
      }
      show(explain::explain_order(history, best->level, certificate, text_options()));
    }
    const auto is_open = [&](const LevelResult& one) { return is_asked(one) && one.verdict == Verdict::Unknown; };
    if (std::ranges::any_of(result.levels, is_open)) show(explain::explain_open(history, text_options()));
  }

  void write_witness(const TransactionHistory& history, const Level& level,
                     const transactions::IsolationFinding& finding, Budget& budget) {
    if (a_.no_witness) return;
    say_doing("looking for few transactions that break " + name(level));
    const std::vector<std::uint32_t> core = explain::transaction_core(history, finding, level, budget);
    report::TransactionsReport& to = checked();
    if (core.empty()) return no_witness(history, to);
    try {
      report::write_file_atomically(a_.witness, history::write_transactions(transactions::restricted(history, core)));
      to.witness = a_.witness;
      to.witness_transactions = core.size();
    } catch (const report::ReportError& error) {  // this does not change the verdict
      to.warning += fmt::format("{}the witness was not written: {}", to.warning.empty() ? "" : "; ", error.what());
      output_.say(fmt::format("warning: the witness was not written: {}", error.what()));
    }
  }

  // Says that there is none, so that nobody takes that of an earlier run for it.
  void no_witness(const TransactionHistory& history, report::TransactionsReport& to) {
    const bool one_read = history.workload == Workload::Bank || history.workload == Workload::Counter;
    missing_witness_ = one_read ? "no witness is written: the read above says it all"
                                : "no witness is written: no few transactions that break this were found";
    std::error_code error;
    if (!std::filesystem::exists(a_.witness, error)) return;
    const std::string earlier = fmt::format("{} was there before and is not of this run", a_.witness);
    to.warning += (to.warning.empty() ? "" : "; ") + earlier;
    output_.say(report::printable("warning: " + earlier));
  }

  report::TransactionsReport& checked() { return report_.sections.at<report::TransactionsReport>(); }

  void say_doing(std::string what) {
    const std::lock_guard lock(mutex_);
    doing_ = std::move(what);
  }

  const SerializableArguments& a_;
  const Output& output_;
  report::RunReport& report_;
  std::string missing_witness_;
  std::mutex mutex_;
  std::string doing_;
};

}  // namespace

int command_serializable(const Arguments& given) {
  const SerializableArguments a{given.of<SerializableOptions>(), given.of<BudgetArguments>(),
                                given.of<HistoryArguments>(), given.of<OutputOptions>()};
  const Output output(a.output);
  report::RunReport report;
  report.command = "serializable";
  report.model = a.file;
  report.sections.at<report::TransactionsReport>().file = a.file;
  report.sections.at<report::TransactionsReport>().level = a.level.empty() ? "serializable" : a.level;
  return run_and_finish(output, report, [&] { SerializableRun(a, output, report).run(); });
}

}  // namespace heddle::cli
