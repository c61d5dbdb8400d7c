// A path with the states it goes through, and what it costs a reader: what the minimiser's techniques pass on to each
// other. Shorter always wins; among equally long ones fewer processes, then fewer messages, then fewer faults.
//
// Effort is the minimiser's purse: techniques take from it whenever they expand a state and give up when it is empty. The
// number of expansions decides, so that results are repeatable; clocks are only a safety net, Ctrl-C another. Processor time
// is what is limited, so that a busy machine does not make traces longer; the wall clock gets several times as much.
// Not thread-safe.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/budget.h"
#include "explain/goal.h"
#include "explain/step_catalogue.h"
#include "explore/search.h"

namespace heddle::explain {

struct Cost {
  std::size_t steps = 0, lanes = 0, messages = 0, faults = 0;
  friend auto operator<=>(const Cost&, const Cost&) = default;
};

Cost cost_of(std::span<const StepFacts* const> steps);

struct Walk {
  std::size_t initial = 0;
  std::vector<SlotVector> states;  // one more than steps
  std::vector<Step> steps;
  std::vector<const StepFacts*> facts;  // of a catalogue, one for each step

  Cost cost() const { return cost_of(facts); }
  Path path() const { return {initial, steps}; }
  void add(Step step, const StepFacts& f, SlotVector target);
  // Keeps the first `size` steps.
  void cut(std::size_t size);
  // Appends the steps of `other` from its step `begin` on; other.states[begin] must be where this walk ends.
  void append(const Walk& other, std::size_t begin);
};

class Effort {
 public:
  Effort(std::size_t expansions, double seconds, double wall_seconds = std::numeric_limits<double>::infinity());
  // One more expansion; false once the purse is empty.
  bool spend();
  bool exhausted() const { return exhausted_; }

 private:
  std::size_t left_;
  std::size_t until_clock_ = 0;
  bool exhausted_ = false;
  double processor_seconds_;  // of this thread, at which it is enough
  Budget budget_;
};

// What every technique needs.
struct Workshop {
  const TransitionSystem& system;
  const Goal& goal;
  StepCatalogue& catalogue;
  Effort& effort;

  // The same state always in the same form, so that it can be looked up.
  void normalise(SlotVector& state) const {
    if (!system.varying_length()) return;
    while (!state.empty() && state.back() == 0) state.pop_back();
  }
};

// Follows a path; nullopt if it is not one.
std::optional<Walk> walk(const Workshop& shop, const Path& path);

}  // namespace heddle::explain
