// An object that is not empty when a recording begins: --initial VALUE.
//
// The initial value is put there by operations that returned before the first event: a write of the register, an
// enqueue for each member of the queue. So checkers, monitors, explanations and witnesses need not know of it.
#pragma once

#include <string>

#include "check/recorded_history.h"

namespace heddle::history {

// The process of these operations.
inline constexpr std::string_view initial_process = "initial";

// Puts these operations before the history, for each key that occurs in it. `text` is EDN: one value, or a list for an
// object that holds many. Returns a sentence that says why it cannot be done; empty on success.
std::string begin_with(const std::string& text, std::string_view specification, RecordedHistory& history);

}  // namespace heddle::history
