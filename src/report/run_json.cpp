// Writes the head of the object in a fixed order, with the fields of sections in their places.
#include "report/run_json.h"

#include <fmt/format.h>

#include <cmath>

#include "report/json_text.h"

namespace heddle::report {
namespace {

// JSON knows neither infinity nor NaN.
std::string number(double value, int decimals) {
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, decimals) : "null";
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

}  // namespace

std::string_view kind_name(Property::Kind kind) {
  // This is a switch, so that the compiler asks for the name of a new kind.
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

std::string first_line(const std::string& error) {
  return error.empty() ? "unknown cause" : error.substr(0, error.find('\n'));
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
  using Place = Section::Place;
  const auto add_sections = [&](Place first, Place last) {
    for (const auto& section : report.sections) {
      if (section->place() < first || section->place() > last) continue;
      for (const JsonField& field : section->fields(report)) add(field.key, field.json);
    }
  };
  add("verdict", quoted(name(report.verdict)));
  add("error", quoted_or_null(report.error));
  add_sections(Place::Verdict, Place::Verdict);
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
  report.counters.for_each([&](std::string_view key, std::string_view, std::uint64_t value) {
    add(key, nothing_known(report) ? "null" : fmt::format("{}", value));
  });
  if (report.cut_short && !nothing_known(report)) add("counts_at_least", "true");
  add("seconds", number(report.seconds, 6));
  add("peak_bytes", fmt::format("{}", report.peak_bytes));
  add("bytes_per_state", number(bytes_per_state(report), 2));
  if (report.start_bytes > 0) add("all_bytes_per_state", number(all_bytes_per_state(report), 2));
  add("reductions", quoted_list(report.reductions));
  if (!report.chosen.empty()) add("chosen", quoted(report.chosen));
  if (report.counts_vary) add("counts_vary", "true");
  if (!report.not_reduced.empty()) add("not_reduced", quoted_list(report.not_reduced));
  add("search", quoted(report.search));
  add("store", quoted(report.store));
  add("threads", fmt::format("{}", report.threads));
  add("growth", quoted_list(report.growth));
  add_sections(Place::Failure, Place::Failure);
  if (!report.warnings.empty()) add("warnings", quoted_list(report.warnings));
  add_sections(Place::Coverage, Place::Last);
  add("command", quoted(report.command));
  add("version", quoted(report.version));
  return out + "\n}\n";
}

}  // namespace heddle::report
