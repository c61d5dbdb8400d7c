// The last line of every command: the verdict, what it rests on, what it cost and what was written.
//
//   holds: 15,804 states, 39,693 transitions, 1,647 final states, depth 18, complete; 0.02 s, 3.1 MiB (14.2 B/state)
//   violated: agreement at depth 9; 2,310 states, …, depth 9; 0.01 s, 2.0 MiB (14.2 B/state); trace in t.json
//   unknown: time limit of 10 s; no violation in 1,204,331 states, …, depth 31; 40,211 states still queued; 10.0 s, …
//   error: paxos.cpp:12:3: …
//
// Always exactly one line without control characters, whatever the names in it are.
// Pure function, thread-safe.
#pragma once

#include <string>

#include "report/run_json.h"

namespace heddle::report {

std::string closing_line(const RunReport& report);

}  // namespace heddle::report
