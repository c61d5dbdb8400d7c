// Whether a value of an old trace can be the value of a model that has changed since: members that only one side has are
// ignored, everything else must be equal. Thus a trace survives fields that were added or removed.
// Thread-safe.
#pragma once

#include <string_view>

namespace heddle::explain {

// Both are JSON texts; text that is not JSON must be equal to the letter.
bool compatible_json(std::string_view recorded, std::string_view now);

}  // namespace heddle::explain
