#include "run/simulate.h"

#include <fmt/format.h>

#include <random>

#include "core/budget.h"
#include "core/facets/assumptions.h"
#include "core/failure_properties.h"
#include "explain/goal.h"
#include "explain/make_trace.h"
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

void simulate_once(const Instance& instance, const SimulateRequest& request, bool watch, SimulateResult& result) {
  BuildOptions build = request.build;
  build.watch_failures |= watch;
  const auto system = instance.build(build);
  RandomRun run = until_not_mistaken(*system, [&] { return run_at_random(*system, request.steps, request.seed); });
  if (run.violated) {
    result.verdict = Verdict::Violated;
    result.property = system->properties()[*run.violated].name;
    request.judged(result);
  } else {
    result.stopped_by = fmt::format("one random run (seed {}) proves nothing", request.seed);
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
