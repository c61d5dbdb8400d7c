// Reads numbers as people type them: a duration (90, 5m, 2h), an amount of memory (512M, 2G).
// Each function throws UsageError, naming `option`, if the text is something else. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/budget.h"

namespace heddle::run {

double parse_seconds(std::string_view text, std::string_view option);
// Sets the time that is left of what --time says: the time before a restart of the command is subtracted. Messages name
// what the user gave. REQUIRES: the text is not empty.
void set_time_limit(std::string_view text, Limits& limits);
std::size_t parse_bytes(std::string_view text, std::string_view option);
// As parse_bytes, for --memory; none if the text is empty.
std::optional<std::size_t> parse_memory(std::string_view text);
std::uint64_t parse_number(std::string_view text, std::string_view option, std::uint64_t most);

}  // namespace heddle::run
