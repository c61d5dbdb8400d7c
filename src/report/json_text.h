// The pieces from which JSON is written. Writing by hand keeps keys in the order that reads best and short objects on one
// line; Boost.JSON only escapes strings.
// Pure functions, thread-safe.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace heddle::report {

// `text` as a JSON string; invalid UTF-8 becomes U+FFFD, since JSON has no place for it.
std::string quoted(std::string_view text);
// Likewise, with null for the empty text.
std::string quoted_or_null(std::string_view text);

// Whether `text` is spelled exactly as a 64-bit integer is printed, so that it can become a number and come back as text.
bool is_plain_integer(std::string_view text);

// Parameters or options as one object on one line; those that look like integers as numbers.
std::string settings_text(const std::map<std::string, std::string>& settings);

}  // namespace heddle::report
