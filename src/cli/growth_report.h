// Says on standard error what grows while it grows: a search that does not end should not have to be ended to find out why.
//
//   GrowthReport growth(system, progress);
//   growth.look(seconds, resident_bytes());     // from the search's progress callback
//
// After ten seconds, then ever less often, and once when half the memory that is allowed is taken. Not thread-safe: only for
// searches with one thread, since it looks at tables that others would be filling.
#pragma once

#include <cstddef>

#include "core/transition_system.h"
#include "report/progress.h"

namespace heddle::cli {

class GrowthReport {
 public:
  GrowthReport(const TransitionSystem& system, report::Progress& progress) : system_(system), progress_(progress) {}
  void look(double seconds, std::size_t bytes);

 private:
  const TransitionSystem& system_;
  report::Progress& progress_;
  double next_ = 10;
  bool half_ = false;
};

}  // namespace heddle::cli
