// From a path between representatives to a run. A search that stores representatives knows them only, and a step of one
// is in general no step of the state it stands for: that state has another one, to a state with the same
// representative.
#include <stdexcept>

#include "core/facets/assumptions.h"
#include "explore/searches.h"

namespace heddle {
namespace {

[[noreturn]] void cannot_be_followed(const TransitionSystem& system) {
  if (is_mistaken(system)) throw Mistaken{};
  throw NotSymmetric(
      "a run found with symmetry cannot be followed without: the model is not symmetric; run without symmetry");
}

// A run of the system for a path between representatives, where every step is one of the representative before it: the
// states of the run have the same representatives. Throws NotSymmetric if there is none, which a canonicalizer that is
// not an automorphism brings about.
Path concrete_path(const TransitionSystem& system, Canonicalizer& canonicalizer, const Path& path) {
  Path concrete{path.initial, {}};
  SlotVector state = system.initial_states().at(path.initial);
  SlotVector representative = state;
  canonicalizer.canonical(representative);
  StepBuffer steps;
  for (const Step& step : path.steps) {
    SlotVector after;
    if (!system.execute(representative, step, after)) {
      if (is_mistaken(system)) throw Mistaken{};
      throw std::logic_error("a step of a path is not enabled in its representative");
    }
    representative = std::move(after);
    canonicalizer.canonical(representative);

    steps.clear();
    system.expand(state, steps);
    bool found = false;
    for (std::size_t i = 0; i < steps.size() && !found; ++i) {
      SlotVector next = apply_changes(state, steps.changes(i));
      SlotVector canonical = next;
      canonicalizer.canonical(canonical);
      if (canonical != representative) continue;
      concrete.steps.push_back(steps.step(i));
      state = std::move(next);
      found = true;
    }
    if (!found) cannot_be_followed(system);
  }
  return concrete;
}

void check_finding(const TransitionSystem& system, const Finding& finding) {
  const auto states = follow(system, finding.path);
  const Property& property = system.properties()[finding.property];
  const bool wanted = property.kind == Property::Kind::Sometimes;
  bool shown = states && (system.evaluate(states->back()) >> finding.property & 1) == (wanted ? 1 : 0);
  if (shown && property.of_final_states()) {
    StepBuffer steps;
    system.expand(states->back(), steps);
    shown = steps.size() == 0;
  }
  if (shown) return;
  if (is_mistaken(system)) throw Mistaken{};
  throw NotSymmetric("property '" + property.name +
                     "' tells states apart that differ in names only: symmetry must not be used with it; "
                     "run without symmetry");
}

}  // namespace

Finding concrete_finding(const TransitionSystem& system, const SearchOptions& options, std::size_t property,
                         const Path& path) {
  if (!options.canonicalizer) return {property, path};
  Finding finding{property, concrete_path(system, *options.canonicalizer(), path)};
  check_finding(system, finding);
  return finding;
}

}  // namespace heddle
