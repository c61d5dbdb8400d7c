// What the minimiser has to know about a step: its lane, what it costs the reader, and when two steps in different
// states are the same.
//
// Two steps are the same if lane, transition, kind, choices and received messages are equal. What they send may differ,
// for it depends on local state that an earlier, now missing, step would have changed.
//
// Describing a step makes many strings, and the minimiser asks millions of times. By the contract of footprint() a step
// depends only on the slots it reads or writes, so the answer is kept under (step, values of those slots).
// Not thread-safe.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "core/transition_system.h"

namespace heddle::explain {

struct StepFacts {
  std::uint32_t identity = 0;  // equal numbers: the same step
  std::uint32_t outcome = 0;   // likewise, with the types and receivers of what was sent
  std::uint32_t lane = 0;
  bool thread = false;         // the lane is a thread (core/facets/threads.h)
  std::uint32_t messages = 0;  // sent
  std::uint32_t faults = 0;    // 1 for something the environment does: a crash, a loss
};

struct SlotHash {
  using is_avalanching = void;
  std::size_t operator()(const SlotVector& slots) const;
};

class StepCatalogue {
 public:
  explicit StepCatalogue(const TransitionSystem& system) : system_(system) {}

  // The reference stays valid. REQUIRES: `step` with `changes` is enabled in `state`.
  const StepFacts& facts(std::span<const Slot> state, Step step, std::span<const Change> changes);

 private:
  std::uint32_t number(const std::string& text);

  const TransitionSystem& system_;
  std::deque<StepFacts> facts_;
  boost::unordered_flat_map<SlotVector, std::uint32_t, SlotHash> known_;
  std::map<std::string, std::uint32_t> numbers_;
  SlotVector key_;                // scratch
  std::vector<Access> accesses_;  // scratch
};

}  // namespace heddle::explain
