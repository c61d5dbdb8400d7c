// Ends a command that does not end by itself in time: budgets hold whatever the program is doing.
//
//   Watchdog watchdog(limits, output, report);   // lives as long as the command works
//   watchdog.note(report);                       // a violation was found; there may not be time to explain it
//
// Everything that takes long looks at its budget, and stops some milliseconds after the budget ran out or a signal
// came. If that has not happened after `patience` seconds (a handler in an endless loop, a picture of a huge value),
// or the program holds clearly more memory than allowed, the watchdog ends the program with the closing line of what
// is known by then: violated, or else unknown.
#pragma once

#include <mutex>
#include <thread>

#include "cli/output.h"
#include "core/budget.h"
#include "core/counters.h"
#include "report/run_json.h"

namespace heddle::cli {

class Watchdog {
 public:
  static constexpr double patience = 0.7;

  // Copies the report. REQUIRES: `output` outlives the watchdog.
  Watchdog(const Limits& limits, const Output& output, const report::RunReport& report);

  // Takes note of what was covered so far, for the closing line. Thread-safe.
  void note(const Counters& counters);
  // Takes note of what is known by now. Thread-safe.
  void note(const report::RunReport& report);

 private:
  std::mutex mutex_;
  report::RunReport known_;
  std::jthread thread_;  // the last member: begins last and ends first
};

}  // namespace heddle::cli
