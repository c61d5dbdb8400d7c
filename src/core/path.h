// Runs as the engine stores them, and how to follow one.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/transition_system.h"

namespace heddle {

// Concrete steps from one of the initial states, which has the number `initial`.
struct Path {
  std::size_t initial = 0;
  std::vector<Step> steps;
};

struct Finding {
  std::size_t property = 0;  // index into TransitionSystem::properties()
  Path path;
};

// Returns the states of a path, the initial state first; nullopt if a step is not enabled where it should be.
std::optional<std::vector<SlotVector>> follow(const TransitionSystem& system, const Path& path);

}  // namespace heddle
