// A failure of the code of a model or of a specification, as a section of the report of a run.
#pragma once

#include <string>
#include <vector>

#include "report/section.h"

namespace heddle::report {

struct FailureReport final : SectionOf<FailureReport> {
  std::string kind;                  // assertion, crash
  std::string what;                  // a sentence
  std::string expression, at, code;  // of an assertion, JSON texts: what, "file:line", which function
  std::string lane;                  // whose step it was

  Place place() const override { return Place::Failure; }
  std::vector<JsonField> fields(const RunReport& run) const override;
};

}  // namespace heddle::report
