// Returns the limits of a budget with the time that is left, for a part of the work with a separate budget.
#pragma once

#include <algorithm>

#include "core/budget.h"

namespace heddle {

inline Limits remaining(const Budget& budget) {
  Limits out = budget.limits();
  if (!out.asked_seconds) out.asked_seconds = out.seconds;
  out.seconds = std::max(0.0, out.seconds - budget.seconds());
  return out;
}

}  // namespace heddle
