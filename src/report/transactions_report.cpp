// The table of levels, and the fields and words of the section.
#include "report/transactions_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/json_text.h"
#include "report/numbers.h"
#include "report/run_json.h"

namespace heddle::report {
namespace {

// The strongest isolation that holds among those with this order.
const TransactionsReport::LevelRow* strongest(const TransactionsReport& report, std::string_view respects) {
  const TransactionsReport::LevelRow* out = nullptr;
  for (const auto& row : report.levels) {
    if (row.respects == respects && row.asked && row.verdict == Verdict::Holds) out = &row;
  }
  return out;
}

std::string cell(const TransactionsReport::LevelRow& row) {
  if (!row.asked) return "";
  if (row.verdict == Verdict::Violated) {
    // The column says as much as the ending.
    std::string_view anomaly = row.anomaly;
    for (const std::string_view ending : {"-process", "-realtime"}) {
      if (anomaly.ends_with(ending)) anomaly.remove_suffix(ending.size());
    }
    return std::string(anomaly);
  }
  return std::string(name(row.verdict));
}

template <class All, class Text>
std::string json_list(const All& all, const Text& text) {
  std::string out = "[";
  for (const auto& one : all) out += (out.size() > 1 ? ",\n    " : "\n    ") + text(one);
  return out + (out.size() > 1 ? "\n  ]" : "]");
}

std::string json(const TransactionsReport::Edge& e) {
  return fmt::format(R"({{"from": {}, "to": {}, "kind": {}, "assumed": {}, "reason": {}}})", quoted(e.from),
                     quoted(e.to), quoted(e.kind), e.assumed, quoted(e.reason));
}

std::string json(const TransactionsReport::Transaction& t) {
  return fmt::format(R"({{"name": {}, "process": {}, "outcome": {}, "invoked_line": {}, )"
                     R"("returned_line": {}, "text": {}}})",
                     quoted(t.name), quoted_or_null(t.process), quoted(t.outcome), t.invoked_line, t.returned_line,
                     quoted(t.text));
}

// What is the same for the level that was asked for and for all of them.
std::vector<JsonField> json_fields(const TransactionsReport::Explanation& e) {
  return {{"anomaly", quoted_or_null(e.anomaly)},
          {"finding", quoted_or_null(e.finding)},
          {"shown", json_list(e.transactions, [](const auto& one) { return json(one); })},
          {"edges", json_list(e.edges, [](const auto& one) { return json(one); })},
          {"inferred", json_list(e.inferred, [](const TransactionsReport::Inferred& one) {
             return fmt::format(R"({{"order": {}, "edges": {}}})", quoted(one.order),
                                json_list(one.edges, [](const auto& edge) { return json(edge); }));
           })}};
}

std::string json(const TransactionsReport::Explanation& e) {
  std::string out = "{\"levels\": [";
  for (const std::string& level : e.levels) out += (out.back() == '[' ? "" : ", ") + quoted(level);
  out += "]";
  for (const JsonField& field : json_fields(e)) out += ", " + quoted(field.key) + ": " + field.json;
  return out + "}";
}

std::string json(const TransactionsReport::Order& order) {
  std::string out = fmt::format(R"({{"level": {}, "events": [)", quoted(order.level));
  for (const auto& event : order.events) {
    out += fmt::format(R"({}{{"line": {}, "event": "{}"}})", out.back() == '[' ? "" : ", ", event.line, event.kind);
  }
  return out + "]}";
}

}  // namespace

std::vector<JsonField> TransactionsReport::fields(const RunReport& /*run*/) const {
  std::vector<const LevelRow*> rows;
  for (const LevelRow& row : levels) {
    if (row.asked) rows.push_back(&row);
  }
  std::vector<JsonField> out = {
      {"level", quoted(level)},
      {"workload", quoted_or_null(workload)},
      {"format", quoted_or_null(format)},
      {"warning", quoted_or_null(warning)},
      {"transactions", fmt::format(R"({{"ok": {}, "failed": {}, "unknown": {}}})", ok, failed, unknown)},
      {"processes", std::to_string(processes)},
      {"keys", std::to_string(keys)},
      {"open_keys", std::to_string(open_keys)},
      {"real_time", real_time ? "true" : "false"},
      {"levels", json_list(rows,
                           [](const LevelRow* row) {
                             return fmt::format(
                                 R"({{"name": {}, "verdict": {}, "anomaly": {}, "certificate": {}, "stopped_by": {}}})",
                                 quoted(row->name), quoted(name(row->verdict)), quoted_or_null(row->anomaly),
                                 quoted_or_null(row->certificate), quoted_or_null(row->stopped_by));
                           })},
      {"writes_follow_reads", writes_follow_reads ? "true" : "false"},
      {"witness", quoted_or_null(witness)},
      {"witness_transactions", std::to_string(witness_transactions)},
      {"dot", quoted_or_null(dot)},
      {"reading_seconds", fmt::format("{:.6f}", reading_seconds)},
      {"checking_seconds", fmt::format("{:.6f}", checking_seconds)},
  };
  // After the counts, before the levels.
  const auto levels_at = std::ranges::find(out, "levels", &JsonField::key);
  std::vector<JsonField> found = json_fields(asked);
  const auto shown = found.begin() + 2;
  out.insert(levels_at + 1, shown, found.end());
  out.insert(std::ranges::find(out, "levels", &JsonField::key), found.begin(), shown);
  if (explains) {
    out.push_back({"explanations", json_list(explanations, [](const Explanation& one) { return json(one); })});
    out.push_back({"orders", json_list(orders, [](const Order& one) { return json(one); })});
  }
  return out;
}

// A row for each isolation, a column for each order that it may have to respect.
std::string TransactionsReport::text(const RunReport& /*run*/) const {
  if (!show_table || levels.empty()) return "";
  const std::vector<std::string> columns = {"", "session", "strict"};
  std::vector<std::vector<std::string>> cells = {{"level", "by itself", "per session", "real time"}};
  for (auto row = levels.rbegin(); row != levels.rend(); ++row) {
    if (!row->respects.empty()) continue;
    std::vector<std::string>& line = cells.emplace_back();
    line.push_back(row->isolation);
    for (const std::string& column : columns) {
      const auto at = std::ranges::find_if(
          levels, [&](const LevelRow& one) { return one.respects == column && one.isolation == row->isolation; });
      line.push_back(at == levels.end() ? "" : cell(*at));
    }
  }
  std::vector<std::size_t> widths(4, 0);
  for (const auto& line : cells) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  std::string out;
  // Three long names fit into 80 columns with one space between them.
  const bool wide = widths[0] + widths[1] + widths[2] + widths[3] + 6 > 80;
  for (const auto& line : cells) {
    std::string row;
    for (std::size_t i = 0; i < line.size(); ++i) row += fmt::format("{:<{}}{}", line[i], widths[i], wide ? " " : "  ");
    row.erase(row.find_last_not_of(' ') + 1);
    out += (out.empty() ? "" : "\n") + row;
  }
  return out;
}

ClosingWords TransactionsReport::closing_words(const RunReport& run) const {
  const std::uint64_t all = ok + failed + unknown;
  ClosingWords words;
  std::string& out = words.subject;
  const std::string question = level + (writes_follow_reads ? " if writes follow reads" : "");
  switch (run.verdict) {
    case Verdict::Holds:
      out = fmt::format("{}, {}, in an order that was replayed", counted(all, "transaction"), question);
      break;
    case Verdict::Violated:
      out = fmt::format("{}: not {}: {}", file, question, asked.finding);
      break;
    case Verdict::Unknown:
      out = run.stopped_by.empty() ? "the check is incomplete" : run.stopped_by;
      if (all > 0) out += fmt::format("; no violation of {} in {}", question, counted(all, "transaction"));
      break;
    case Verdict::Error:
      out = first_line(run.error);
      return words;
  }
  if (show_table) {
    const LevelRow* best = nullptr;
    for (const std::string_view respects : {"strict", "session", ""}) {
      const LevelRow* one = strongest(*this, respects);
      if (one != nullptr && (best == nullptr || one->isolation != best->isolation)) {
        words.remark += (best == nullptr ? "has " : ", ") + one->name;
        best = one;
      }
    }
    const bool has_none =
        std::ranges::all_of(levels, [](const LevelRow& row) { return row.verdict == Verdict::Violated; });
    if (has_none) words.remark = "has none of the levels";
  }
  if (!witness.empty()) words.files = fmt::format("{} in {}", counted(witness_transactions, "transaction"), witness);
  if (!dot.empty()) words.files += (words.files.empty() ? "" : "; ") + ("graph in " + dot);
  return words;
}

}  // namespace heddle::report
