#include "cli/growth_report.h"

#include <fmt/format.h>

#include <cstdio>

#include "core/facets/describer.h"
#include "core/memory.h"
#include "report/numbers.h"

namespace heddle::cli {

void GrowthReport::look(double seconds, std::size_t bytes) {
  const bool half_now = !half_ && bytes > memory_limit() / 2;
  if (seconds < next_ && !half_now) return;
  if (seconds >= next_) next_ = 4 * seconds;
  half_ |= half_now;
  const auto sentences = system_.describer().growth();
  progress_.finish();  // a line that is rewritten in place
  if (half_now) {
    fmt::print(stderr, "half of the memory limit of {} is taken\n",
               report::bytes_text(static_cast<double>(memory_limit())));
  }
  for (const std::string& sentence : sentences) fmt::print(stderr, "what grows: {}\n", sentence);
  std::fflush(stderr);
}

}  // namespace heddle::cli
