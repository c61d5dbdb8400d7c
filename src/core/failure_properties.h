// The two properties that are no model's own: that no assertion fails in its code, and that its code does not crash. A system has
// them only where it has states for that; they are told by their names, which no property of a model may have. A step that has
// failed is never undone: where one of them is false, it is false in all states that follow.
#pragma once

#include <cstdint>

#include "core/transition_system.h"

namespace heddle {

inline constexpr const char *assertion_property = "assertion", *crash_property = "no crash";

enum class AboutFailures : std::uint8_t { No, Assertions, Crashes };

inline AboutFailures about_failures(const Property& property) {
  if (property.name == assertion_property) return AboutFailures::Assertions;
  return property.name == crash_property ? AboutFailures::Crashes : AboutFailures::No;
}

// A step that the user's code did not survive. Thrown by systems that have no state for that (ActorOptions::watch_failures).
class UserCodeFailed : public ModelError {
 public:
  using ModelError::ModelError;
};

}  // namespace heddle
