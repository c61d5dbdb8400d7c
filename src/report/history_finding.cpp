// The fields of the section, as docs/json.md describes them.
#include "report/history_finding.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/json_text.h"

namespace heddle::report {
namespace {

std::string text(const HistoryFinding::Shown& one) {
  return fmt::format(R"(      {{"process": {}, "text": {}, "begin": {}, "end": {}, "line": {}}})", quoted(one.process),
                     quoted(one.text), one.begin, one.end ? std::to_string(*one.end) : "null",
                     one.line > 0 ? std::to_string(one.line) : "null");
}

std::string text(const HistoryFinding::Placed& one) {
  return fmt::format(R"({{"operation": {}, "object": {}}})", one.operation, one.object.empty() ? "null" : one.object);
}

template <class Elements>
std::string listed(const Elements& elements, std::string_view separator) {
  std::vector<std::string> texts;
  for (const auto& one : elements) texts.push_back(text(one));
  return fmt::format("{}", fmt::join(texts, separator));
}

}  // namespace

std::vector<JsonField> HistoryFinding::fields(const RunReport& /*run*/) const {
  if (operations.empty()) return {};
  return {{"history",
           fmt::format("{{\n    \"subject\": {}, \"spec\": {}, \"stuck\": {}, \"core\": [{}], \"core_proven\": {}, "
                       "\"left_out\": {},\n    \"sentences\": {},\n    \"order_skipped\": {}, \"order\": [{}],\n"
                       "    \"operations\": [\n{}]}}",
                       quoted(subject), quoted(specification), stuck, fmt::join(core, ", "), core_proven, left_out,
                       quoted_list(sentences), order_skipped, listed(order, ", "), listed(operations, ",\n"))}};
}

}  // namespace heddle::report
