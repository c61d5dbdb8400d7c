// Facet: auxiliary data, which neither steps nor properties depend on (decomposition; Saissi, Bokor, Suri,
// SRDS 2013).
//
// A door claims by this facet that states that become equal have the same transitions, leading to states that
// become equal, and the same truth of properties. reduce/audit_auxiliary.h checks the claim.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/step_buffer.h"

namespace heddle {

class Forgetting {
 public:
  virtual ~Forgetting() = default;
  // Replaces auxiliary data by a fixed value, "forgotten". Returns false if there was none left to replace.
  // The result can be expanded and evaluated like any state, but need not be reachable.
  virtual bool forget_auxiliary(SlotVector& state) const = 0;

  // For finding out what else could be auxiliary: the parts of all states by name ("Acceptor.promised"), and
  // a state in which one of the parts is reset. The result can be compared, but not expanded.
  virtual std::vector<std::string> parts() const = 0;
  virtual void forget_part(std::size_t part, SlotVector& state) const = 0;
};

}  // namespace heddle
