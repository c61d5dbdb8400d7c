// How much memory this process holds, how much it may hold, and how much there is.
//
// The limit counts everything the process holds, as the kernel does, not only tables whose sizes are known: a search that is told
// to use 2 GiB must not be ended by the kernel at 3. Budget::check looks at it.
//
//   limit_memory(resident_bytes() + memory_left() / 5 * 4);
//
// Thread-safe.
#pragma once

#include <cstddef>
#include <string>

namespace heddle {

// Now; 0 if the kernel does not say.
std::size_t resident_bytes();

// What can still be taken without others suffering, by the machine and by every control group (versions 1 and 2) this process is
// in. The largest number there is if nothing is known. `root` is where /proc and /sys are looked for; for tests.
std::size_t memory_left(const std::string& root = "");

// For the whole process, until it is called again; the largest number there is means no limit.
void limit_memory(std::size_t bytes);
std::size_t memory_limit();
// Whether the process holds more than that. Cheap: asks the kernel every few milliseconds only.
bool memory_limit_reached();
// Whether so much more would fit, for tables before they grow.
bool room_for(std::size_t bytes);

}  // namespace heddle
