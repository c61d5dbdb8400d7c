// What a search finds, told to the user while it runs: the title, progress, traces of violations and the files they go to.
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
  std::string tree_dot = {};  // where the abstract object of the first violation is drawn; empty: nowhere
};

// Fills in the report on the way. A trace that cannot be written is a warning, after the violation has been shown.
class Teller final : public run::Listener {
 public:
  // `says_sometimes`: whether to say which `sometimes` properties were reached. All but the options must outlive it.
  Teller(const FindingOptions& options, bool says_sometimes, const Output& output, Watchdog& watchdog,
         report::RunReport& report)
      : options_(options),
        says_sometimes_(says_sometimes),
        output_(output),
        watchdog_(watchdog),
        report_(report),
        progress_({.quiet = output.options().quiet}) {}

  void built(const run::Instance& instance) override { instance.describe(report_); }
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

  // The result into the report, with what was written and what was not.
  void tell(const run::CheckResult& result);

 private:
  // Returns why it could not be written; empty if it was.
  std::string write(const run::Violation& violation, std::size_t n);

  FindingOptions options_;
  bool says_sometimes_;
  const Output& output_;
  Watchdog& watchdog_;
  report::RunReport& report_;
  report::Progress progress_;
  std::string unwritten_;  // why the first trace that was not written was not
};

}  // namespace heddle::cli
