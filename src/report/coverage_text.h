// Coverage (core/coverage.h) for readers: what never happened in one line, everything as a table, as JSON, and as a
// section of the report of a run.
// Pure functions, thread-safe.
#pragma once

#include <string>
#include <vector>

#include "core/coverage.h"
#include "report/section.h"

namespace heddle::report {

// "Node::judge", "sending Token", ...; empty if everything happened. Only a complete search shows that these never
// happen. With `guards`, a handler is followed by the places of the guards that never held.
std::vector<std::string> never_happened(const Coverage& coverage, bool guards = false);

// Returns lines, without the last newline.
std::string coverage_table(const Coverage& coverage, bool complete);

// The value of "coverage" in the object of a run.
std::string coverage_json(const Coverage& coverage, bool complete);

struct CoverageReport final : SectionOf<CoverageReport> {
  Coverage coverage;
  bool whole_table = false;  // in the text; otherwise only what never happened in a complete search

  Place place() const override { return Place::Coverage; }
  std::vector<JsonField> fields(const RunReport& run) const override;
  std::string text(const RunReport& run) const override;
};

}  // namespace heddle::report
