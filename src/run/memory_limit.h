// The limit of memory of a run: what was asked for, or four fifths of what the machine and its control groups have left.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace heddle::run {

// Sets the limit of the process (core/memory.h). Returns what was asked for, or the largest number there is.
std::size_t set_memory_limit(std::optional<std::size_t> asked);
// What was found can be shown.
void lift_memory_limit();

// Why nothing can be done within the limit; empty if something can: then the program itself needs more.
std::string too_little_memory();

}  // namespace heddle::run
