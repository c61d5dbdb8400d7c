// The fields and words of the section.
#include "report/call_log_report.h"

#include <fmt/format.h>

#include "report/json_text.h"
#include "report/numbers.h"
#include "report/refinement_report.h"
#include "report/run_json.h"

namespace heddle::report {

std::vector<JsonField> CallLogReport::fields(const RunReport& /*run*/) const {
  std::string before;
  for (const auto& [at, call] : earlier) {
    before += fmt::format("{}{{\"line\": {}, \"call\": {}}}", before.empty() ? "" : ", ", at, quoted(call));
  }
  return {{"calls", fmt::format("{{\n    \"file\": {}, \"calls\": {}, \"instances\": {}, \"rounds\": {},\n"
                                "    \"line\": {},\n    \"earlier\": [{}],\n    \"tree\": {},\n"
                                "    \"left_out\": {}\n  }}",
                                quoted(file), calls, instances, rounds, line == 0 ? "null" : fmt::format("{}", line),
                                before, tree.empty() ? "null" : tree, quoted_list(left_out))}};
}

ClosingWords CallLogReport::closing_words(const RunReport& run) const {
  if (run.verdict == Verdict::Error) return {.subject = first_line(run.error)};
  const RefinementReport* const found = run.sections.find<RefinementReport>();
  const RefinementReport refinement = found != nullptr ? *found : RefinementReport();
  std::string out;
  switch (run.verdict) {
    case Verdict::Holds:
      out = fmt::format("{} in {} {} on {}", counted(calls, "call"), file, calls == 1 ? "is a call" : "are calls",
                        refinement.object);
      break;
    case Verdict::Violated:
      out = fmt::format("{}:{}: {} rejects {}: {} ({}); {} before it", file, line, refinement.object, refinement.call,
                        refinement.clause, refinement.property, counted(calls - 1, "call"));
      break;
    case Verdict::Unknown:
    case Verdict::Error:
      out = fmt::format("{}; {} accepts the first {} in {}", run.stopped_by, refinement.object, counted(calls, "call"),
                        file);
      break;
  }
  std::string counts;
  for (const auto& [kind, count] : refinement.counts) {
    counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", with_separators(count), kind);
  }
  if (!counts.empty()) out += "; " + counts;
  if (instances > 1) out += fmt::format(" in {}", counted(instances, "instance"));
  return {.subject = out};
}

}  // namespace heddle::report
