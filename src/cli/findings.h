// Tells the user what a search finds while it runs: the title, progress, traces of violations and their files.
#pragma once

#include <optional>
#include <string>

#include "cli/output.h"
#include "cli/watchdog.h"
#include "report/progress.h"
#include "report/run_json.h"
#include "run/listener.h"

namespace heddle::cli {

struct FindingOptions {
  std::string trace_file = "heddle-trace.json";
  bool no_trace = false;
  bool no_minimise = false;
  std::string tree_dot = {};  // the file to draw the abstract object of the first violation to; empty: none
};

// Fills in the report on the way. If a trace cannot be written, this is a warning after the violation has been shown.
class Teller final : public run::Listener {
 public:
  // `says_sometimes`: whether to say which `sometimes` properties were reached.
  // REQUIRES: `output`, `watchdog` and `report` outlive the Teller.
  Teller(const FindingOptions& options, bool says_sometimes, const Output& output, Watchdog& watchdog,
         report::RunReport& report)
      : options_(options),
        says_sometimes_(says_sometimes),
        output_(output),
        watchdog_(watchdog),
        report_(report),
        progress_({.quiet = output.options().quiet}) {}

  void built(const run::Instance& instance) override {
    instance.describe(report_);
    explained_by_ = instance.explained_by;
  }
  void begins(const run::Instance& instance, const run::CheckResult& result) override;
  void searching(const run::CheckResult&) override { watchdog_.note(report_); }
  void progress(const Counters& counters, double seconds) override;
  void grows(const std::vector<std::string>& sentences, bool half) override;
  void searched() override { progress_.finish(); }
  void says(const std::string& sentence) override { output_.say(sentence); }
  void judged(const run::CheckResult& result) override;
  void shows(const run::Violation& violation, std::size_t n, const run::CheckResult& result) override;
  void shown(const run::CheckResult& result) override;
  void failed(const run::CheckResult& result) override { tell(result); }

  // Copies the result into the report. A trace that could not be written and a bug that broke nothing become notes.
  void tell(const run::CheckResult& result);

 private:
  // Writes the n-th violation's trace. Returns why it could not; empty if it could.
  std::string write(const run::Violation& violation, std::size_t n);

  FindingOptions options_;
  bool says_sometimes_;
  const Output& output_;
  Watchdog& watchdog_;
  report::RunReport& report_;
  report::Progress progress_;
  std::string explained_by_;  // Instance::explained_by
  std::string unwritten_;     // why a trace could not be written, of the first such trace; empty: all were
};

}  // namespace heddle::cli
