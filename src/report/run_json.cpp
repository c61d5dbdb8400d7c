#include "report/run_json.h"

#include <fmt/format.h>

#include <cmath>

#include "report/coverage_text.h"
#include "report/json_text.h"
#include "report/schedule_table.h"

namespace heddle::report {
namespace {

// JSON knows neither infinity nor NaN.
std::string number(double value, int decimals) {
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, decimals) : "null";
}

std::string strings(const std::vector<std::string>& all) {
  std::string out = "[";
  for (const std::string& one : all) out += (out.size() > 1 ? ", " : "") + quoted(one);
  return out + "]";
}

std::string properties(const std::vector<PropertyReport>& all) {
  if (all.empty()) return "[]";
  std::string out = "[";
  for (const PropertyReport& one : all) {
    out += fmt::format("{}\n    {{\"name\": {}, \"kind\": \"{}\", \"result\": \"{}\"}}", out.size() > 1 ? "," : "",
                       quoted(one.name), kind_name(one.kind), name(one.result));
  }
  return out + "\n  ]";
}

std::string refinement(const RefinementReport& r) {
  std::string counts;
  for (const auto& [kind, count] : r.counts) {
    counts += fmt::format("{}{}: {}", counts.empty() ? "" : ", ", quoted(kind), count);
  }
  return fmt::format(
      "{{\n    \"object\": {}, \"spec\": {}, \"lp\": {}, \"verdict\": \"{}\",\n    \"clause\": {}, \"property\": {}, "
      "\"call\": {},\n    \"witness\": {},\n    \"class\": {}, \"advice\": {},\n    \"notes\": {},\n    \"quorums\": "
      "{},\n    \"counts\": {{{}}}\n  }}",
      quoted(r.object), quoted(r.specification), quoted(r.points), name(r.verdict), quoted_or_null(r.clause),
      quoted_or_null(r.property), quoted_or_null(r.call), quoted_or_null(r.witness), quoted_or_null(r.classification),
      quoted_or_null(r.advice), strings(r.notes), strings(r.quorums), counts);
}

std::string failure(const FailureReport& f) {
  const auto json = [](const std::string& text) { return text.empty() ? std::string("null") : text; };
  return fmt::format(
      "{{\n    \"kind\": {}, \"lane\": {}, \"text\": {},\n    \"expression\": {}, \"at\": {}, \"function\": {}\n  }}",
      quoted(f.kind), quoted(f.lane), quoted(f.text), json(f.expression), json(f.at), json(f.code));
}

}  // namespace

std::string_view kind_name(Property::Kind kind) {
  // A switch, so that the compiler asks for the name of a kind that is added.
  switch (kind) {
    case Property::Kind::Always:
      return "always";
    case Property::Kind::Sometimes:
      return "sometimes";
    case Property::Kind::DeadlockFree:
      return "deadlock_free";
    case Property::Kind::Bound:
      return "bound";
    case Property::Kind::Finally:
      return "finally";
  }
  return "unknown";
}

double bytes_per_state(const RunReport& report) {
  if (report.counters.states == 0) return 0;
  return static_cast<double>(report.counters.store_bytes) / static_cast<double>(report.counters.states);
}

double all_bytes_per_state(const RunReport& report) {
  if (report.counters.states == 0 || report.start_bytes == 0 || report.peak_bytes < report.start_bytes) return 0;
  return static_cast<double>(report.peak_bytes - report.start_bytes) / static_cast<double>(report.counters.states);
}

std::string to_json(const RunReport& report) {
  std::string out = "{\n";
  const auto add = [&](std::string_view key, std::string_view text) {
    out += fmt::format("{}  \"{}\": {}", out.size() > 2 ? ",\n" : "", key, text);
  };
  add("verdict", quoted(name(report.verdict)));
  add("error", quoted_or_null(report.error));
  if (report.history) out += ",\n" + history_fields(*report.history);
  add("model", quoted(report.model));
  add("parameters", settings_text(report.parameters));
  add("bug", quoted_or_null(report.bug));
  add("options", settings_text(report.options));
  add("property", quoted_or_null(report.property));
  add("trace", quoted_or_null(report.trace_file));
  add("trace_steps", fmt::format("{}", report.trace_steps));
  add("properties", properties(report.properties));
  add("complete", report.complete ? "true" : "false");
  add("stopped_by", quoted_or_null(report.stopped_by));
  add("note", quoted_or_null(report.note));
  report.counters.for_each(
      [&](std::string_view key, std::string_view, std::uint64_t value) { add(key, fmt::format("{}", value)); });
  add("seconds", number(report.seconds, 6));
  add("peak_bytes", fmt::format("{}", report.peak_bytes));
  add("bytes_per_state", number(bytes_per_state(report), 2));
  if (report.start_bytes > 0) add("all_bytes_per_state", number(all_bytes_per_state(report), 2));
  add("reductions", strings(report.reductions));
  if (report.counts_vary) add("counts_vary", "true");
  if (!report.not_reduced.empty()) add("not_reduced", strings(report.not_reduced));
  add("search", quoted(report.search));
  add("store", quoted(report.store));
  add("threads", fmt::format("{}", report.threads));
  add("growth", strings(report.growth));
  if (report.failure) add("failure", failure(*report.failure));
  if (!report.warnings.empty()) add("warnings", strings(report.warnings));
  if (report.coverage) add("coverage", coverage_json(*report.coverage, report.complete));
  if (report.refinement) add("refinement", refinement(*report.refinement));
  if (report.calls) add("calls", calls_json(*report.calls));
  if (!report.schedulers.empty()) add("schedulers", schedulers_json(report.schedulers));
  add("command", quoted(report.command));
  add("version", quoted(report.version));
  return out + "\n}\n";
}

}  // namespace heddle::report
