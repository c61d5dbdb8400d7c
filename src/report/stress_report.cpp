// Sums over clients, and the fields and words of the section.
#include "report/stress_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/json_text.h"
#include "report/numbers.h"
#include "report/run_json.h"

namespace heddle::report {

std::uint64_t StressReport::runs() const {
  std::uint64_t n = 0;
  for (const StressedClient& one : clients) n += one.runs;
  return n;
}

std::uint64_t StressReport::bad() const {
  std::uint64_t n = 0;
  for (const StressedClient& one : clients) {
    for (const auto& outcome : one.outcomes) n += outcome.bad ? outcome.count : 0;
    n += one.failure_is_bad ? 1 : 0;
  }
  return n;
}

std::vector<JsonField> StressReport::fields(const RunReport& /*run*/) const {
  std::vector<std::string> rows;
  for (const StressedClient& one : clients) {
    std::vector<std::string> outcomes;
    for (const auto& outcome : one.outcomes) {
      outcomes.push_back(fmt::format(R"({{"outcome": {}, "count": {}, "bad": {}}})", quoted(outcome.text),
                                     outcome.count, outcome.bad));
    }
    rows.push_back(fmt::format(R"(    {{"client": {}, "runs": {}, "outcomes": [{}], "failure": {}}})",
                               quoted(one.client), one.runs, fmt::join(outcomes, ", "), quoted_or_null(one.failure)));
  }
  return {{"stress", fmt::format("[\n{}\n  ]", fmt::join(rows, ",\n"))}};
}

std::string StressReport::text(const RunReport& /*run*/) const {
  std::string out =
      fmt::format("{} on {} in {:.1f} s", counted(runs(), "run"), counted(processors, "processor"), seconds);
  if (left_out != 0) out += fmt::format("; no time for {}", counted(left_out, "client"));
  // Of many clients only the bad ones are interesting.
  const bool few = clients.size() <= 5;
  for (const StressedClient& one : clients) {
    bool any = few || one.failure_is_bad;
    for (const auto& outcome : one.outcomes) any |= outcome.bad;
    if (!any) continue;
    out += fmt::format("\n{}: {}", one.client, counted(one.runs, "run"));
    for (const auto& outcome : one.outcomes) {
      out += fmt::format("\n  {:>10}  {}{}", outcome.count, outcome.text,
                         outcome.bad ? "   <- no order of the calls gives this" : "");
    }
    if (!one.failure.empty()) out += "\n  " + one.failure;
  }
  return out;
}

ClosingWords StressReport::closing_words(const RunReport& run) const {
  const std::string all = counted(runs(), "run") + " on real threads";
  if (run.verdict != Verdict::Violated) {
    const char* const why = run.stopped_by == "interrupted" ? ", interrupted" : "";
    return {.subject = all + ", none of them bad" + why, .remark = "", .files = ""};
  }
  return {.subject = fmt::format("{} in {} of {}", run.property, bad(), all), .remark = "", .files = ""};
}

}  // namespace heddle::report
