// What the user sees of a history that is not linearizable. The one place that says it.
#pragma once

#include <string>

#include "check/check_history.h"
#include "check/recorded_history.h"
#include "check/specification.h"
#include "cli/output.h"

namespace heddle::cli {

// "12 operations of key 3", or without a key "167 operations".
std::string part_name(const RecordedHistory& history, const PartitionResult& part);

// Prints the failed partitions: which operations they are, which of them cannot be placed, and what is known of the reason.
// Requires that the verdict is Violated. Explains as much as the budget allows.
void show_violation(const RecordedHistory& history, const Specification& specification, const HistoryResult& result,
                    const std::string& file, const Output& output, Budget& budget);

}  // namespace heddle::cli
