// A model's definition as JSON: what `heddle models NAME --json` prints.
// Pure functions of the definition.
#pragma once

#include <string>
#include <vector>

#include "heddle/model.h"

namespace heddle::cli {

struct NamedProperty {
  std::string name, kind;  // always, sometimes, deadlock_free, bound, finally
};

// Of the model with its default parameters and with those of its bugs. Throws ModelError if it cannot be built.
std::vector<NamedProperty> properties_of(const Definition& definition);

// One object without a newline at the end.
std::string model_json(const Definition& definition);

}  // namespace heddle::cli
