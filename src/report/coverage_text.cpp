// The reasons why something never happened, and their three forms.
#include "report/coverage_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/json_text.h"
#include "report/numbers.h"
#include "report/run_json.h"
#include "report/utf8.h"

namespace heddle::report {
namespace {

// Says why a message was never received; empty if it was.
std::string lack_of(const Coverage::Message& m) {
  if (!m.sent) return fmt::format("sending {}{}", m.name, m.has_sender ? "" : " (no handler sends it)");
  if (m.received > 0) return {};
  if (!m.has_receiver) return fmt::format("receiving {} (no handler takes it)", m.name);
  if (!m.arrived) return fmt::format("receiving {} (every one was sent to nobody who could take it)", m.name);
  return fmt::format("receiving {}", m.name);
}

std::string option_text(const Coverage::Option& o) {
  return fmt::format("option {} of choice {} in {}", o.option, o.choice, o.transition);
}

// Names the guards that never let the handler pass; empty if it passed.
std::string guards_text(const Coverage::Transition& t) {
  constexpr std::size_t most = 3;
  if (t.accepted != 0U || t.guards.empty()) return {};
  std::string places;
  for (std::size_t i = 0; i < std::min(t.guards.size(), most); ++i) {
    places += (i == 0 ? "" : ", ") + t.guards[i].place;
  }
  if (t.guards.size() > most) places += ", ...";
  return fmt::format("{} at {}", t.guards.size() == 1 ? "guard" : "guards", places);
}

// Says why a handler never happened.
std::string reason(const Coverage::Transition& t) {
  if (t.executed > 0 || !t.tried) return t.executed > 0 ? "" : "never";
  if (*t.tried == 0) {
    const std::string guards = guards_text(t);
    if (guards.empty()) return "never: nothing that it could take";
    return fmt::format("never: no quorum that it could take; messages were rejected by the {}", guards);
  }
  if (*t.accepted == 0) {
    const std::string guards = guards_text(t);
    return "never: rejected each time" + (guards.empty() ? "" : " by the " + guards);
  }
  return "never: its sends are blocked";
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const auto have = static_cast<std::size_t>(display_width(text));
  const std::string space(width > have ? width - have : 0, ' ');
  return right ? space + text : text + space;
}

// Lays out columns as wide as their contents, numbers to the right.
std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) {
      widths[c] = std::max(widths[c], static_cast<std::size_t>(display_width(row[c])));
    }
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      line += "  " + padded(row[c], widths[c], c > 0 && c + 1 < row.size());
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += (out.empty() ? "" : "\n") + line;
  }
  return out;
}

std::string number_or_null(const std::optional<std::uint64_t>& n) { return n ? std::to_string(*n) : "null"; }

const char* truth(bool value) { return value ? "true" : "false"; }

}  // namespace

std::vector<std::string> never_happened(const Coverage& coverage, bool guards) {
  std::vector<std::string> all;
  for (const auto& t : coverage.transitions) {
    if (t.executed > 0) continue;
    const std::string why = guards ? guards_text(t) : "";
    all.push_back(why.empty() ? t.name : fmt::format("{} ({} never held)", t.name, why));
  }
  for (const auto& m : coverage.messages) {
    if (std::string text = lack_of(m); !text.empty()) all.push_back(std::move(text));
  }
  for (const auto& o : coverage.options) {
    const auto same = [&](const auto& t) { return t.name == o.transition; };
    const auto handler = std::ranges::find_if(coverage.transitions, same);
    // All options of a handler that never happened are unused, which says nothing new.
    if (!o.taken && handler != coverage.transitions.end() && handler->executed > 0) all.push_back(option_text(o));
  }
  for (const std::string& name : coverage.blind_properties) all.push_back(fmt::format("{} reading anything", name));
  return all;
}

std::string coverage_table(const Coverage& coverage, bool complete) {
  std::vector<std::vector<std::string>> rows{{"transition", "executed", "inputs", "accepted", ""}};
  for (const auto& t : coverage.transitions) {
    rows.push_back({t.name, with_separators(t.executed), t.tried ? with_separators(*t.tried) : "",
                    t.accepted ? with_separators(*t.accepted) : "", reason(t)});
  }
  std::string out = "coverage\n" + table(rows);
  if (!coverage.messages.empty()) {
    rows = {{"message", "received", ""}};
    for (const auto& m : coverage.messages) {
      const std::string lack = lack_of(m);
      rows.push_back({m.name, with_separators(m.received), lack.empty() ? "" : "never: " + lack});
    }
    out += "\n" + table(rows);
  }
  if (!coverage.options.empty()) {
    rows = {{"choice", "taken", ""}};
    for (std::size_t i = 0; i < coverage.options.size();) {
      std::size_t end = i, taken = 0;
      std::string unused;
      for (; end < coverage.options.size() && coverage.options[end].transition == coverage.options[i].transition &&
             coverage.options[end].choice == coverage.options[i].choice;
           ++end) {
        taken += coverage.options[end].taken ? 1 : 0;
        if (!coverage.options[end].taken) {
          unused += fmt::format("{}{}", unused.empty() ? "never: option " : ", ", coverage.options[end].option);
        }
      }
      rows.push_back({fmt::format("{} of {}", coverage.options[i].choice, coverage.options[i].transition),
                      fmt::format("{} of {}", taken, end - i), unused});
      i = end;
    }
    out += "\n" + table(rows);
  }
  for (const std::string& name : coverage.blind_properties)
    out += fmt::format("\n  property {} never read anything", name);
  if (!complete) out += "\n  the search is incomplete: what did not happen in it may happen all the same";
  return out;
}

std::string coverage_json(const Coverage& coverage, bool complete) {
  std::string out = "{\n    \"transitions\": [";
  const auto begin = [&](bool first) { out += first ? "\n      " : ",\n      "; };
  for (const auto& t : coverage.transitions) {
    begin(&t == &coverage.transitions.front());
    out += fmt::format("{{\"name\": {}, \"executed\": {}, \"inputs\": {}, \"accepted\": {}", quoted(t.name), t.executed,
                       number_or_null(t.tried), number_or_null(t.accepted));
    if (t.executed == 0 && !t.guards.empty()) {
      std::string guards;
      for (const auto& g : t.guards) {
        guards += fmt::format("{}{{\"place\": {}, \"rejected\": {}}}", guards.empty() ? "" : ", ", quoted(g.place),
                              g.rejected);
      }
      out += fmt::format(", \"guards\": [{}]", guards);
    }
    out += "}";
  }
  out += "],\n    \"messages\": [";
  for (const auto& m : coverage.messages) {
    begin(&m == &coverage.messages.front());
    out += fmt::format("{{\"name\": {}, \"sent\": {}, \"arrived\": {}, \"received\": {}}}", quoted(m.name),
                       truth(m.sent), truth(m.arrived), m.received);
  }
  out += "],\n    \"options\": [";
  for (const auto& o : coverage.options) {
    begin(&o == &coverage.options.front());
    out += fmt::format("{{\"transition\": {}, \"choice\": {}, \"option\": {}, \"taken\": {}}}", quoted(o.transition),
                       o.choice, o.option, truth(o.taken));
  }
  out += "],\n    \"never\": ";
  if (!complete) return out + "null\n  }";
  std::string never;
  for (const std::string& one : never_happened(coverage)) never += (never.empty() ? "" : ", ") + quoted(one);
  return out + "[" + never + "]\n  }";
}

std::vector<JsonField> CoverageReport::fields(const RunReport& run) const {
  return {{"coverage", coverage_json(coverage, run.complete)}};
}

std::string CoverageReport::text(const RunReport& run) const {
  std::string out;
  if (whole_table) out = coverage_table(coverage, run.complete);
  const std::vector<std::string> never = run.complete ? never_happened(coverage, true) : std::vector<std::string>{};
  if (!never.empty()) out += fmt::format("{}never happened: {}", out.empty() ? "" : "\n", fmt::join(never, "; "));
  return out;
}

}  // namespace heddle::report
