// The limit of memory of a command: --memory, or four fifths of what the machine and its control groups have left.
#pragma once

#include <cstddef>
#include <string>

namespace heddle::cli {

// Sets the limit of the process (core/memory.h). Returns what --memory says, or the largest number there is.
std::size_t set_memory_limit(const std::string& given);

// Why nothing can be done within the limit; empty if something can: then the program itself needs more.
std::string too_little_memory();

}  // namespace heddle::cli
