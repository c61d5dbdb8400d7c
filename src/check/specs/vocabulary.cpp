// Finds the kind of an operation by its name, and words the errors that several specifications share.
#include "check/specs/vocabulary.h"

namespace heddle::specs {

std::uint8_t Vocabulary::kind(std::string_view function) const {
  for (const Word& word : words_) {
    if (word.name == function) return word.kind;
  }
  return no_kind;
}

std::vector<std::uint8_t> Vocabulary::kinds(const RecordedHistory& history) const {
  std::vector<std::uint8_t> result;
  result.reserve(history.functions.size());
  for (const std::string& function : history.functions) result.push_back(kind(function));
  return result;
}

std::string Vocabulary::no_such_operation(std::string_view specification, std::string_view function) const {
  std::string text = "a " + std::string(specification) + " has no operation '" + std::string(function) + "'; it has";
  std::uint8_t last = no_kind;
  for (const Word& word : words_) {
    if (word.kind == last) continue;
    text += (last == no_kind ? " " : ", ") + std::string(word.name);
    last = word.kind;
  }
  return text;
}

std::optional<std::pair<Value, Value>> pair_of(const ValueTable& values, Value argument) {
  if (values.kind(argument) != ValueTable::Kind::List) return std::nullopt;
  const std::vector<Value> members = values.members(argument);
  if (members.size() != 2) return std::nullopt;
  return std::pair(members[0], members[1]);
}

Answer success(const ValueTable& values, const RecordedOperation& operation) {
  if (values.kind(operation.result) == ValueTable::Kind::Boolean) {
    return values.as_boolean(operation.result) ? Answer::Yes : Answer::No;
  }
  return operation.result == nil || operation.result == operation.argument ? Answer::Yes : Answer::Invalid;
}

namespace {
std::string bad(const RecordedHistory& history, const RecordedOperation& operation, std::string_view what, Value value,
                std::string_view expected) {
  return history.functions[operation.function] + " has the " + std::string(what) + " " + history.values.json(value) +
         "; expected " + std::string(expected);
}
}  // namespace

std::string bad_argument(const RecordedHistory& history, const RecordedOperation& operation,
                         std::string_view expected) {
  return bad(history, operation, "argument", operation.argument, expected);
}

std::string bad_result(const RecordedHistory& history, const RecordedOperation& operation, std::string_view expected) {
  return bad(history, operation, "result", operation.result, expected);
}

std::optional<std::string> reject_false(const RecordedHistory& history, const RecordedOperation& operation) {
  if (operation.outcome != Outcome::Ok || operation.result == operation.argument ||
      success(history.values, operation) != Answer::No) {
    return std::nullopt;
  }
  return bad_result(history, operation, "nothing or true; an operation that had no effect is recorded as failed");
}

std::string list_json(const ValueTable& values, std::span<const Value> members) {
  std::string text;
  for (const Value member : members) text += (text.empty() ? "" : ",") + values.json(member);
  return "[" + text + "]";
}

}  // namespace heddle::specs
