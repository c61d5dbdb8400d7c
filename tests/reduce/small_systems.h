// Random systems that are small enough to be compared in full.
#pragma once

#include <cstddef>

#include "explore/search.h"

namespace heddle {

// Whether there are at most `most` states. Looks at no more than that.
inline bool small(const TransitionSystem& system, std::size_t most) {
  struct Enough {};
  std::size_t states = 0;
  SearchOptions options;
  options.stop_at_violation = false;
  options.on_state = [&](std::span<const Slot>) {
    if (++states > most) throw Enough{};
  };
  try {
    search(system, options);
  } catch (const Enough&) {
    return false;
  }
  return true;
}

}  // namespace heddle
