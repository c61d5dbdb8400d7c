// Measures monitors: time per size, how it grows, and what search takes for the same history where it can do it.
//
//   bench_monitors [LARGEST] [SEARCH_SECONDS]      1000000 and 20 by default
//
// The histories are of correct objects that 8 processes use under random schedules. Each size is ten times the
// one before; the exponent is that of the growth from the smallest size to the largest. Times are the least
// processor time of three runs, because machines are noisy.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "check/check_history.h"
#include "check/monitors/monitor.h"
#include "processor_seconds.h"
#include "support/long_histories.h"

namespace {

using namespace heddle;

double monitor_seconds(const Specification& specification, const RecordedHistory& history) {
  std::vector<std::uint32_t> all(history.operations.size());
  std::iota(all.begin(), all.end(), 0U);
  double best = 1e300;
  for (int run = 0; run < 3; ++run) {
    Budget budget;
    const double begin = processor_seconds();
    const auto result = monitor(specification, history, all, budget);
    best = std::min(best, processor_seconds() - begin);
    if (!result || result->verdict != Verdict::Holds) {
      fmt::print(stderr, "{}: {}\n", specification.name(), result ? result->reason : "no answer");
      std::exit(1);
    }
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t largest = argc > 1 ? std::stoul(argv[1]) : 1000000;
  const double search_seconds = argc > 2 ? std::stod(argv[2]) : 20;
  constexpr std::size_t smallest = 10000;
  for (const char* name : {"register", "set", "queue", "stack", "priority_queue"}) {
    const Specification& specification = *find_specification(name);
    double first = 0, last = 0;
    std::size_t last_size = 0;
    for (std::size_t size = smallest; size <= largest; size *= 10) {
      RecordedHistory history;
      long_histories::generate(history, long_histories::workload(name), size, size);
      last = monitor_seconds(specification, history);
      last_size = size;
      if (size == smallest) first = last;
      fmt::print("{:<15} {:>9} operations {:>9.4f} s {:>7.0f} ns/operation", name, size, last,
                 last * 1e9 / static_cast<double>(size));
      if (size == smallest) {
        HistoryCheckOptions options;
        options.method = HistoryCheckOptions::Method::Wgl;
        options.partition = false;
        options.limits.seconds = search_seconds;
        options.limits.bytes = std::size_t{2} << 30;
        const double begin = processor_seconds();
        const HistoryResult searched = check_history(history, specification, options);
        const double seconds = processor_seconds() - begin;
        const bool stopped = searched.verdict != Verdict::Holds;
        fmt::print("   search: {}{:.3f} s, {:.0f}x{}", stopped ? "more than " : "", seconds, seconds / last,
                   stopped ? " (" + searched.stopped_by + ")" : "");
      }
      fmt::print("\n");
    }
    if (last_size > smallest) {
      fmt::print("{:<15} exponent {:.2f}\n", name,
                 std::log(last / first) / std::log(static_cast<double>(last_size) / static_cast<double>(smallest)));
    }
  }
  return 0;
}
