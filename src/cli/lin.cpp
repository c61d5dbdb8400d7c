// heddle lin: says whether a recorded history is linearizable.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>

#include "check/check_history.h"
#include "cli/command.h"
#include "cli/command_arguments.h"
#include "cli/errors.h"
#include "cli/heartbeat.h"
#include "cli/history_arguments.h"
#include "cli/option_values.h"
#include "cli/output.h"
#include "cli/show_violation.h"
#include "cli/standard_output.h"
#include "cli/watchdog.h"
#include "core/budget.h"
#include "core/user_code.h"
#include "history/initial_value.h"
#include "history/input_file.h"
#include "history/write_history.h"
#include "report/atomic_file.h"
#include "report/failure_report.h"
#include "report/history_report.h"
#include "report/json_text.h"
#include "report/json_view.h"
#include "report/numbers.h"
#include "run/find_specification.h"
#include "run/memory_limit.h"
#include "run/quantities.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

struct LinArguments : LinOptions, BudgetArguments {
  HistoryArguments reading;
  HistoryCheckOptions checking;
  OutputOptions output;
};

HistoryCheckOptions check_options(const LinArguments& a) {
  HistoryCheckOptions options = a.checking;
  options.threads = a.threads > 0 ? a.threads : std::max(1U, std::thread::hardware_concurrency());
  if (earlier_crash() != nullptr) options.threads = 1;  // user_code.h
  options.partition = !a.no_partition;
  if (!a.time.empty()) run::set_time_limit(a.time, options.limits);
  options.limits.bytes = run::set_memory_limit(run::parse_memory(a.memory));
  return options;
}

// Finds out before the check, not after it, that a witness cannot be written.
void check_witness(const LinArguments& a) {
  if (a.no_witness) return;
  const fs::path file = a.witness;
  const fs::path directory = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::error_code error;
  if (fs::is_directory(file, error))
    throw UsageError(fmt::format("--witness: {} is a directory; name a file", a.witness));
  if (!fs::is_directory(directory, error)) {
    throw UsageError(fmt::format("--witness: there is no directory {} for the witness; create it, or name another file",
                                 directory.string()));
  }
}

std::size_t bytes_of(const RecordedHistory& history) {
  return history.operations.capacity() * sizeof(RecordedOperation) + history.values.bytes();
}

// Returns the file of the n-th witness of a run with several files: w.edn, w-2.edn, ...
std::string witness_file(const std::string& file, std::size_t n) {
  if (n == 1) return file;
  const fs::path path = file;
  return (path.parent_path() / fmt::format("{}-{}{}", path.stem().string(), n, path.extension().string())).string();
}

class LinRun {
 public:
  LinRun(const LinArguments& a, const Output& output, report::RunReport& report)
      : a_(a), output_(output), report_(report), options_(check_options(a)), budget_(options_.limits) {}

  void run() {
    check_witness(a_);
    Watchdog watchdog(options_.limits, output_, report_);
    watchdog_ = &watchdog;
    const Specification* specification = a_.spec.empty() ? nullptr : &run::specification_named(a_.spec);
    report_.threads = options_.threads;
    report_.search = history_methods().name(options_.method);
    if (specification != nullptr) checked().specification = specification->name();
    const Heartbeat heartbeat(a_.output.quiet, [this] {
      const std::lock_guard lock(mutex_);
      return doing_;
    });
    for (const std::string& file : a_.files) one_file(file, specification);
    finish();
  }

 private:
  void one_file(const std::string& name, const Specification* specification) {
    report::HistoryFileReport file;
    file.file = name;
    const double start = budget_.seconds();
    try {
      check_file(file, specification);
    } catch (const history::HistoryError& error) {
      file.verdict = Verdict::Error;
      file.error = error.what();
    } catch (const history::ReadingStopped& stopped) {
      file.verdict = Verdict::Unknown;
      file.stopped_by = std::string(stopped.what()) + ", while reading";
    }
    file.seconds = budget_.seconds() - start;
    checked().files.push_back(std::move(file));
  }

  void check_file(report::HistoryFileReport& file, const Specification* specification) {
    say_doing("reading " + file.file);
    const history::InputFile input(file.file, options_.limits.bytes);
    RecordedHistory recorded;
    history::ReadOptions reading = read_options(a_.reading);
    reading.budget = &budget_;
    const history::ReadSummary summary = history::read_history(input.text(), input.name(), reading, recorded);
    file.format = history::name(summary.format);
    file.operations = recorded.operations.size();
    file.processes = recorded.processes.size();
    file.warning = history::backwards_text(summary);
    if (specification == nullptr) ask_for_specification(file.file, recorded);
    say_what_was_read(file, summary);
    if (!file.warning.empty()) output_.say("warning: " + file.warning);
    if (!a_.initial.empty()) {
      const std::string reason = history::begin_with(a_.initial, specification->name(), recorded);
      if (!reason.empty()) throw UsageError(reason);
    }

    say_doing("checking " + file.file);
    HistoryCheckOptions options = options_;
    options.limits.seconds = std::max(0.0, options.limits.seconds - budget_.seconds());
    options.limits.bytes -= std::min(options.limits.bytes, bytes_of(recorded));
    const HistoryResult result = check_history(recorded, *specification, options);
    file.verdict = result.verdict;
    file.method = result.method;
    file.partitions = result.partitions;
    file.decided = result.decided;
    file.checker_bytes = result.peak_bytes;
    if (result.verdict == Verdict::Unknown) file.stopped_by = stop_reason(result);
    if (result.verdict == Verdict::Error) file.error = rejection(file.file, recorded, *specification, result);
    if (result.verdict == Verdict::Violated) violated(file, recorded, *specification, result);
  }

  // Names the budget of the whole command, not the rest of it that this file had.
  std::string stop_reason(const HistoryResult& result) {
    budget_.check(0);
    return budget_.stopped() != Budget::Stop::None ? budget_.reason() : result.stopped_by;
  }

  static std::string rejection(const std::string& file, const RecordedHistory& recorded,
                               const Specification& specification, const HistoryResult& result) {
    const std::string line =
        result.rejected == never ? "" : fmt::format("{}:", recorded.operations[result.rejected].invoked_line);
    if (has_transactions(recorded)) return fmt::format("{}:{} {}", file, line, no_transactions);
    const std::string fitting = run::fitting_specifications(recorded);
    return fmt::format("{}:{} {}; {}", file, line, result.error,
                       fitting.empty() ? fmt::format("{}", specification.usage())
                                       : fmt::format("--spec {} would fit all operations", fitting));
  }

  // Elle's histories have transactions.
  static constexpr std::string_view no_transactions =
      "transactions (:f :txn) are checked by `heddle serializable`; here only operations on one object, or one key, at "
      "a "
      "time are";
  static bool has_transactions(const RecordedHistory& recorded) {
    return std::ranges::any_of(recorded.functions,
                               [](const std::string& f) { return f == "txn" || f == "transaction"; });
  }

  [[noreturn]] static void ask_for_specification(const std::string& file, const RecordedHistory& recorded) {
    if (has_transactions(recorded)) throw UsageError(fmt::format("{}: {}", file, no_transactions));
    const std::string fitting = run::fitting_specifications(recorded);
    throw UsageError(fmt::format("say with --spec what {} is a history of{}; `heddle lin --specs` lists all", file,
                                 fitting.empty() ? "" : ": " + fitting + " would fit its operations"));
  }

  void say_what_was_read(const report::HistoryFileReport& file, const history::ReadSummary& summary) const {
    std::string line =
        fmt::format("{} ({}): {} of {}", file.file, file.format, report::counted(file.operations, "operation"),
                    file.processes == 1 ? "1 process" : report::with_separators(file.processes) + " processes");
    if (summary.keyed) line += ", values read as [key value]";
    if (summary.nemesis_events > 0)
      line += ", " + report::counted(summary.nemesis_events, "event") + " of the nemesis left out";
    if (summary.other_lines > 0) line += ", " + report::counted(summary.other_lines, "other line") + " left out";
    output_.say(line);
  }

  void violated(report::HistoryFileReport& file, const RecordedHistory& recorded, const Specification& specification,
                const HistoryResult& result) {
    const PartitionResult& part = result.failed.front();
    file.finding = part_name(recorded, part);
    if (part.assertion) {
      report::FailureReport& failure = report_.sections.at<report::FailureReport>();
      failure.kind = "assertion";
      failure.what = fmt::format("specification {}: {}", specification.name(), part.assertion->what);
      failure.expression = report::quoted(part.assertion->expression);
      failure.at = report::quoted(fmt::format("{}:{}", part.assertion->file, part.assertion->line));
      failure.code = report::quoted(part.assertion->function);
    }
    note_violation(file);
    if (!a_.no_witness) write_witness(file, recorded, result);
    note_violation(file);
    // Nobody would read the explanation.
    if (a_.output.quiet && !a_.output.json && a_.output.html.empty()) return;
    show_violation(recorded, specification, result, file.file, output_, budget_, report_);
    if (file.witness.empty()) return;
    const history::FailedCas failed_cas = a_.reading.failed_cas;
    output_.say(fmt::format(
        "these operations alone are in {}; again: heddle lin {} --spec {}{}", file.witness, file.witness,
        specification.name(),
        failed_cas == HistoryArguments().failed_cas ? "" : " --failed-cas " + failed_cas_meanings().name(failed_cas)));
  }

  // Makes the verdict known, whatever happens while it is explained.
  void note_violation(const report::HistoryFileReport& file) {
    checked().files.push_back(file);
    finish();
    watchdog_->note(report_);
    checked().files.pop_back();
  }

  void write_witness(report::HistoryFileReport& file, const RecordedHistory& recorded, const HistoryResult& result) {
    RecordedHistory part;
    history::sub_history(recorded, result.failed.front().operations, part);
    const std::string name = witness_file(a_.witness, ++witnesses_);
    const auto format = history::format_of_file(name).value_or(history::Format::Edn);
    try {
      report::write_file_atomically(file_named(name), history::write_history(part, format));
      file.witness = name;
    } catch (const report::ReportError& error) {  // this does not change the verdict
      file.warning += fmt::format("{}the witness was not written: {}", file.warning.empty() ? "" : "; ", error.what());
      output_.say(fmt::format("warning: the witness was not written: {}", error.what()));
    }
  }

  void finish() {
    report_.verdict = report::worst(checked());
    report_.peak_bytes = peak_resident_bytes();
    report_.complete = report_.verdict == Verdict::Holds;
    for (const report::HistoryFileReport& file : checked().files) {
      if (report_.error.empty()) report_.error = file.error;
      if (report_.stopped_by.empty()) report_.stopped_by = file.stopped_by;
      if (report_.property.empty() && file.verdict == Verdict::Violated) report_.property = "linearizability";
    }
  }

  report::HistoryReport& checked() { return report_.sections.at<report::HistoryReport>(); }

  void say_doing(std::string what) {
    const std::lock_guard lock(mutex_);
    doing_ = std::move(what);
  }

  const LinArguments& a_;
  const Output& output_;
  report::RunReport& report_;
  HistoryCheckOptions options_;
  Budget budget_;
  Watchdog* watchdog_ = nullptr;
  std::mutex mutex_;
  std::string doing_;
  std::size_t witnesses_ = 0;
};

int list_specifications(const Output& output) {
  std::string json;
  for (const Specification* one : specifications()) {
    output.say(fmt::format("{:<15} {}", one->name(), one->usage()));
    json += fmt::format("{}{{\"name\": {}, \"usage\": {}}}", json.empty() ? "" : ", ", report::quoted(one->name()),
                        report::quoted(one->usage()));
  }
  return output.finish(
      fmt::format("{} specifications; check a history with `heddle lin FILE --spec NAME`", specifications().size()),
      "[" + json + "]");
}

}  // namespace

int command_lin(const Arguments& given) {
  const LinArguments a{given.of<LinOptions>(), given.of<BudgetArguments>(), given.of<HistoryArguments>(),
                       given.of<HistoryCheckOptions>(), given.of<OutputOptions>()};
  const Output output(a.output);
  if (a.list_specs) return run_plainly(output, "lin", list_specifications);
  report::RunReport report;
  report.command = "lin";
  report.sections.at<report::HistoryReport>().specification = a.spec;
  for (const std::string& file : a.files) report.model += (report.model.empty() ? "" : ", ") + file;
  return run_and_finish(output, report, [&] {
    if (a.files.empty()) throw UsageError("which history? heddle lin FILE --spec NAME; see heddle lin --help");
    LinRun(a, output, report).run();
  });
}

}  // namespace heddle::cli
