// Facet: states and steps in words, for people. Every door has this facet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/coverage.h"
#include "core/step_buffer.h"
#include "core/trace.h"

namespace heddle {

// A step that a state does not have, and why.
struct MissingStep {
  std::uint32_t lane = 0;
  std::string name;  // the transition; empty: whatever the lane would do next
  std::string why;   // "the guard at lock.cpp:14 is false", "no Grant has arrived"
};

class Describer {
 public:
  virtual ~Describer() = default;
  virtual std::vector<trace::Lane> lanes() const = 0;
  virtual trace::Step describe_step(std::span<const Slot> from, Step step, std::span<const Slot> to) const = 0;
  virtual std::vector<trace::Field> describe_state(std::span<const Slot> state) const = 0;
  // Returns the values that property `index` looked at in `state`.
  virtual std::vector<trace::Field> describe_property(std::size_t index, std::span<const Slot> state) const = 0;
  // Returns the steps that somebody might expect in `state` and that it does not have, lane by lane. May run the user's
  // code; what it does then does not count as coverage.
  virtual std::vector<MissingStep> missing_steps(std::span<const Slot> /*state*/) const { return {}; }
  // Returns what has grown most so far, largest first, one sentence each: the answer to "why does this not end?".
  virtual std::vector<std::string> growth() const { return {}; }
  // Returns what has happened so far, given how often a search has executed each transition
  // (core/coverage.h). `renamed` is true if the search stored representatives, so that what is said of one
  // member of a class holds for all.
  virtual Coverage coverage(std::span<const std::uint64_t> executed, bool renamed) const = 0;
  // Returns what is suspicious about the model before anything has run, one sentence each.
  virtual std::vector<std::string> warnings() const { return {}; }
};

}  // namespace heddle
