// Measures the schedulers of receipts: schedules per second, and how many schedules and how much time each needs
// compared with EX.
//
//   bench_schedules [MODEL] [HARNESS] [--runs N] [--cutoff N]
//
// Times are the least processor time of several runs, each with a fresh system, so that nothing is kept from the
// run before. The paper's figure is that of Al-Mahfoudh, Stutsman, Gopalakrishnan (2023): 18,396 schedules of
// their Open Chord in 330 s by EX, on another machine and of another model. The ratio says how far apart the two
// are, not by how much one program is better.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "actor/actor_system.h"
#include "heddle/model.h"
#include "processor_seconds.h"
#include "stateless/scheduler.h"

int main(int argc, char** argv) {
  using namespace heddle;
  std::string model = "open_chord", harness = "2R+1W";
  int runs = 5;
  std::uint64_t cutoff = 1'000'000;
  int position = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--runs" && i + 1 < argc) {
      runs = std::stoi(argv[++i]);
    } else if (argument == "--cutoff" && i + 1 < argc) {
      cutoff = std::stoull(argv[++i]);
    } else {
      (position++ == 0 ? model : harness) = argument;
    }
  }
  if (find_model(model) == nullptr) {
    fmt::print(stderr, "usage: bench_schedules [MODEL] [HARNESS] [--runs N] [--cutoff N]\n");
    return 2;
  }
  fmt::print("{} {}\n{:<4} {:>10} {:>9} {:>12} {:>14} {:>13} {:>9}\n", model, harness, "", "schedules", "seconds",
             "schedules/s", "EX/schedules", "EX/seconds", "histories");
  double ex_schedules = 0, ex_seconds = 0;
  for (const schedule::Scheduler& s : schedule::schedulers()) {
    // These are stateless searches of single steps; their schedules cannot be compared.
    if (s.kind == schedule::Scheduler::Kind::Source || s.kind == schedule::Scheduler::Kind::Optimal) continue;
    double best = 1e300;
    ScheduleMetrics metrics;
    for (int run = 0; run < runs; ++run) {
      const auto system = make_actor_system(Model(*find_model(model), {{"harness", harness}}));
      schedule::ScheduleOptions options;
      const bool random = s.kind == schedule::Scheduler::Kind::Random || s.kind == schedule::Scheduler::Kind::Priority;
      options.cutoff = random ? std::min<std::uint64_t>(cutoff, 100'000) : cutoff;
      const double begin = processor_seconds();
      schedule::ReceiveGraph graph(*system);
      metrics = run_scheduler(graph, s, options).metrics;
      best = std::min(best, processor_seconds() - begin);
    }
    const auto schedules = static_cast<double>(metrics.schedules);
    if (s.name == "EX") {
      ex_schedules = schedules;
      ex_seconds = best;
    }
    fmt::print("{:<4} {:>10} {:>9.4f} {:>12.0f} {:>13.1f}x {:>12.1f}x {:>9}{}\n", s.name, metrics.schedules, best,
               schedules / best, ex_schedules / schedules, ex_seconds / best, metrics.classes,
               metrics.may_miss ? "  may miss"
               : metrics.ended  ? ""
                                : "  cut off");
  }
  if (model == "open_chord" && harness == "2R+1W" && ex_seconds > 0) {
    constexpr double paper = 18396.0 / 330.0;
    fmt::print("EX: {:.0f} schedules/s; the paper's 56/s times {:.0f}\n", ex_schedules / ex_seconds,
               ex_schedules / ex_seconds / paper);
  }
  return 0;
}
