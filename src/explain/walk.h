// A path with the states it goes through, and its cost for a reader. The minimiser's techniques pass it on to each
// other. A shorter walk is better; among equally long ones fewer processes count, then fewer messages, then fewer
// faults. Of a system of threads (core/facets/threads.h) a walk with fewer context switches is better, whatever its
// length: a reader follows one thread at a time.
//
// Effort limits the work: a technique spends some of it whenever it expands a state, and gives up when none is left.
// The number of expansions decides, so that results are repeatable; clocks are only a safety net, and so is Ctrl-C.
// The limit is on processor time, so that a busy machine does not make traces longer; the wall clock allows several
// times as much.
// Not thread-safe.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <tuple>
#include <vector>

#include "core/budget.h"
#include "explain/goal.h"
#include "explain/step_catalogue.h"
#include "explore/search.h"

namespace heddle::explain {

struct Cost {
  std::size_t steps = 0, lanes = 0, messages = 0, faults = 0;
  std::size_t switches = 0;  // counts first; always 0 if there are no threads

  friend bool operator==(const Cost&, const Cost&) = default;
  friend std::strong_ordering operator<=>(const Cost& a, const Cost& b) {
    const auto tied = [](const Cost& c) { return std::tie(c.switches, c.steps, c.lanes, c.messages, c.faults); };
    return tied(a) <=> tied(b);
  }
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
  // Appends the steps of `other` from its step `begin` on. REQUIRES: this walk ends in other.states[begin].
  void append(const Walk& other, std::size_t begin);
};

class Effort {
 public:
  Effort(std::size_t expansions, double seconds, double wall_seconds = std::numeric_limits<double>::infinity());
  // Spends one expansion; returns false once nothing is left.
  bool spend();
  bool exhausted() const { return exhausted_; }

 private:
  std::size_t left_;
  std::size_t until_clock_ = 0;
  bool exhausted_ = false;
  double processor_seconds_;  // the processor time of this thread at which to stop
  Budget budget_;
};

// What every technique needs.
struct Workshop {
  const TransitionSystem& system;
  const Goal& goal;
  StepCatalogue& catalogue;
  Effort& effort;

  // Gives the same state always the same form, so that it can be looked up.
  void normalise(SlotVector& state) const {
    if (!system.varying_length()) return;
    while (!state.empty() && state.back() == 0) state.pop_back();
  }
};

// Follows a path; nullopt if it is not a path of the system.
std::optional<Walk> walk(const Workshop& shop, const Path& path);

}  // namespace heddle::explain
