// Puts the parts of the line together in one order for all commands; sections add words.
#include "report/closing_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "report/numbers.h"
#include "report/utf8.h"

namespace heddle::report {
namespace {

class Line {
 public:
  explicit Line(std::string_view verdict) : out_(fmt::format("{}: ", verdict)) {}
  // Starts a new part, after a semicolon.
  void part(const std::string& text) {
    if (text.empty()) return;
    out_ += (parts_++ > 0 ? "; " : "") + text;
  }
  const std::string& text() const { return out_; }

 private:
  std::string out_;
  int parts_ = 0;
};

// A state without a step is a deadlock if the model, or --deadlock, says that there should be none; otherwise it is a
// final state.
std::string final_states(const RunReport& report) {
  const auto stated = [](const PropertyReport& one) { return one.kind == Property::Kind::DeadlockFree; };
  const auto one = std::find_if(report.properties.begin(), report.properties.end(), stated);
  const bool wrong =
      one != report.properties.end() && (one->result == Verdict::Violated || report.counters.deadlocks == 0);
  return counted(report.counters.deadlocks, wrong ? "deadlock" : "final state");
}

std::string counts(const RunReport& report) {
  const Counters& counters = report.counters;
  std::string out = counters.nodes > 0 ? counted(counters.nodes, "node") : counted(counters.states, "state");
  // An audit looks at every state, in an order that has no depth.
  if (report.command != "audit") {
    out += ", " + counted(counters.transitions, "transition");
    if (counters.walks > 0) out = counted(counters.walks, "walk") + ", " + out;
    out += fmt::format(", {}, depth {}", final_states(report), with_separators(counters.depth));
  }
  if (report.complete) out += ", complete";
  return out;
}

// Returns "reduced by partial order (41 % of the steps left out) and symmetry". A partial order reduction that left out
// next to nothing is not mentioned, unless it was chosen among others.
std::string reductions(const RunReport& report) {
  const std::uint64_t all = report.counters.transitions + report.counters.left_out;
  std::vector<std::string> words;
  for (const std::string& one : report.reductions) {
    constexpr std::string_view of_steps[] = {"partial order", "safe sets", "thread futures", "lazy source sets",
                                             "eager source sets"};
    if (std::ranges::find(of_steps, one) == std::end(of_steps) || all == 0) {
      words.push_back(one);
    } else {
      const double left_out = 100.0 * static_cast<double>(report.counters.left_out) / static_cast<double>(all);
      std::string more = left_out >= 1 ? fmt::format("{:.0f} % of the steps left out", left_out) : "";
      if (!report.chosen.empty()) more += (more.empty() ? "" : "; ") + report.chosen;
      if (!more.empty()) words.push_back(fmt::format("{} ({})", one, more));
    }
  }
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    out += (i == 0 ? "reduced by " : i + 1 == words.size() ? " and " : ", ") + words[i];
  }
  return out;
}

// Returns "agreement at depth 9", and what else was violated.
std::string finding(const RunReport& report) {
  std::string out = report.property.empty() ? "a property" : report.property;
  const bool reachability = std::any_of(
      report.properties.begin(), report.properties.end(),
      [&](const PropertyReport& one) { return one.name == report.property && one.kind == Property::Kind::Sometimes; });
  const bool has_length = report.trace_steps > 0 || !report.trace_file.empty();
  if (reachability) {
    out += " is never reached";
  } else if (has_length) {
    out += fmt::format(" at depth {}", with_separators(report.trace_steps));
  }
  std::string others;
  for (const PropertyReport& other : report.properties) {
    if (other.result == Verdict::Violated && other.name != report.property) {
      others += (others.empty() ? "also " : ", ") + other.name;
    }
  }
  return others.empty() ? out : fmt::format("{} ({})", out, others);
}

// Adds what the search has not looked at: the reason for an unknown.
void add_uncovered(Line& line, const Counters& counters) {
  if (counters.queue > 0) line.part(counted(counters.queue, "state") + " still queued");
  if (counters.cut_off > 0) line.part(counted(counters.cut_off, "state") + " not continued (depth limit or bound)");
}

std::string cost(const RunReport& report) {
  std::string out = seconds_text(report.seconds);
  if (report.peak_bytes > 0) out += ", " + bytes_text(static_cast<double>(report.peak_bytes));
  if (report.counters.states > 0 && report.counters.store_bytes > 0) {
    const double bytes = report.start_bytes > 0 ? all_bytes_per_state(report) : bytes_per_state(report);
    out += bytes < 1000 ? fmt::format(" ({:.1f} B/state)", bytes)
                        : fmt::format(" ({} B/state)", with_separators(static_cast<std::uint64_t>(bytes)));
  }
  return out;
}

// Adds what the verdict of a search rests on.
void add_search(Line& line, const RunReport& report) {
  switch (report.verdict) {
    case Verdict::Holds:
      line.part(counts(report));
      if (!report.complete) add_uncovered(line, report.counters);
      break;
    case Verdict::Violated:
      line.part(finding(report));
      line.part(counts(report));
      break;
    case Verdict::Unknown:
      line.part(report.stopped_by.empty() ? "the search is incomplete" : report.stopped_by);
      if (report.cut_short) {
        line.part(nothing_known(report) ? "no violation was found before, in how many states is not known"
                                        : "no violation in at least " + counts(report));
        break;
      }
      line.part("no violation in " + counts(report));
      add_uncovered(line, report.counters);
      break;
    case Verdict::Error:
      line.part(first_line(report.error));
      if (report.counters.states + report.counters.nodes > 0 && !report.cut_short) line.part(counts(report));
      return;
  }
  line.part(reductions(report));
  if (report.counts_vary) line.part("counts vary from run to run with several threads");
}

}  // namespace

std::string closing_line(const RunReport& report) {
  std::vector<ClosingWords> sections;
  for (const auto& section : report.sections) sections.push_back(section->closing_words(report));
  const auto subject = std::ranges::find_if(sections, [](const ClosingWords& one) { return !one.subject.empty(); });

  Line line(name(report.verdict));
  if (subject != sections.end()) {
    line.part(subject->subject);
  } else {
    add_search(line, report);
  }
  for (const ClosingWords& one : sections) line.part(one.remark);
  line.part(report.note);
  if (report.verdict != Verdict::Error || report.counters.states > 0) line.part(cost(report));
  if (!report.trace_file.empty()) line.part("trace in " + report.trace_file);
  for (const ClosingWords& one : sections) line.part(one.files);
  return printable(line.text());
}

}  // namespace heddle::report
