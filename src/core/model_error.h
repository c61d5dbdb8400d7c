// Errors of models that the user can correct: `what()` names the place and the remedy.
#pragma once

#include <stdexcept>

namespace heddle {

class ModelError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A search took the members of a symmetry class to be alike and noticed that the model tells them apart.
class NotSymmetric : public ModelError {
 public:
  using ModelError::ModelError;
};

}  // namespace heddle
