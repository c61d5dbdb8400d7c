#include "report/program_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/json_text.h"
#include "report/run_json.h"

namespace heddle::report {

std::vector<JsonField> ProgramReport::fields(const RunReport& /*run*/) const {
  std::vector<JsonField> out = {{"memory", quoted("sequentially consistent")}};
  if (!weaker_orders.empty()) out.push_back({"weaker_orders", quoted_list(weaker_orders)});
  if (!clients.empty()) out.push_back({"clients", quoted(clients)});
  return out;
}

std::string ProgramReport::text(const RunReport& run) const {
  if (run.verdict != Verdict::Holds) return "";
  std::string out = "memory is taken to be sequentially consistent";
  if (!weaker_orders.empty()) {
    out += fmt::format("; weaker orders are asked for at {}", fmt::join(weaker_orders, ", "));
  }
  if (sampled) out += "\nclients were sampled: others may fail";
  return out;
}

ClosingWords ProgramReport::closing_words(const RunReport& run) const {
  if (clients.empty() || run.verdict != Verdict::Holds) return {};
  return {.remark = "for " + clients};
}

}  // namespace heddle::report
