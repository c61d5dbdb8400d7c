// Writes a model's definition as JSON, for `heddle models NAME --json`.
// Pure functions of the definition.
#pragma once

#include <string>
#include <vector>

#include "heddle/model.h"

namespace heddle::cli {

struct NamedProperty {
  std::string name, kind;  // always, sometimes, deadlock_free, bound, finally
};

// Returns the properties of the model with its default parameters and with those of its bugs. Throws ModelError if the
// model cannot be built.
std::vector<NamedProperty> properties_of(const Definition& definition);

// Returns one object without a newline at the end.
std::string model_json(const Definition& definition);

}  // namespace heddle::cli
