#include "report/root_cause_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "report/json_text.h"
#include "report/numbers.h"
#include "report/run_json.h"
#include "report/source_lines.h"
#include "report/utf8.h"

namespace heddle::report {
namespace {

using Block = RootCauseReport::Block;
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

std::string access_verb(bool writes) { return writes ? "writes" : "reads"; }

// The accesses on the cycle, a column for each thread, and what each conflict is.
std::string drawn(const RootCauseReport& report, SourceLines& source) {
  std::vector<std::uint32_t> threads;
  for (const auto& access : report.cycle) {
    if (std::ranges::find(threads, access.thread) == threads.end()) threads.push_back(access.thread);
  }
  std::ranges::sort(threads);
  const auto column = [&](std::uint32_t thread) {
    return static_cast<std::size_t>(std::ranges::find(threads, thread) - threads.begin());
  };
  const int width = std::clamp((report.width - 2) / static_cast<int>(threads.size()), 30, 60);
  std::string out = "  ";
  for (const std::uint32_t thread : threads) out += fmt::format("{:<{}}", fmt::format("thread {}", thread), width);
  out.erase(out.find_last_not_of(' ') + 1);
  for (const auto& access : report.cycle) {
    std::string names;
    for (const std::uint32_t conflict : access.conflicts) names += name_of(conflict);
    const std::string line = printable(source.line(report.file, access.line), report.ascii);
    out += fmt::format("\n  {}({:<2}) {:>5}  {}",
                       std::string(column(access.thread) * static_cast<std::size_t>(width), ' '), names, access.line,
                       shorten(line, width - 14, "..."));
  }
  for (std::size_t i = 0; i < report.conflicts.size(); ++i) {
    const auto& one = report.conflicts[i];
    out += fmt::format("\n  ({}) thread {} {} at line {} what thread {} {} later, at line {}", name_of(i),
                       one.from_thread, access_verb(one.from_writes), one.from_line, one.to_thread,
                       access_verb(one.to_writes), one.to_line);
  }
  return out;
}

// What was compared.
std::string opening(const RootCauseReport& report) {
  using enum RootCauseReport::Source;
  switch (report.source) {
    case Program:
      return fmt::format(
          "The client {} has runs with results that its calls cannot have one at a time.\n"
          "{} bad and {} good executions were compared, which differ in the order of conflicting accesses.\n",
          report.client, report.bad, report.good);
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
    rows.push_back(fmt::format(
        R"(    {{"rank": {}, "blocks": [{}], "excluded_good": {}, "statements": {}, "verified": {}, "standing": {}, "why": {}}})",
        one.rank, fmt::join(blocks, ", "), one.excluded_good, one.statements, one.standing == "verified",
        quoted(one.standing), quoted_or_null(one.why)));
  }
  out.push_back({"repairs", fmt::format("[\n{}\n  ]", fmt::join(rows, ",\n"))});
  out.push_back({"all_repairs", all_repairs ? "true" : "false"});
  if (!also_fails.empty()) out.push_back({"also_fails", quoted(also_fails)});
  out.push_back({"verified_clients", std::to_string(clients)});
  std::vector<std::string> edges;
  for (const Conflict& one : conflicts) {
    edges.push_back(fmt::format(
        R"(    {{"from": {{"thread": {}, "line": {}, "write": {}}}, "to": {{"thread": {}, "line": {}, "write": {}}}}})",
        one.from_thread, one.from_line, one.from_writes, one.to_thread, one.to_line, one.to_writes));
  }
  if (!cycle.empty()) {
    std::vector<std::string> accesses;
    for (const Access& one : cycle) {
      accesses.push_back(fmt::format(R"(    {{"thread": {}, "call": {}, "file": {}, "line": {}, "conflicts": [{}]}})",
                                     one.thread, quoted(one.call), quoted(file), one.line,
                                     fmt::join(one.conflicts, ", ")));
    }
    out.push_back({"cycle_accesses", fmt::format("[\n{}\n  ]", fmt::join(accesses, ",\n"))});
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
  if (run.verdict == Verdict::Holds)
    return {.subject = "nothing to repair",
            .remark = source == Source::Program ? "for " + clients_text
                      : source == Source::Trace ? "this run has results that its calls can have one at a time"
                                                : "the file has no bad execution",
            .files = ""};
  if (repairs.empty() || !why.empty()) return {};
  const Repair& best = repairs.front();
  std::string remark =
      best.standing == "verified" ? fmt::format("verified on {}", counted(clients, "client")) : "not verified";
  return {.subject = fmt::format("{}: {} should be atomic", run.property, where(best)), .remark = remark, .files = ""};
}

}  // namespace heddle::report
