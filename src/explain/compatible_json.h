// Decides whether a value of an old trace can be the value of a model that has changed since. Members that only one
// side has are ignored; everything else must be equal. So a trace survives fields that were added or removed.
// Thread-safe.
#pragma once

#include <string_view>

namespace heddle::explain {

// Both are JSON texts; texts that are not JSON are compatible only if they are equal.
bool compatible_json(std::string_view recorded, std::string_view now);

}  // namespace heddle::explain
