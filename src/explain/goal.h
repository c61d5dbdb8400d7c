// Decides for a single state whether a run that stops here shows the finding.
//
//   always                    the property is false here
//   deadlock_free, finally    the property is false here, and there is no step
//   sometimes                 the predicate is true here, a witness
// States outside a bound are not continued, so an explanation never leads through them.
//
// Thread-safe: only reads.
#pragma once

#include <cstddef>
#include <span>

#include "core/transition_system.h"

namespace heddle::explain {

class Goal {
 public:
  struct Standing {
    bool reached = false;    // a run may end here
    bool continued = false;  // a run may go on from here
  };

  // REQUIRES: property < system.properties().size(), and it is not a bound.
  Goal(const TransitionSystem& system, std::size_t property);

  Standing look(std::span<const Slot> state) const;
  std::size_t property() const { return property_; }

 private:
  const TransitionSystem& system_;
  std::size_t property_;
  Property::Kind kind_;
  std::uint64_t bounds_ = 0;  // bits of evaluate() that are bounds
};

}  // namespace heddle::explain
