// Writes repairs with their lines of source, the cycle that proves them, and the fields of the section.
#include "report/root_cause_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "report/json_text.h"
#include "report/numbers.h"
#include "report/run_json.h"
#include "report/source_lines.h"
#include "report/utf8.h"

namespace heddle::report {
namespace {

using Block = RootCauseReport::Block;
using Event = RootCauseReport::Event;
using Repair = RootCauseReport::Repair;

constexpr std::size_t few_repairs = 4;       // listed unless all are asked for
constexpr std::uint32_t around = 2;          // lines shown before and after a block
constexpr std::uint32_t longest_block = 40;  // lines of a block that are shown

std::string name_of(std::size_t conflict) {
  return conflict < 26 ? std::string(1, static_cast<char>('a' + conflict)) : std::to_string(conflict);
}

std::string where(const Repair& repair) {
  std::vector<std::string> all;
  for (const Block& block : repair.blocks) all.push_back(block.where);
  return fmt::format("{}", fmt::join(all, " and "));
}

std::string lines(const Block& block) {
  return block.first_line == block.last_line ? fmt::format("line {}", block.first_line)
                                             : fmt::format("lines {} to {}", block.first_line, block.last_line);
}

// The block in its file, marked. What all lines begin with is left out.
std::string marked(const Block& block, SourceLines& source, bool ascii) {
  std::string out =
      fmt::format("  {} ({}, {})", printable(block.function, ascii), printable(block.file, ascii), lines(block));
  std::vector<std::pair<std::uint32_t, std::string>> shown;
  std::size_t indent = std::string::npos;
  for (std::uint32_t number = block.first_line > around ? block.first_line - around : 1;
       number <= block.last_line + around; ++number) {
    std::string text;
    for (const char c : source.indented(block.file, number)) text += c == '\t' ? "    " : std::string(1, c);
    if (!text.empty()) indent = std::min(indent, text.find_first_not_of(' '));
    shown.emplace_back(number, std::move(text));
  }
  for (const auto& [number, text] : shown) {
    const bool inside = number >= block.first_line && number <= block.last_line;
    if (!inside && text.empty()) continue;
    if (inside && number - block.first_line >= longest_block && number + around < block.last_line) {
      if (number - block.first_line == longest_block) out += "\n    |   ...";
      continue;
    }
    out += fmt::format("\n    {} {:>5}  {}", inside ? "|" : " ", number,
                       printable(text.substr(std::min(indent, text.size())), ascii));
  }
  return out;
}

// "writes", "returns from push(1)"
std::string verb(const Event& event, bool ascii) {
  switch (event.kind) {
    case Event::Kind::Read:
      return "reads";
    case Event::Kind::Write:
      return "writes";
    case Event::Kind::Call:
      return "calls " + printable(event.call, ascii);
    case Event::Kind::Return:
      break;
  }
  return "returns from " + printable(event.call, ascii);
}

// The accesses on the cycle, a column for each thread, and what each conflict is.
std::string drawn(const RootCauseReport& report, SourceLines& source) {
  std::vector<std::uint32_t> threads;
  std::set<std::string> files;
  for (const auto& [event, conflicts] : report.cycle) {
    if (std::ranges::find(threads, event.thread) == threads.end()) threads.push_back(event.thread);
    if (event.is_access()) files.insert(event.file);
  }
  std::ranges::sort(threads);
  // "12", or where there are several files "list.h:12".
  const auto number = [&](const Event& event) {
    if (!event.is_access()) return std::string();
    const std::string file = event.file.substr(event.file.rfind('/') + 1);
    return files.size() > 1 ? fmt::format("{}:{}", printable(file, report.ascii), event.line)
                            : std::to_string(event.line);
  };
  std::size_t label_width = 5;
  for (const auto& [event, conflicts] : report.cycle) label_width = std::max(label_width, number(event).size());
  const auto column = [&](std::uint32_t thread) {
    return static_cast<std::size_t>(std::ranges::find(threads, thread) - threads.begin());
  };
  const int width = std::clamp((report.width - 2) / static_cast<int>(threads.size()), 30, 60);
  std::string out = "  ";
  for (const std::uint32_t thread : threads) out += fmt::format("{:<{}}", fmt::format("thread {}", thread), width);
  out.erase(out.find_last_not_of(' ') + 1);
  for (const auto& [event, conflicts] : report.cycle) {
    std::string names;
    for (const std::uint32_t conflict : conflicts) names += name_of(conflict);
    const std::string what =
        event.is_access() ? printable(source.line(event.file, event.line), report.ascii) : verb(event, report.ascii);
    out += fmt::format("\n  {}({:<2}) {:>{}}  {}",
                       std::string(column(event.thread) * static_cast<std::size_t>(width), ' '), names, number(event),
                       label_width, shorten(what, std::max(width - 9 - static_cast<int>(label_width), 16), "..."));
    out.erase(out.find_last_not_of(' ') + 1);
  }
  for (std::size_t i = 0; i < report.conflicts.size(); ++i) {
    const auto& [from, to] = report.conflicts[i];
    const auto place = [&](const Event& event) {
      return files.size() > 1 ? "at " + number(event) : "at line " + number(event);
    };
    out += fmt::format("\n  ({}) thread {} {}", name_of(i), from.thread, verb(from, report.ascii));
    if (from.is_access() && to.is_access()) {
      out += fmt::format(" {} what thread {} {} later, {}", place(from), to.thread, verb(to, report.ascii), place(to));
    } else {
      out += fmt::format(" before thread {} {}", to.thread, verb(to, report.ascii));
    }
  }
  return out;
}

std::string members(const Event& event) {
  static constexpr const char* kinds[] = {"read", "write", "call", "return"};
  return fmt::format(R"("thread": {}, "event": "{}", "call": {}, "file": {}, "line": {}, "write": {})", event.thread,
                     kinds[static_cast<std::size_t>(event.kind)], quoted(event.call),
                     event.is_access() ? quoted(event.file) : "null",
                     event.is_access() ? std::to_string(event.line) : "null", event.kind == Event::Kind::Write);
}

// What was compared.
std::string opening(const RootCauseReport& report) {
  using enum RootCauseReport::Source;
  switch (report.source) {
    case Program:
      return fmt::format(
          "The client {} has runs with results that its calls cannot have one at a time.\n"
          "{} bad and {} good executions{} were compared, which differ in the order of conflicting accesses.\n",
          report.client, report.bad, report.good,
          report.compared_clients > 1 ? fmt::format(" of {} clients", report.compared_clients) : "");
    case Trace:
      return fmt::format(
          "This run of the client {} has results that its calls cannot have one at a time.\n"
          "Its repairs are not ranked: one run has no good ones to be compared with.\n",
          report.client);
    case Files:
      return fmt::format(
          "{} bad and {} good executions were compared, which differ in the order of conflicting accesses.\n",
          report.bad, report.good);
  }
  return "";
}

}  // namespace

std::vector<JsonField> RootCauseReport::fields(const RunReport& /*run*/) const {
  std::vector<JsonField> out;
  if (!why.empty()) out.push_back({"not_explained", quoted(why)});
  if (!violation.empty()) out.push_back({"violation", quoted(violation)});
  if (!client.empty()) out.push_back({"client", quoted(client)});
  if (repairs.empty()) return out;
  out.push_back({"bad_executions", quoted(bad)});
  out.push_back({"good_executions", quoted(good)});
  std::vector<std::string> rows;
  for (const Repair& one : repairs) {
    std::vector<std::string> blocks;
    for (const Block& block : one.blocks) {
      blocks.push_back(fmt::format(R"({{"function": {}, "file": {}, "first_line": {}, "last_line": {}, "atomic": {}}})",
                                   quoted(block.function), quoted(block.file), block.first_line, block.last_line,
                                   quoted(block.where)));
    }
    rows.push_back(
        fmt::format(R"(    {{"rank": {}, "blocks": [{}], "excluded_good": {}, "statements": {}, "verified": {}, )"
                    R"("standing": {}, "why": {}}})",
                    one.rank, fmt::join(blocks, ", "), one.excluded_good, one.statements, one.standing == "verified",
                    quoted(one.standing), quoted_or_null(one.why)));
  }
  out.push_back({"repairs", fmt::format("[\n{}\n  ]", fmt::join(rows, ",\n"))});
  out.push_back({"all_repairs", all_repairs ? "true" : "false"});
  if (!also_fails.empty()) out.push_back({"also_fails", quoted(also_fails)});
  out.push_back({"verified_clients", std::to_string(clients)});
  std::vector<std::string> edges;
  for (const Conflict& one : conflicts) {
    edges.push_back(fmt::format(R"(    {{"from": {{{}}}, "to": {{{}}}}})", members(one.from), members(one.to)));
  }
  if (!cycle.empty()) {
    std::vector<std::string> places;
    for (const Place& one : cycle) {
      places.push_back(
          fmt::format(R"(    {{{}, "conflicts": [{}]}})", members(one.event), fmt::join(one.conflicts, ", ")));
    }
    out.push_back({"cycle_accesses", fmt::format("[\n{}\n  ]", fmt::join(places, ",\n"))});
  }
  out.push_back({"cycle", edges.empty() ? "[]" : fmt::format("[\n{}\n  ]", fmt::join(edges, ",\n"))});
  return out;
}

std::string RootCauseReport::text(const RunReport& run) const {
  if (!why.empty()) {
    return fmt::format("{}{}no atomic section explains it: {}{}{}", client, client.empty() ? "" : ": ", why,
                       violation.empty() ? "" : "\n  " + run.property + ": ", printable(violation, ascii));
  }
  if (repairs.empty()) return "";
  SourceLines code;
  const Repair& best = repairs.front();
  std::string out = opening(*this);
  if (cycles) out += "Runs that come back to an earlier state were left out.\n";
  out += fmt::format("\nThese lines should be atomic{}:", best.blocks.size() > 1 ? ", each block of them" : "");
  for (const Block& block : best.blocks) out += "\n" + marked(block, code, ascii);
  if (!cycle.empty()) {
    out += "\n\nThe accesses of a bad run that go round in a circle, so that no order of whole blocks explains it:\n" +
           drawn(*this, code);
  }
  out += "\n\n";
  if (best.standing == "verified") {
    out += fmt::format(
        "With it, no run of {} {}{}.", clients_text.empty() ? "the client" : clients_text,
        also_fails.empty() ? "fails" : "has such results",
        rounds > 1 ? fmt::format(" (the {} repair that was tried)", rounds == 2   ? "second"
                                                                    : rounds == 3 ? "third"
                                                                                  : std::to_string(rounds) + "th")
                   : "");
  } else {
    out +=
        source == Source::Program ? "Whether it suffices was not verified."
        : source == Source::Trace
            ? "It rules this run out. Whether others fail was not verified: heddle explain with the program does that."
            : "Whether it suffices cannot be verified: there is no program to search.";
  }
  if (!also_fails.empty()) {
    out += fmt::format(
        " Some runs end in another violation ({}), with the repair and without it: look at that with `heddle check`.",
        also_fails);
  }
  if (source != Source::Trace) out += fmt::format(" It rules out {} of the good executions.", best.excluded_good);
  const std::size_t listed = list_all ? repairs.size() : std::min(repairs.size(), few_repairs);
  for (std::size_t i = 1; i < listed; ++i) {
    const Repair& one = repairs[i];
    out += i == 1 ? "\nOthers:\n  " : "\n  ";
    if (source == Source::Trace) {
      out += where(one);  // nothing to rank it by
      continue;
    }
    out += fmt::format("rank {}: {} rules out {}{}", one.rank, where(one), counted(one.excluded_good, "good execution"),
                       one.standing == "rejected" ? "; rejected: " + printable(one.why, ascii) : "");
  }
  if (listed < repairs.size()) out += fmt::format("\n  and {} more (--all-repairs)", repairs.size() - listed);
  if (!all_repairs) out += "\nThere may be others: the list was cut at --most-repairs.";
  if (!check.empty()) out += "\nTry it yourself: " + check;
  return out;
}

ClosingWords RootCauseReport::closing_words(const RunReport& run) const {
  if (run.verdict == Verdict::Holds) {
    return {.subject = "nothing to repair",
            .remark = source == Source::Program ? "for " + clients_text
                      : source == Source::Trace ? "this run has results that its calls can have one at a time"
                                                : "the file has no bad execution",
            .files = ""};
  }
  if (!why.empty() && source != Source::Program) {
    return {.subject = fmt::format("{}: no atomic section explains it", run.property), .remark = "", .files = ""};
  }
  if (repairs.empty() || !why.empty()) return {};
  const Repair& best = repairs.front();
  std::string remark =
      best.standing == "verified" ? fmt::format("verified on {}", counted(clients, "client")) : "not verified";
  if (!run.stopped_by.empty()) remark += ": " + run.stopped_by;
  return {.subject = fmt::format("{}: {} should be atomic", run.property, where(best)), .remark = remark, .files = ""};
}

}  // namespace heddle::report
