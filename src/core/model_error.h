// Errors of models that the user can mend: `what()` names the place and the remedy.
#pragma once

#include <stdexcept>

namespace heddle {

class ModelError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The model tells members of a symmetry class apart, and a search that took them to be alike has noticed.
class NotSymmetric : public ModelError {
 public:
  using ModelError::ModelError;
};

}  // namespace heddle
