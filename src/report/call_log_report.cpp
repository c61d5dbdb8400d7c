#include "report/call_log_report.h"

#include <fmt/format.h>

#include "report/json_text.h"
#include "report/numbers.h"
#include "report/run_json.h"
#include "report/utf8.h"

namespace heddle::report {

std::string calls_json(const CallLogReport& calls) {
  std::string earlier, left_out;
  for (const auto& [line, call] : calls.earlier) {
    earlier += fmt::format("{}{{\"line\": {}, \"call\": {}}}", earlier.empty() ? "" : ", ", line, quoted(call));
  }
  for (const std::string& name : calls.left_out) left_out += (left_out.empty() ? "" : ", ") + quoted(name);
  return fmt::format(
      "{{\n    \"file\": {}, \"calls\": {}, \"instances\": {}, \"rounds\": {},\n    \"line\": {},\n    \"earlier\": "
      "[{}],\n"
      "    \"tree\": {},\n    \"left_out\": [{}]\n  }}",
      quoted(calls.file), calls.calls, calls.instances, calls.rounds,
      calls.line == 0 ? "null" : fmt::format("{}", calls.line), earlier, calls.tree.empty() ? "null" : calls.tree,
      left_out);
}

std::string calls_line(const RunReport& report) {
  const CallLogReport& log = *report.calls;
  std::string out = fmt::format("{}: ", name(report.verdict));
  if (report.verdict == Verdict::Error) {
    return printable(out + (report.error.empty() ? "unknown cause" : report.error.substr(0, report.error.find('\n'))));
  }
  const RefinementReport refinement = report.refinement.value_or(RefinementReport{});
  switch (report.verdict) {
    case Verdict::Holds:
      out += fmt::format("{} in {} {} on {}", counted(log.calls, "call"), log.file,
                         log.calls == 1 ? "is a call" : "are calls", refinement.object);
      break;
    case Verdict::Violated:
      out += fmt::format("{}:{}: {} rejects {}: {} ({}); {} before it", log.file, log.line, refinement.object,
                         refinement.call, refinement.clause, refinement.property, counted(log.calls - 1, "call"));
      break;
    case Verdict::Unknown:
    case Verdict::Error:
      out += fmt::format("{}; {} accepts the first {} in {}", report.stopped_by, refinement.object,
                         counted(log.calls, "call"), log.file);
      break;
  }
  std::string counts;
  for (const auto& [kind, count] : refinement.counts) {
    counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", with_separators(count), kind);
  }
  if (!counts.empty()) out += "; " + counts;
  if (log.instances > 1) out += fmt::format(" in {}", counted(log.instances, "instance"));
  out += "; " + seconds_text(report.seconds);
  if (report.peak_bytes > 0) out += ", " + bytes_text(static_cast<double>(report.peak_bytes));
  return printable(out);
}

}  // namespace heddle::report
