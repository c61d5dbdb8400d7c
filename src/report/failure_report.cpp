// The fields of the section.
#include "report/failure_report.h"

#include <fmt/format.h>

#include "report/json_text.h"

namespace heddle::report {

std::vector<JsonField> FailureReport::fields(const RunReport& /*run*/) const {
  const auto or_null = [](const std::string& json) { return json.empty() ? std::string("null") : json; };
  return {{"failure",
           fmt::format("{{\n    \"kind\": {}, \"lane\": {}, \"text\": {},\n    \"expression\": {}, "
                       "\"at\": {}, \"function\": {}\n  }}",
                       quoted(kind), quoted(lane), quoted(what), or_null(expression), or_null(at), or_null(code))}};
}

}  // namespace heddle::report
