// Finds the names closest to a mistyped one, for "did you mean".
// Pure functions, thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::run {

// Returns at most three names, the closest first: those few edits away (restricted Damerau-Levenshtein distance), then
// those that contain `name` or are contained in it.
std::vector<std::string> nearest(std::string_view name, const std::vector<std::string>& names);

// Returns "; did you mean a or b?", or nothing.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& names);

// Returns "a, b, c", or "none".
std::string listed(const std::vector<std::string>& names);

}  // namespace heddle::run
