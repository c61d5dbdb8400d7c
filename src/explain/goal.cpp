// Evaluates one property in a state, and asks for steps where the property is about final states.
#include "explain/goal.h"

#include <stdexcept>

namespace heddle::explain {

Goal::Goal(const TransitionSystem& system, std::size_t property) : system_(system), property_(property) {
  const auto properties = system.properties();
  if (property >= properties.size()) throw std::invalid_argument("no such property");
  kind_ = properties[property].kind;
  if (kind_ == Property::Kind::Bound) throw std::invalid_argument("a bound cannot be violated");
  for (std::size_t i = 0; i < properties.size(); ++i) {
    if (properties[i].kind == Property::Kind::Bound) bounds_ |= std::uint64_t{1} << i;
  }
}

Goal::Standing Goal::look(std::span<const Slot> state) const {
  const std::uint64_t bits = system_.evaluate(state);
  const bool predicate = (bits >> property_ & 1) != 0;
  Standing standing;
  standing.continued = (bits & bounds_) == bounds_;
  switch (kind_) {
    case Property::Kind::Always:
      standing.reached = !predicate;
      break;
    case Property::Kind::Sometimes:
      standing.reached = predicate;
      break;
    case Property::Kind::DeadlockFree:
    case Property::Kind::Finally:
      // The search never expands a state outside a bound, so such a state is not a final state.
      if (!predicate && standing.continued) {
        StepBuffer steps;
        system_.expand(state, steps);
        standing.reached = steps.size() == 0;
      }
      break;
    case Property::Kind::Bound:
      break;
  }
  return standing;
}

}  // namespace heddle::explain
