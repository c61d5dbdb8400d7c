// The table of what schedulers achieved, one column each, in the order and under the names of Al-Mahfoudh, Stutsman and
// Gopalakrishnan (2023). Three rows are added: histories up to the order of events that does not matter, runs given up,
// and what may be missed. Pure functions, thread-safe.
#pragma once

#include <span>
#include <string>

#include "stateless/schedule_metrics.h"

namespace heddle::report {

struct ScheduleTableOptions {
  bool times = true;  // off: for comparisons
  std::string indent = "  ";
};

// Without the last newline.
std::string schedule_table(std::span<const ScheduleMetrics> schedulers, const ScheduleTableOptions& options = {});
// A JSON array.
std::string schedulers_json(std::span<const ScheduleMetrics> schedulers);

}  // namespace heddle::report
