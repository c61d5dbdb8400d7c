// Tells what grows during a search: nobody should have to stop an endless search to find out why it does not end.
//
//   GrowthWatch growth(system, [](const std::vector<std::string>& sentences, bool half) { ... });
//   growth.look(seconds, resident_bytes());     // from the search's progress callback
//
// It tells after ten seconds, then ever less often, and once when half of the allowed memory is taken. Not thread-safe:
// it reads tables that other threads would be filling, so it is for searches with one thread only.
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
  // `half`: half of the allowed memory is taken now.
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
