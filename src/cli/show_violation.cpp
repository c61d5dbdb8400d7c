#include "cli/show_violation.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "history/edn.h"
#include "report/numbers.h"
#include "report/utf8.h"

namespace heddle::cli {
namespace {

constexpr std::size_t most_operations = 40;  // shown of a partition

std::string text_of(const RecordedHistory& history, Value value) {
  std::string out;
  history::write_edn_value(history.values, value, out);
  return out;
}

// "line 12: process 3 read -> 4, returned in line 15".
std::string describe(const RecordedHistory& history, std::uint32_t index) {
  const RecordedOperation& o = history.operations[index];
  std::string out = fmt::format("process {} {}", history.processes[o.process], history.functions[o.function]);
  if (o.argument != nil) out += " " + text_of(history, o.argument);
  switch (o.outcome) {
    case Outcome::Ok:
      if (o.result != o.argument || o.argument == nil) out += " -> " + text_of(history, o.result);
      break;
    case Outcome::Failed:
      out += ", failed";
      break;
    case Outcome::Unknown:
      out += ", outcome unknown";
  }
  if (o.invoked_line > 0) {
    out += o.returned_line > 0 && o.returned != never
               ? fmt::format("  (lines {} to {})", o.invoked_line, o.returned_line)
               : fmt::format("  (line {})", o.invoked_line);
  }
  return report::printable(out);
}

void list(const RecordedHistory& history, std::span<const std::uint32_t> operations, const Output& output) {
  // Of many, the last are the ones that matter: up to there it worked.
  const std::size_t left_out = operations.size() - std::min(operations.size(), most_operations);
  if (left_out > 0) output.say(fmt::format("    ... {} before", report::counted(left_out, "operation")));
  for (const std::uint32_t index : operations.subspan(left_out)) output.say("    " + describe(history, index));
}

void show_part(const RecordedHistory& history, const PartitionResult& part, const std::string& file,
               const Output& output) {
  output.say(report::printable(fmt::format("{}: {} cannot be put in any order:", file, part_name(history, part))));
  if (!part.reason.empty()) output.say(report::printable("  " + part.reason));
  if (!part.culprits.empty()) list(history, part.culprits, output);
  if (part.stuck != never) {
    output.say("  this operation does not fit, whatever comes before it:");
    output.say("    " + describe(history, part.stuck));
  }
  if (!part.longest.empty() && !part.longest.front().empty()) {
    output.say(fmt::format("  without it, an order that works, of {}:",
                           report::counted(part.longest.front().size(), "operation")));
    list(history, part.longest.front(), output);
  }
}

}  // namespace

std::string part_name(const RecordedHistory& history, const PartitionResult& part) {
  std::string out = report::counted(part.operations.size(), "operation");
  if (part.operations.empty()) return out;
  const Value key = history.operations[part.operations.front()].key;
  const bool same = std::ranges::all_of(part.operations, [&](auto i) { return history.operations[i].key == key; });
  return key == no_key || !same ? out : out + " of key " + text_of(history, key);
}

void show_violation(const RecordedHistory& history, const Specification&, const HistoryResult& result,
                    const std::string& file, const Output& output) {
  for (const PartitionResult& part : result.failed) show_part(history, part, file, output);
}

}  // namespace heddle::cli
