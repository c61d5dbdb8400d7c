// Numbers as the closing line and the progress line show them.
// Pure functions, thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace heddle::report {

std::string with_separators(std::uint64_t number);                 // 1,234,567
std::string counted(std::uint64_t number, std::string_view noun);  // 1 state, 2 states
std::string short_count(double number);                            // 950, 12.3k, 4.56M, 7.8G
std::string rough_count(double number);                            // one significant digit: 900, 10k, 5M
std::string bytes_text(double bytes);                              // 512 B, 3.1 MiB
std::string seconds_text(double seconds);                          // 0.02 s, 12.3 s, 2 min 5 s, 3 h 10 min

}  // namespace heddle::report
