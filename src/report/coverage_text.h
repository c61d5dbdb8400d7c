// Coverage (core/coverage.h) for readers: what never happened in one line, everything as a table, and as JSON.
// Pure functions, thread-safe.
#pragma once

#include <string>
#include <vector>

#include "core/coverage.h"

namespace heddle::report {

// "Node::judge", "sending Token", ...; empty if everything happened. Only a complete search shows that these never
// happen.
std::vector<std::string> never_happened(const Coverage& coverage);

// Returns lines, without the last newline.
std::string coverage_table(const Coverage& coverage, bool complete);

// The value of "coverage" in the object of a run.
std::string coverage_json(const Coverage& coverage, bool complete);

}  // namespace heddle::report
