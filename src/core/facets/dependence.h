// Facet: how static transitions depend on each other, for stubborn sets (reduce/lpor.h).
//
// Without this facet no step is left out. Wrong relations lose states silently: reduce/audit_relations.h
// compares them with what happens.
#pragma once

#include <span>

#include "core/relations.h"
#include "core/step_buffer.h"

namespace heddle {

class Dependence {
 public:
  virtual ~Dependence() = default;
  virtual const Relations& relations() const = 0;
  // Sets bit k of `pairs`, for relations().net[k] = (t, u), iff t is disabled in `state` and stays so until a
  // step of u has happened; clears the other bits. REQUIRES: `pairs` has as many bits as net has pairs.
  virtual void awaiting(std::span<const Slot> state, BitSet& pairs) const {
    static_cast<void>(state);
    pairs.clear();
  }
};

}  // namespace heddle
