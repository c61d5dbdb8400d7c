// Follows the path and asks the door to describe each step and the states around it.
#include "explain/make_trace.h"

#include <utility>

#include "core/facets/describer.h"
#include "explain/goal.h"

namespace heddle::explain {

std::vector<SlotVector> states_of(const TransitionSystem& system, const Path& path) {
  auto states = follow(system, path);
  if (!states) {
    throw ModelError(
        "a run that was found cannot be repeated, so some handler is not a function of its fields and parameters; "
        "--audit-handlers names it");
  }
  return std::move(*states);
}

trace::Trace make_trace(const TransitionSystem& system, const Path& path, std::optional<std::size_t> property) {
  return make_trace(system, path, states_of(system, path), property);
}

trace::Trace make_trace(const TransitionSystem& system, const Path& path, std::span<const SlotVector> states,
                        std::optional<std::size_t> property) {
  trace::Trace trace;
  trace.lanes = system.describer().lanes();
  trace.initial = system.describer().describe_state(states.front());
  for (std::size_t i = 0; i < path.steps.size(); ++i) {
    trace.steps.push_back(system.describer().describe_step(states[i], path.steps[i], states[i + 1]));
  }
  trace.final = system.describer().describe_state(states.back());

  trace.verdict = "unknown";
  if (property) {
    const Goal goal(system, *property);
    const Property& about = system.properties()[*property];
    trace.property = about.name;
    trace.explanation = system.describer().describe_property(*property, states.back());
    if (goal.look(states.back()).reached) {
      trace.verdict = about.kind == Property::Kind::Sometimes ? "holds" : "violated";
    }
  }
  return trace;
}

}  // namespace heddle::explain
