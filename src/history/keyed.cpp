// Looks whether all values are pairs, and takes the pairs apart.
#include "history/keyed.h"

#include <fmt/format.h>

#include <vector>

#include "history/history_builder.h"

namespace heddle::history {
namespace {

using Kind = ValueTable::Kind;

const char* start_of_line(const SourceText& source, std::uint32_t line) {
  const std::string_view text = source.text();
  std::size_t at = 0;
  for (std::uint32_t i = 1; i < line && at < text.size(); ++i) at = std::min(text.find('\n', at), text.size() - 1) + 1;
  return text.data() + at;
}

}  // namespace

bool looks_keyed(const RecordedHistory& history) {
  bool certain = false;
  for (const RecordedOperation& operation : history.operations) {
    if (operation.key != no_key || history.values.kind(operation.argument) != Kind::List) return false;
    const std::vector<Value> pair = history.values.members(operation.argument);
    if (pair.size() != 2) return false;
    if (history.values.kind(pair[0]) == Kind::List) return false;  // the first member may be a value, not a key
    const Kind second = history.values.kind(pair[1]);
    const bool is_cas = is_compare_and_set(history.functions[operation.function]);
    if (is_cas && second != Kind::List) return false;
    certain = certain || is_cas || second == Kind::Nil;
  }
  return certain;
}

void split_keys(RecordedHistory& history, const SourceText& source) {
  for (RecordedOperation& operation : history.operations) {
    if (operation.key != no_key) continue;
    const bool is_list = history.values.kind(operation.argument) == Kind::List;
    const std::vector<Value> argument = is_list ? history.values.members(operation.argument) : std::vector<Value>();
    if (argument.size() != 2) {
      source.fail(
          start_of_line(source, operation.invoked_line),
          fmt::format("the value of this {} is no pair [key value]; the history is not keyed, leave --keyed out",
                      history.functions[operation.function]));
    }
    operation.key = argument[0];
    operation.argument = argument[1];
    if (operation.outcome != Outcome::Ok || history.values.kind(operation.result) != Kind::List) continue;
    const std::vector<Value> result = history.values.members(operation.result);
    if (result.size() == 2 && result[0] == operation.key) operation.result = result[1];
  }
}

}  // namespace heddle::history
