// Facet: an abstract object that a system runs beside itself to see whether it refines it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/transition_system.h"

namespace heddle {

// Why a call on an abstract object was rejected.
struct RefinementFailure {
  std::string call;      // "commit(1)"
  std::string clause;    // the condition that failed, "extendsTrunk"
  std::string property;  // the property of the object it stands for, "P4"; may be empty
  std::string witness;   // a sentence
  std::string object;    // the object before the call, JSON
  bool missing = false;  // an earlier call is missing: the annotation is as suspect as the protocol
};

// The abstract object a system runs beside itself to see whether it refines it.
struct RefinementRun {
  std::size_t property = 0;                     // its property, "refines qtree"
  std::string object, specification, points;    // "qtree", "strict", "corrected"
  std::map<std::string, std::uint64_t> counts;  // different (object, call) pairs so far, by kind of call
  struct Quorums {
    std::string text;  // a sentence
    bool enough;
  };
  std::vector<Quorums> quorums = {};                     // what their sizes promise
  std::optional<std::vector<std::string>> implied = {};  // properties that follow from it; none: the model does not say
};

class Refinements {
 public:
  virtual ~Refinements() = default;
  virtual RefinementRun refinement_run() const = 0;
  // Why the refinement's property is false in `state`.
  virtual RefinementFailure refinement_failure(std::span<const Slot> state) const = 0;
};

// What the facet says; none: the run checks no refinement.
inline std::optional<RefinementRun> refinement_of(const TransitionSystem& system) {
  const Refinements* const facet = system.refinements();
  return facet != nullptr ? std::optional(facet->refinement_run()) : std::nullopt;
}

}  // namespace heddle
