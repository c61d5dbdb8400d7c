// Ends a command that does not end by itself in time: budgets are hard, whatever the program is doing.
//
//   Watchdog watchdog(limits, output, report);   // as long as the command works
//   watchdog.note(report);                       // a violation was found; explaining it may take longer than there is time
//
// Everything that takes long looks at its budget and stops some milliseconds after it ran out or a signal came. Where something has
// not done so for `patience` seconds (a handler in an endless loop, a picture of a huge value), or has taken clearly more
// memory than allowed, the program ends with the closing line of what is known by then: violated, or else unknown.
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

  // `output` must outlive the watchdog; the report is copied.
  Watchdog(const Limits& limits, const Output& output, const report::RunReport& report);

  // What was covered so far, for the closing line. Thread-safe.
  void note(const Counters& counters);
  // What is known by now. Thread-safe.
  void note(const report::RunReport& report);

 private:
  std::mutex mutex_;
  report::RunReport known_;
  std::jthread thread_;  // the last to begin and the first to end
};

}  // namespace heddle::cli
