// How much memory this process holds, how much it may hold, and how much is left.
//
// The limit counts everything the process holds, as the kernel does, not only tables whose sizes are known. A
// search that is told to use 2 GiB must not be ended by the kernel at 3. Budget::check looks at the limit.
//
//   limit_memory(resident_bytes() + memory_left() / 5 * 4);
//
// Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle {

// Returns what the process holds now; 0 if the kernel does not say.
std::size_t resident_bytes();

// Returns what can still be taken without others suffering, by the machine and by every control group
// (versions 1 and 2) of this process; the largest number if nothing is known. `root` is where /proc and /sys
// are looked for, for tests.
std::size_t memory_left(const std::string& root = "");

// Whether the user has asked for the limit, or it follows from what the machine has left.
enum class LimitBy : std::uint8_t { Default, User };

// Holds for the whole process, until it is called again. The largest number means no limit.
void limit_memory(std::size_t bytes, LimitBy by = LimitBy::Default);
std::size_t memory_limit();
LimitBy memory_limited_by();
// Returns whether the process holds more than the limit. Cheap: it asks the kernel only every few milliseconds.
bool memory_limit_reached();
// Returns whether `bytes` more would fit, for tables before they grow.
bool room_for(std::size_t bytes);

}  // namespace heddle
