// The user has interrupted a step that takes long, so that no search came to ask its budget: the verdict is `unknown`.
#pragma once

#include <stdexcept>

namespace heddle {

class StepInterrupted : public std::runtime_error {
 public:
  StepInterrupted() : std::runtime_error("interrupted") {}
};

}  // namespace heddle
