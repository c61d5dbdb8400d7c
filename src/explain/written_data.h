// Leaves out what is not data: bytes that nobody writes in an execution have no conflicts (final fields; Cirisci 2022,
// 2.3). Pure function.
#pragma once

#include "explain/recorded_execution.h"

namespace heddle::explain {

// Drops accesses to bytes that no access writes, and actions that are left with nothing.
void drop_unwritten(RecordedExecution& execution);

}  // namespace heddle::explain
