// One run step by step, or many by ThreadSampling; then the last one is described.
#include "run/simulate.h"

#include <fmt/format.h>

#include <random>
#include <unordered_set>

#include "core/budget.h"
#include "core/facets/assumptions.h"
#include "core/failure_properties.h"
#include "explain/goal.h"
#include "explain/make_trace.h"
#include "report/numbers.h"
#include "run/errors.h"
#include "run/failures.h"

namespace heddle::run {
namespace {

struct RandomRun {
  Path path;
  std::vector<SlotVector> states;
  std::optional<std::size_t> violated;
  std::string ended;
};

RandomRun run_at_random(const TransitionSystem& system, std::size_t steps, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  RandomRun run;
  const auto initial = system.initial_states();
  // The remainder is slightly uneven, but the same on every platform, unlike std::uniform_int_distribution.
  run.path.initial = random() % initial.size();
  run.states.push_back(initial[run.path.initial]);
  StepBuffer enabled;
  for (;;) {
    const SlotVector& state = run.states.back();
    bool continued = true;
    for (std::size_t i = 0; i < system.properties().size(); ++i) {
      const Property& property = system.properties()[i];
      if (property.kind == Property::Kind::Bound) continued &= (system.evaluate(state) >> i & 1) != 0;
      if (property.kind != Property::Kind::Always && !property.of_final_states()) continue;
      if (explain::Goal(system, i).look(state).reached) {
        run.violated = i;
        return run;
      }
    }
    enabled.clear();
    system.expand(state, enabled);
    if (!continued) run.ended = "a bound was reached";
    if (enabled.size() == 0) run.ended = "no step is possible any more";
    if (!run.ended.empty() || run.path.steps.size() == steps) return run;
    if (Budget::interrupted()) throw Interrupted();
    const std::size_t k = random() % enabled.size();
    run.path.steps.push_back(enabled.step(k));
    run.states.push_back(apply_changes(state, enabled.changes(k)));
  }
}

std::string_view name_of(ThreadStrategy strategy) {
  switch (strategy) {
    case ThreadStrategy::Priorities:
      return "PCT";
    case ThreadStrategy::PartialOrders:
      return "POS";
    case ThreadStrategy::Uniform:
      break;
  }
  return "random choice";
}

std::uint64_t mixed(std::uint64_t hash, std::uint64_t next) {
  return (hash ^ (next + 0x9e3779b97f4a7c15 + (hash << 6) + (hash >> 2))) * 0xff51afd7ed558ccd;
}

// Several runs of a program; the last of them is the one that is shown.
RandomRun sample_threads(const TransitionSystem& system, const SimulateRequest& request, SimulateResult& result) {
  ThreadSamplingOptions options;
  options.strategy = request.strategy.value_or(ThreadStrategy::Uniform);
  if (request.steps != 0) options.steps = request.steps;
  options.depth = request.depth;
  options.go_on = [] { return !Budget::interrupted(); };
  const ThreadSampling sampling(system, options);
  std::unordered_set<std::uint64_t> schedules, ends;  // fingerprints
  std::uint64_t unfinished = 0;
  SampledRun run;
  result.runs = result.steps = 0;
  result.interrupted = false;
  for (std::uint64_t i = 0; i < request.runs && !run.false_property; ++i) {
    run = sampling.run(request.seed + i);
    if (Budget::interrupted()) {
      if (result.runs == 0) throw Interrupted();
      result.interrupted = true;
      break;
    }
    ++result.runs;
    result.steps += run.path.steps.size();
    std::uint64_t schedule = run.path.initial, end = 0;
    for (const Step& step : run.path.steps)
      schedule = mixed(schedule, std::uint64_t{step.transition} << 32 | step.detail);
    for (const Slot slot : run.last) end = mixed(end, slot);
    schedules.insert(schedule);
    if (run.ended) ends.insert(end);
    unfinished += run.ended || run.false_property ? 0 : 1;
  }
  const std::uint64_t last = request.seed + result.runs - 1;
  result.covered = fmt::format(
      "{} by {}{}, seeds {} to {}: {}, {}, {}", report::counted(result.runs, "run"), name_of(options.strategy),
      options.strategy == ThreadStrategy::Priorities ? fmt::format(" of depth {}", options.depth) : "", request.seed,
      last, report::counted(result.steps, "step"), report::counted(schedules.size(), "different schedule"),
      report::counted(ends.size(), "different end"));
  if (unfinished != 0) {
    result.covered += fmt::format(", {} cut off after {} steps", report::counted(unfinished, "run"), options.steps);
  }
  if (result.interrupted) return {};
  if (run.false_property) result.covered += fmt::format("; --seed {} --runs 1 repeats the last", last);
  RandomRun out;
  out.states = explain::states_of(system, run.path);
  out.path = std::move(run.path);
  out.violated = run.false_property;
  return out;
}

void simulate_once(const Instance& instance, const SimulateRequest& request, bool watch, SimulateResult& result) {
  BuildOptions build = request.build;
  build.watch_failures |= watch;
  const auto system = instance.build(build);
  const bool sampled = request.runs > 1 || request.strategy;
  if (sampled && system->threads() == nullptr) {
    throw UsageError(
        "--runs, --strategy and --depth are about the threads of a program; of other models `heddle check --search "
        "random` makes many runs");
  }
  constexpr std::size_t usual_steps = 30;
  RandomRun run = until_not_mistaken(*system, [&] {
    if (sampled) return sample_threads(*system, request, result);
    return run_at_random(*system, request.steps == 0 ? usual_steps : request.steps, request.seed);
  });
  if (result.interrupted) {
    result.stopped_by = fmt::format("interrupted; {}; random runs prove nothing", result.covered);
    return;
  }
  if (run.violated) {
    result.verdict = Verdict::Violated;
    result.property = system->properties()[*run.violated].name;
    request.judged(result);
  } else {
    result.stopped_by = sampled ? result.covered + "; random runs prove nothing"
                                : fmt::format("one random run (seed {}) proves nothing", request.seed);
  }
  result.trace = explain::make_trace(*system, run.path, run.states, run.violated);
  instance.describe(result.trace);
  result.ended = std::move(run.ended);
  for (std::size_t i = 0; i < system->properties().size(); ++i) {
    const Property& property = system->properties()[i];
    if (about_failures(property) != AboutFailures::No && run.violated != i) continue;
    result.properties.push_back(
        {property.name, property.kind, run.violated == i ? Verdict::Violated : Verdict::Unknown});
  }
  if (run.violated) judge_failure(system->properties()[*run.violated], result.trace, result);
  result.path = std::move(run.path);
  if (!sampled) result.steps = result.path.steps.size();
}

}  // namespace

SimulateResult simulate(const Instance& instance, const SimulateRequest& request) {
  SimulateResult result;
  watching_failures([&](bool watch) {
    result = {};
    simulate_once(instance, request, watch, result);
  });
  return result;
}

SimulateResult simulate(const Source& source, const SimulateRequest& request) {
  return simulate(source.instance(request.settings), request);
}

}  // namespace heddle::run
