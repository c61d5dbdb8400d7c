// The pieces from which JSON is written. It is written by hand to keep keys in the order that reads best and short
// objects on one line; Boost.JSON only escapes strings.
// Pure functions, thread-safe.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::report {

// Returns `text` as a JSON string; invalid UTF-8 becomes U+FFFD, since JSON has no place for it.
std::string quoted(std::string_view text);
// Likewise, with null for the empty text.
std::string quoted_or_null(std::string_view text);
// Returns an array of strings on one line.
std::string quoted_list(const std::vector<std::string>& all);

// True if `text` is spelled exactly as a 64-bit integer is printed: then it can be written as a number and read back.
bool is_plain_integer(std::string_view text);

// Returns parameters or options as one object on one line; values that look like integers become numbers.
std::string settings_text(const std::map<std::string, std::string>& settings);

}  // namespace heddle::report
