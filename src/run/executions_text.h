// Executions as text, in the form of docs/root-cause.md that executions_file.h reads.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "explain/recorded_execution.h"

namespace heddle::run {

// The text of a call by the number of its invocation: "push(1)".
using CallText = std::function<std::string(std::uint32_t)>;

// The statements, and then the executions. `files` has the names for Action::file.
// REQUIRES: a parent has a smaller number than its statements.
std::string executions_text(const explain::StatementTree& tree, const std::vector<std::string>& files,
                            const std::vector<explain::RecordedExecution>& executions, const CallText& call_text);

}  // namespace heddle::run
