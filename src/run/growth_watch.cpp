// Asks the describer whenever four times as long has passed, and once more when half of the memory is taken.
#include "run/growth_watch.h"

#include "core/facets/describer.h"
#include "core/memory.h"

namespace heddle::run {

void GrowthWatch::look(double seconds, std::size_t bytes) {
  const bool half_now = !half_ && bytes > memory_limit() / 2;
  if (seconds < next_ && !half_now) return;
  if (seconds >= next_) next_ = 4 * seconds;
  half_ |= half_now;
  tell_(system_.describer().growth(), half_now);
}

}  // namespace heddle::run
