// The table of what schedulers achieved, one column each, in the order and under the names of Al-Mahfoudh, Stutsman and
// Gopalakrishnan (2023). Three rows are added: histories up to the order of events that does not matter, runs given up,
// and what may be missed. Pure functions, thread-safe.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/section.h"
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

// What `heddle schedules` adds to the report of a run. The command shows the table before what was found.
struct SchedulersReport final : SectionOf<SchedulersReport> {
  std::vector<ScheduleMetrics> all;

  Place place() const override { return Place::Schedulers; }
  // None as long as no scheduler has ended.
  std::vector<JsonField> fields(const RunReport& run) const override;
};

}  // namespace heddle::report
