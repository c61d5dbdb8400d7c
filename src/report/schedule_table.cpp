// The rows as functions of a scheduler's figures, and the reasons below the table.
#include "report/schedule_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "report/json_text.h"
#include "report/numbers.h"

namespace heddle::report {
namespace {

std::string percent(double ratio) { return fmt::format("{:.2f} %", 100 * ratio); }
std::string time(double seconds) { return seconds < 0.0005 ? "0" : seconds_text(seconds); }

// What a scheduler may have missed if it found nothing.
std::string misses(const ScheduleMetrics& m) { return m.may_miss ? "may miss" : m.ended ? "nothing" : "cut off"; }

struct Row {
  const char* head;
  bool is_time;
  std::function<std::string(const ScheduleMetrics&)> cell;
  const char* meaning;
};

const std::vector<Row>& rows() {
  using M = const ScheduleMetrics&;
  static const std::vector<Row> all = {
      {"#S", false, [](M m) { return with_separators(m.schedules); }, "schedules"},
      {"#IH", false, [](M m) { return with_separators(m.incomplete); },
       "of these, with an operation that never returns"},
      {"#UH", false, [](M m) { return with_separators(m.histories); }, "different histories, event by event"},
      {"#NL", false, [](M m) { return with_separators(m.violations); }, "of these, not linearizable"},
      {"NL/UH", false, [](M m) { return percent(m.quality()); }, "quality"},
      {"UH/S", false, [](M m) { return percent(m.progression()); }, "progression"},
      {"NL/S", false, [](M m) { return percent(m.precision()); }, "precision"},
      {"TS", true, [](M m) { return time(m.scheduling_seconds); }, "time to schedule"},
      {"ST", true, [](M m) { return time(m.stateless_seconds); }, "the same without snapshots, estimated"},
      {"TC", true, [](M m) { return time(m.checking_seconds); }, "time to check histories"},
      {"TT", true, [](M m) { return time(m.total_seconds()); }, "TS + TC"},
      {"#HF", false,
       [](M m) { return m.histories_before_first ? with_separators(*m.histories_before_first) : std::string("-"); },
       "histories before the first that is not linearizable"},
      {"TF", true, [](M m) { return m.seconds_to_first ? time(*m.seconds_to_first) : std::string("-"); },
       "time until then"},
      {"#CH", false, [](M m) { return with_separators(m.classes); }, "histories different up to commuting events"},
      {"#CNL", false, [](M m) { return with_separators(m.violating_classes); }, "of these, not linearizable"},
      {"#BL", false, [](M m) { return with_separators(m.blocked); }, "runs given up: explored before in another order"},
      {"leaves out", false, misses, "where no violation is found"},
  };
  return all;
}

// Below the table: which schedulers may miss something that their method itself would not, and why. Each reason is
// given once.
std::string reasons(std::span<const ScheduleMetrics> schedulers, const std::string& indent) {
  std::vector<std::pair<std::string, std::string>> all;  // reason, schedulers
  for (const ScheduleMetrics& m : schedulers) {
    if (m.misses_because.empty()) continue;
    const auto known = std::ranges::find(all, m.misses_because, [](const auto& one) { return one.first; });
    if (known == all.end()) {
      all.emplace_back(m.misses_because, m.scheduler);
    } else {
      known->second += ", " + m.scheduler;
    }
  }
  std::string out;
  for (const auto& [reason, who] : all) out += fmt::format("\n{}{} may miss: {}", indent, who, reason);
  return out;
}

}  // namespace

std::string schedule_table(std::span<const ScheduleMetrics> schedulers, const ScheduleTableOptions& options) {
  std::vector<std::vector<std::string>> lines{{""}};
  for (const ScheduleMetrics& m : schedulers) lines[0].push_back(m.scheduler);
  lines[0].emplace_back();
  for (const Row& row : rows()) {
    if (row.is_time && !options.times) continue;
    auto& line = lines.emplace_back();
    line.emplace_back(row.head);
    for (const ScheduleMetrics& m : schedulers) line.push_back(row.cell(m));
    line.emplace_back(row.meaning);
  }
  std::vector<std::size_t> widths(lines[0].size(), 0);
  for (const auto& line : lines) {
    for (std::size_t c = 0; c < line.size(); ++c) widths[c] = std::max(widths[c], line[c].size());
  }
  std::string out;
  for (const auto& line : lines) {
    std::string text = options.indent + fmt::format("{:<{}}", line[0], widths[0]);
    for (std::size_t c = 1; c + 1 < line.size(); ++c) text += fmt::format("  {:>{}}", line[c], widths[c]);
    text += "   " + line.back();
    text.erase(text.find_last_not_of(' ') + 1);
    out += (out.empty() ? "" : "\n") + text;
  }
  return out + reasons(schedulers, options.indent);
}

std::string schedulers_json(std::span<const ScheduleMetrics> schedulers) {
  std::string out = "[";
  for (const ScheduleMetrics& m : schedulers) {
    const auto optional = [](const auto& value, const char* format) {
      return value ? fmt::format(fmt::runtime(format), *value) : std::string("null");
    };
    out += fmt::format(
        "{}\n    {{\"name\": {}, \"may_miss\": {}, \"misses_because\": {}, \"ended\": {}, \"stopped_by\": {}, "
        "\"schedules\": {}, \"blocked\": "
        "{}, "
        "\"steps\": {}, \"incomplete_histories\": {}, \"histories\": {}, \"not_linearizable\": {}, "
        "\"histories_up_to_commuting\": {}, \"not_linearizable_up_to_commuting\": {}, \"quality\": {:.6f}, "
        "\"progression\": {:.6f}, \"precision\": {:.6f}, \"scheduling_seconds\": {:.6f}, \"stateless_seconds\": "
        "{:.6f}, "
        "\"checking_seconds\": {:.6f}, \"total_seconds\": {:.6f}, \"histories_before_first\": {}, "
        "\"seconds_to_first\": {}}}",
        out.size() > 1 ? "," : "", quoted(m.scheduler), m.may_miss, quoted_or_null(m.misses_because), m.ended,
        quoted_or_null(m.stopped_by), m.schedules, m.blocked, m.steps, m.incomplete, m.histories, m.violations,
        m.classes, m.violating_classes, m.quality(), m.progression(), m.precision(), m.scheduling_seconds,
        m.stateless_seconds, m.checking_seconds, m.total_seconds(), optional(m.histories_before_first, "{}"),
        optional(m.seconds_to_first, "{:.6f}"));
  }
  return out + "\n  ]";
}

std::vector<JsonField> SchedulersReport::fields(const RunReport& /*run*/) const {
  if (all.empty()) return {};
  return {{"schedulers", schedulers_json(all)}};
}

}  // namespace heddle::report
