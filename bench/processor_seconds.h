// Time on the processor that this process has used so far, all its threads together: what benchmarks compare.
#pragma once

#include <time.h>

namespace heddle {

inline double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

}  // namespace heddle
