// Two properties do not come from the model: that no assertion fails in its code, and that its code does not
// crash. A system has them only if it has states for failures. They are recognised by their names, which no
// property of a model may have. A step that has failed is never undone: where one of them is false, it is false in
// all states that follow.
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

// The user's code did not survive a step. Thrown by systems that have no state for failures
// (ActorOptions::watch_failures).
class UserCodeFailed : public ModelError {
 public:
  using ModelError::ModelError;
};

}  // namespace heddle
