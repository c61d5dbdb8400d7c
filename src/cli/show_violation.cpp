// Explains one failed partition after the other. The first becomes the finding in the report.
#include "cli/show_violation.h"

#include <fmt/format.h>

#include <algorithm>

#include "explain/history_explanation.h"
#include "explain/operation_text.h"
#include "report/numbers.h"
#include "report/utf8.h"

namespace heddle::cli {

std::string part_name(const RecordedHistory& history, const PartitionResult& part) {
  std::string out = report::counted(part.operations.size(), "operation");
  if (part.operations.empty()) return out;
  const Value key = history.operations[part.operations.front()].key;
  const bool same = std::ranges::all_of(part.operations, [&](auto i) { return history.operations[i].key == key; });
  return key == no_key || !same ? out : out + " of key " + explain::value_text(history.values, key);
}

namespace {

void say_why(const RecordedHistory& history, const Specification& specification, const PartitionResult& part,
             const Output& output, Budget& budget, report::RunReport& report) {
  const report::TextOptions text = output.text_options();
  const auto explanation = explain::explain_history(history, specification, part, text.ascii, &budget);
  if (report.sections.find<report::HistoryFinding>() == nullptr) {
    report.sections.at<report::HistoryFinding>() = explanation.finding;
  }
  output.say("");
  output.show(explain::render(explanation, {text.width, text.ascii, text.color}));
  output.say("");
}

}  // namespace

void show_violation(const RecordedHistory& history, const Specification& specification, const HistoryResult& result,
                    const std::string& file, const Output& output, Budget& budget, report::RunReport& report) {
  for (const PartitionResult& part : result.failed) {
    if (part.assertion) {
      output.say(report::printable(fmt::format("{}: specification {}: {}, with the {} of this history", file,
                                               specification.name(), part.assertion->what, part_name(history, part))));
      continue;
    }
    output.say(report::printable(fmt::format("{}: {} cannot be put in any order", file, part_name(history, part))));
    try {
      say_why(history, specification, part, output, budget, report);
    } catch (const SpecificationAssertion& failed) {  // an explanation tries orders that the check did not need
      output.say(fmt::format("not explained: specification {}: {}", specification.name(), failed.failure.what));
    }
  }
}

}  // namespace heddle::cli
