// Measures the search for root causes: repairs of random executions, how their cost grows, and the test whether a repair
// rules out an execution.
//
//   bench_explain [LARGEST]          10000 events by default
//
// Each size is about three times the one before. Times are processor time, the mean over several executions. The exponent is that of
// the growth from 100 events to the largest. "all conflicts" searches without the frontier (explain/conflict_graph.h),
// up to 1,000 events
// and a second for each execution.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <optional>
#include <random>
#include <string>

#include "explain/eliminators.h"
#include "processor_seconds.h"
#include "support/flat_execution.h"

namespace {

using namespace heddle;
using namespace heddle::explain;

struct Measured {
  double graph = 0, frontier = 0, all = 0, exclusion = 0;  // seconds for one execution
  double conflicts = 0, kept = 0, repairs = 0;
  bool all_ended = true;
};

Measured measure(std::size_t size) {
  Measured out;
  const int count = size <= 30 ? 20 : 5;
  std::mt19937_64 random(size);
  for (int i = 0; i < count; ++i) {
    const testing::FlatExecution f = testing::random_execution(random, size);
    const CodeBlocks blocks(f.tree);
    const auto timed = [&](double& to, const auto& work) {
      const double begin = processor_seconds();
      work();
      to += (processor_seconds() - begin) / count;
    };
    std::optional<ConflictGraph> graph;
    timed(out.graph, [&] { graph.emplace(f.execution, RealTime::Ignored); });
    Eliminators found;
    timed(out.frontier, [&] { found = eliminators(*graph, blocks); });
    for (std::uint32_t t = 0; t < f.execution.threads; ++t) {
      for (std::uint32_t u = 0; u < f.execution.threads; ++u) {
        out.kept += static_cast<double>(graph->frontier(t, u).size()) / count;
      }
    }
    out.repairs += static_cast<double>(found.repairs.size()) / count;
    const Repair repair = found.repairs.empty() ? Repair{} : found.repairs.front();
    bool excluded = false;
    timed(out.exclusion, [&] { excluded = excludes(blocks, repair, *graph); });
    if (!found.repairs.empty() && !excluded) {
      fmt::print(stderr, "a repair does not rule out its execution\n");
      std::exit(1);
    }
    if (size > 1'000) continue;
    const std::vector<ConflictEdge> edges = all_conflicts(f.execution, RealTime::Ignored);
    out.conflicts += static_cast<double>(edges.size()) / count;
    Eliminators same;
    const double begin = processor_seconds();
    const auto go_on = [&] { return processor_seconds() - begin < 1; };
    timed(out.all, [&] { same = eliminators(*graph, blocks, {.go_on = go_on, .edges = edges}); });
    out.all_ended &= same.complete;
    if (same.complete && same.repairs != found.repairs) {
      fmt::print(stderr, "the frontier gives other repairs than all conflicts\n");
      std::exit(1);
    }
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t largest = argc > 1 ? std::stoul(argv[1]) : 10'000;
  fmt::print(
      "| events | conflicts | frontier | repairs | graph ms | repairs ms | by all conflicts | ruled out: M events/s "
      "|\n");
  fmt::print("|---|---|---|---|---|---|---|---|\n");
  double at_100 = 0, at_largest = 0;
  std::size_t last = 0;
  for (const std::size_t size : {10UL, 30UL, 100UL, 300UL, 1'000UL, 3'000UL, 10'000UL}) {
    if (size > largest) break;
    const Measured m = measure(size);
    if (size == 100) at_100 = m.graph + m.frontier;
    at_largest = m.graph + m.frontier;
    last = size;
    fmt::print("| {} | {} | {:.0f} | {:.1f} | {:.3f} | {:.3f} | {} | {:.1f} |\n", size,
               size > 1'000 ? "" : fmt::format("{:.0f}", m.conflicts), m.kept, m.repairs, m.graph * 1e3,
               m.frontier * 1e3,
               size > 1'000 ? "" : fmt::format("{}{:.1f}x slower", m.all_ended ? "" : "> ", m.all / m.frontier),
               static_cast<double>(size) / m.exclusion * 1e-6);
    std::fflush(stdout);
  }
  if (last > 100) {
    fmt::print("\nFrom 100 to {} events the time grows with exponent {:.2f}.\n", last,
               std::log(at_largest / at_100) / std::log(static_cast<double>(last) / 100));
  }
  return 0;
}
