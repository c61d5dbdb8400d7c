// Sets the memory limit of a run: what was asked for, or what the process holds plus four fifths of what the machine
// and its control groups have left.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace heddle::run {

// Sets the limit of the process (core/memory.h). Returns what was asked for, or the largest number if nothing was.
std::size_t set_memory_limit(std::optional<std::size_t> asked);
// Lifts the limit after a search, so that what was found can be shown.
void lift_memory_limit();

// Says that the program itself already holds more than the limit; empty if it does not.
std::string too_little_memory();

}  // namespace heddle::run
