// A thread of its own that prints when its time has come, so that the work does not have to.
#include "cli/heartbeat.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <utility>

#include "core/budget.h"
#include "report/numbers.h"
#include "report/utf8.h"

namespace heddle::cli {

Heartbeat::Heartbeat(bool quiet, std::function<std::string()> what) {
  if (quiet) return;
  thread_ = std::jthread([what = std::move(what)](const std::stop_token& stop) {
    constexpr double first_sign = 2, longest_interval = 60;
    constexpr int width = 79;
    const bool terminal = ::isatty(STDERR_FILENO) != 0;
    const Budget clock;
    double interval = first_sign, next = first_sign;
    bool shown = false;
    std::mutex mutex;
    std::condition_variable_any wake;  // the request to stop wakes the thread
    std::unique_lock lock(mutex);
    constexpr auto pause = std::chrono::milliseconds(100);
    while (!wake.wait_for(lock, stop, pause, [&] { return stop.stop_requested(); })) {
      const double now = clock.seconds();
      if (now < next) continue;
      const std::string line =
          report::printable(fmt::format("{}: {}, {}", report::seconds_text(now), what(),
                                        report::bytes_text(static_cast<double>(peak_resident_bytes()))));
      if (terminal) {
        fmt::print(stderr, "\r\x1b[K{}", report::shorten(line, width));
        next = now + 0.5;
      } else {
        fmt::print(stderr, "{}\n", line);
        interval = std::min(2 * interval, longest_interval);
        next = now + interval;
      }
      shown = true;
      std::fflush(stderr);
    }
    if (shown && terminal) fmt::print(stderr, "\r\x1b[K");
  });
}

}  // namespace heddle::cli
