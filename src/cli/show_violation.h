// Shows the user why a history is not linearizable.
#pragma once

#include <string>

#include "check/check_history.h"
#include "check/recorded_history.h"
#include "check/specification.h"
#include "cli/output.h"

namespace heddle::cli {

// Returns "12 operations of key 3", or without a key "167 operations".
std::string part_name(const RecordedHistory& history, const PartitionResult& part);

// Prints the failed partitions: their operations, those that cannot be placed, and what is known of the reason.
// Explains as much as the budget allows. The first explanation goes into the report, too.
// REQUIRES: the verdict of `result` is Violated.
void show_violation(const RecordedHistory& history, const Specification& specification, const HistoryResult& result,
                    const std::string& file, const Output& output, Budget& budget, report::RunReport& report);

}  // namespace heddle::cli
