// "did you mean": the names closest to a mistyped one.
// Pure functions, thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::run {

// At most three, the closest first: few edits away (Damerau-Levenshtein, restricted), or one contained in the other.
std::vector<std::string> nearest(std::string_view name, const std::vector<std::string>& names);

// "; did you mean a or b?", or nothing.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& names);

// "a, b, c", or "none".
std::string listed(const std::vector<std::string>& names);

}  // namespace heddle::run
