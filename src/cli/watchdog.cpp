// A thread that looks at the time and the memory, and finishes the run in place of a command that does not.
#include "cli/watchdog.h"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <string>

#include "core/memory.h"
#include "run/failures.h"
#include "run/subprocess.h"

namespace heddle::cli {
namespace {

// Returns the amount of memory at which the watchdog ends the program. It lies above the limit by what a search may
// take between two of its own looks at the limit.
std::size_t beyond(std::size_t limit) {
  constexpr std::size_t slack = std::size_t{32} << 20;
  return limit > std::numeric_limits<std::size_t>::max() / 2 ? limit : limit + limit / 8 + slack;
}

}  // namespace

Watchdog::Watchdog(const Limits& limits, const Output& output, const report::RunReport& report)
    : known_(report), thread_([this, limits, &output](const std::stop_token& stop) {
        constexpr auto pause = std::chrono::milliseconds(50);
        const Budget clock;
        double interrupted_at = -1;
        std::mutex mutex;
        std::condition_variable_any wake;  // the request to stop wakes the thread
        std::unique_lock lock(mutex);
        while (!wake.wait_for(lock, stop, pause, [&] { return stop.stop_requested(); })) {
          const double now = clock.seconds();
          if (Budget::interrupted() && interrupted_at < 0) interrupted_at = now;
          std::string reason;
          if (now > limits.seconds + patience) reason = time_limit_text(limits);
          if (interrupted_at >= 0 && now > interrupted_at + patience) reason = "interrupted";
          if (resident_bytes() > beyond(memory_limit())) reason = "memory limit";
          if (reason.empty()) continue;
          // The lock is held until the program ends, so that nobody changes what is known.
          const std::lock_guard known(mutex_);
          known_.seconds = command_seconds();
          known_.peak_bytes = peak_resident_bytes();
          if (known_.verdict == Verdict::Violated) {
            known_.note += (known_.note.empty() ? "" : "; ") + reason + " before it was explained";
          } else {
            known_.verdict = Verdict::Unknown;
            known_.complete = false;
            known_.cut_short = true;
            // Histories of transactions are checked without anybody else's code.
            const bool runs_code = known_.command != "serializable";
            known_.stopped_by =
                fmt::format("{}; the program has not stopped since: {}, or others use the machine", reason,
                            runs_code ? "something that it runs, such as a handler or a compiler, "
                                        "does not return"
                                      : "a step between two looks at the budget takes long");
          }
          run::report_earlier_crash(known_);
          const int code = output.finish(known_);
          run::end_subprocesses();
          std::_Exit(code);
        }
      }) {}

void Watchdog::note(const Counters& counters) {
  const std::lock_guard lock(mutex_);
  known_.counters = counters;
}

void Watchdog::note(const report::RunReport& report) {
  const std::lock_guard lock(mutex_);
  known_ = report;
}

}  // namespace heddle::cli
