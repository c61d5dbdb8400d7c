// Says what grows while it grows: a search that does not end should not have to be ended to find out why.
//
//   GrowthWatch growth(system, [](const std::vector<std::string>& sentences, bool half) { ... });
//   growth.look(seconds, resident_bytes());     // from the search's progress callback
//
// After ten seconds, then ever less often, and once when half the memory that is allowed is taken. Not thread-safe: only for
// searches with one thread, since it looks at tables that others would be filling.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/transition_system.h"

namespace heddle::run {

class GrowthWatch {
 public:
  // `half`: half of the memory that is allowed is taken now.
  using Tell = std::function<void(const std::vector<std::string>& sentences, bool half)>;

  GrowthWatch(const TransitionSystem& system, Tell tell) : system_(system), tell_(std::move(tell)) {}
  void look(double seconds, std::size_t bytes);

 private:
  const TransitionSystem& system_;
  Tell tell_;
  double next_ = 10;
  bool half_ = false;
};

}  // namespace heddle::run
