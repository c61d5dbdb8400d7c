// Ends a run whose model does not return: a handler in an endless loop never comes to the search's own look at its budget.
//
//   const Watchdog watchdog(options.limits, output, report);   // as long as the search runs
//
// Searches stop by themselves some milliseconds after a budget ran out. If one has not done so for `patience` seconds (or has
// taken a quarter more memory than allowed), the program ends with the closing line of a run that is unknown.
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
  static constexpr double patience = 5;

  // Both must outlive the watchdog; the report is copied.
  Watchdog(const Limits& limits, const Output& output, const report::RunReport& report);

  // What was covered so far, for the closing line. Thread-safe.
  void note(const Counters& counters);

 private:
  std::mutex mutex_;
  Counters covered_;
  std::jthread thread_;  // the last to begin and the first to end
};

}  // namespace heddle::cli
