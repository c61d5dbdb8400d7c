// Facet: the abstract object that a system runs beside itself, to check that it refines the object.
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
  std::string property;  // the property of the object that the condition stands for, "P4"; may be empty
  std::string witness;   // a sentence
  std::string object;    // the object before the call, JSON
  bool missing = false;  // an earlier call is missing: the annotation is as suspect as the protocol
};

// What a run with an abstract object checks, and what it has checked so far.
struct RefinementRun {
  std::size_t property = 0;                     // the number of the property "refines qtree"
  std::string object, specification, points;    // "qtree", "strict", "corrected"
  std::map<std::string, std::uint64_t> counts;  // different (object, call) pairs so far, by kind of call
  struct Quorums {
    std::string text;  // a sentence
    bool enough;
  };
  std::vector<Quorums> quorums = {};                     // what the sizes of quorums promise
  std::optional<std::vector<std::string>> implied = {};  // properties implied by it; nullopt: the model does not say
};

class Refinements {
 public:
  virtual ~Refinements() = default;
  virtual RefinementRun refinement_run() const = 0;
  // Says why the refinement's property is false in `state`.
  virtual RefinementFailure refinement_failure(std::span<const Slot> state) const = 0;
};

// Asks the facet; nullopt if the run checks no refinement.
inline std::optional<RefinementRun> refinement_of(const TransitionSystem& system) {
  const Refinements* const facet = system.refinements();
  return facet != nullptr ? std::optional(facet->refinement_run()) : std::nullopt;
}

}  // namespace heddle
