// The fields and the lines of the section; a run without any call says so.
#include "report/refinement_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/json_text.h"

namespace heddle::report {
namespace {

// A run that says nothing about the object must not look like one that does; empty if it says something.
std::string vacuity(const RefinementReport& r) {
  const auto none = [&](const char* key) { return !r.counts.contains(key) || r.counts.at(key) == 0; };
  std::uint64_t all = 0;
  for (const auto& [kind, count] : r.counts) all += count;
  if (all == 0) return fmt::format("warning: no step made a call on {}; the annotation says nothing", r.object);
  if (!none("adds") && none("commits")) {
    return fmt::format("warning: {} never commits; nothing was decided in what was explored", r.object);
  }
  return "";
}

}  // namespace

std::vector<JsonField> RefinementReport::fields(const RunReport& /*run*/) const {
  std::string all;
  for (const auto& [kind, count] : counts) {
    all += fmt::format("{}{}: {}", all.empty() ? "" : ", ", quoted(kind), count);
  }
  return {{"refinement", fmt::format("{{\n    \"object\": {}, \"spec\": {}, \"lp\": {}, \"verdict\": \"{}\",\n"
                                     "    \"clause\": {}, \"property\": {}, \"call\": {},\n    \"witness\": {},\n"
                                     "    \"class\": {}, \"advice\": {},\n    \"notes\": {},\n    \"quorums\": {},\n"
                                     "    \"counts\": {{{}}}\n  }}",
                                     quoted(object), quoted(specification), quoted(points), name(verdict),
                                     quoted_or_null(clause), quoted_or_null(property), quoted_or_null(call),
                                     quoted_or_null(witness), quoted_or_null(classification), quoted_or_null(advice),
                                     quoted_list(notes), quoted_list(quorums), all)}};
}

std::string RefinementReport::text(const RunReport& /*run*/) const {
  if (points == "recorded") return "";
  std::vector<std::string> lines;
  if (!classification.empty()) lines.push_back(fmt::format("{}: {}", classification, advice));
  for (const std::string& note : notes) lines.push_back("also: " + note);
  if (verdict != Verdict::Violated) {
    if (std::string warning = vacuity(*this); !warning.empty()) lines.push_back(std::move(warning));
  }
  std::string all;
  for (const auto& [kind, count] : counts) all += fmt::format("{}{} {}", all.empty() ? "" : ", ", count, kind);
  if (!all.empty()) lines.push_back(fmt::format("different calls on {}: {}", object, all));
  for (const std::string& sentence : quorums) lines.push_back("quorums: " + sentence);
  return fmt::format("{}", fmt::join(lines, "\n"));
}

}  // namespace heddle::report
