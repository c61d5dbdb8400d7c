// The fields, lines and words of the section.
#include "report/program_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/json_text.h"
#include "report/numbers.h"
#include "report/run_json.h"

namespace heddle::report {

std::vector<JsonField> ProgramReport::fields(const RunReport& /*run*/) const {
  std::vector<JsonField> out = {{"memory", quoted("sequentially consistent")}};
  if (!weaker_orders.empty()) out.push_back({"weaker_orders", quoted_list(weaker_orders)});
  if (const auto lines = freed_comparisons ? freed_comparisons() : std::vector<std::string>{}; !lines.empty())
    out.push_back({"freed_comparisons", quoted_list(lines)});
  if (!clients.empty()) out.push_back({"clients", quoted(clients)});
  if (!histories.empty()) out.push_back({"histories", quoted(histories)});
  if (!reduced_from.empty()) out.push_back({"reduced_from", quoted(reduced_from)});
  if (const auto all = failing ? failing() : std::vector<FailingClient>{}; !all.empty()) {
    std::vector<std::string> rows;
    for (const FailingClient& one : all) {
      rows.push_back(fmt::format(R"(    {{"client": {}, "kinds": {}, "good": {}, "bad": {}}})", quoted(one.client),
                                 quoted_list(one.kinds), quoted_list(one.good), quoted_list(one.bad)));
    }
    out.push_back({"failing_clients", fmt::format("[\n{}\n  ]", fmt::join(rows, ",\n"))});
  }
  return out;
}

std::string ProgramReport::text(const RunReport& run) const {
  if (run.verdict != Verdict::Holds) {
    const auto all = failing ? failing() : std::vector<FailingClient>{};
    if (all.empty()) return "";
    std::string rows = counted(all.size(), "client") + (all.size() == 1 ? " fails:" : " fail:");
    for (const FailingClient& one : all) {
      rows += fmt::format("\n  {}: {}", one.client, fmt::join(one.kinds, ", "));
      if (!one.good.empty()) rows += fmt::format("\n    good: {}", fmt::join(one.good, "; "));
      if (!one.bad.empty()) rows += fmt::format("\n    bad:  {}", fmt::join(one.bad, "; "));
    }
    return rows;
  }
  std::string out = "memory is taken to be sequentially consistent";
  if (!weaker_orders.empty()) {
    out += fmt::format("; weaker orders are asked for at {}", fmt::join(weaker_orders, ", "));
  }
  if (const auto lines = freed_comparisons ? freed_comparisons() : std::vector<std::string>{}; !lines.empty()) {
    out += fmt::format(
        "\naddresses are not given out twice: a pointer to freed memory is compared at {}, and what happens if a new "
        "object has its address (ABA) is not explored",
        fmt::join(lines, ", "));
  }
  if (!histories.empty()) out += fmt::format("\nhistories, with real-time order, were compared with {}", histories);
  if (sampled) out += "\nclients were sampled: others may fail";
  if (run.complete && run.counters.deadlocks == 0) out += "\nno run ends: in every state some thread can go on";
  return out;
}

ClosingWords ProgramReport::closing_words(const RunReport& run) const {
  if (clients.empty() || run.verdict != Verdict::Holds) return {};
  return {.remark = "for " + clients};
}

}  // namespace heddle::report
