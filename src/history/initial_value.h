// An object that is not empty when a recording begins: --initial VALUE.
//
// What was there before is as good as put there by operations that had returned before the first event: a write of the register,
// an enqueue for each member of the queue. So checkers, monitors, explanations and witnesses need not know of it.
#pragma once

#include <string>

#include "check/recorded_history.h"

namespace heddle::history {

// The process that these operations are of.
inline constexpr std::string_view initial_process = "initial";

// Puts them before the history, for each key that occurs in it. `value` is EDN: one value, or for an object that holds many a list.
// Returns why it cannot be done, a sentence; empty if it was.
std::string begin_with(const std::string& value, std::string_view specification, RecordedHistory& history);

}  // namespace heddle::history
