// Facet: how static transitions depend on each other, for stubborn sets (reduce/lpor.h).
//
// A door without it knows nothing, and no step is left out. Wrong relations lose states without a word:
// reduce/audit_relations.h compares them with what happens.
#pragma once

#include <span>

#include "core/relations.h"
#include "core/step_buffer.h"

namespace heddle {

class Dependence {
 public:
  virtual ~Dependence() = default;
  virtual const Relations& relations() const = 0;
  // Makes bit k of `pairs` true where relations().net[k] = (t, u) and in `state` t is disabled and will be until a step of u
  // has happened, and false otherwise. `pairs` has as many bits as net has pairs.
  virtual void awaiting(std::span<const Slot> state, BitSet& pairs) const {
    static_cast<void>(state);
    pairs.clear();
  }
};

}  // namespace heddle
