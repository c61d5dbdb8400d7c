// The monitors, one for each data type; monitor() chooses. A monitor returns nothing where it does not apply; its file
// says when.
// Thread-safe: no state.
#pragma once

#include "check/monitors/monitor.h"

namespace heddle::monitors {

// What a function does, whatever a recording calls it.
enum class Role : std::uint8_t {
  Insert,  // write, add, acquire, enqueue, push, insert
  Remove,  // remove, release, dequeue, pop, extract_min
  Look,    // read, contains
  Other,   // nothing a monitor knows
};

struct Input {
  const RecordedHistory& history;
  std::span<const Role> roles;  // by function
  std::span<const std::uint32_t> part;
  Budget& budget;
};

std::optional<MonitorResult> check_register(const Input&);
std::optional<MonitorResult> check_set(const Input&);
std::optional<MonitorResult> check_mutex(const Input&);  // set.cpp
std::optional<MonitorResult> check_queue(const Input&);
std::optional<MonitorResult> check_stack(const Input&);
std::optional<MonitorResult> check_priority_queue(const Input&);

}  // namespace heddle::monitors
