// When a search reports how far it is: twice a second, from one thread, and only if somebody listens.
//
//   ProgressClock progress(options.progress);
//   if (!budget.check(bytes)) return false;           // once per block of work
//   progress.tick(budget, [&] { return counters(); });
//
// Not thread-safe: one thread of a search ticks.
#pragma once

#include <functional>
#include <utility>

#include "core/budget.h"
#include "core/counters.h"

namespace heddle {

class ProgressClock {
 public:
  using Listener = std::function<void(const Counters&, double seconds)>;

  explicit ProgressClock(Listener listener) : listener_(std::move(listener)) {}

  // `counters` is called only when it is time to report.
  template <class F>
  void tick(const Budget& budget, F&& counters) {
    if (!listener_) return;
    const double now = budget.seconds();
    if (now <= last_ + seconds_between) return;
    last_ = now;
    listener_(counters(), now);
  }

 private:
  static constexpr double seconds_between = 0.5;
  Listener listener_;
  double last_ = 0;
};

}  // namespace heddle
