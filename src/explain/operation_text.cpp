// Writes values, calls and answers, and shortens long ones.
#include "explain/operation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "report/glyphs.h"
#include "report/utf8.h"
#include "report/values.h"

namespace heddle::explain {
namespace {

bool reads_like_a_word(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0 && text != "nil" &&
         text != "true" && text != "false" && std::ranges::all_of(text, [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
         });
}

// True for an operation of a model, whose argument and result are JSON texts (check/model_history.h).
bool of_a_model(const RecordedHistory& history, const RecordedOperation& operation) {
  return history.functions[operation.function].empty();
}

// Of longer texts the beginning explains enough.
constexpr std::size_t longest_text = 2000;

// Does not cut within a character of several bytes.
std::string_view beginning(std::string_view text) {
  if (text.size() <= longest_text) return text;
  std::size_t end = longest_text;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

std::string listed(const ValueTable& values, Value list, bool ascii) {
  std::string out;
  for (const Value member : values.members(list)) {
    if (out.size() > longest_text) return out + ", " + std::string(report::glyphs(ascii).ellipsis);
    out += (out.empty() ? "" : ", ") + value_text(values, member, ascii);
  }
  return out;
}

}  // namespace

std::string value_text(const ValueTable& values, Value value, bool ascii) {
  switch (values.kind(value)) {
    case ValueTable::Kind::Nil:
      return "nil";
    case ValueTable::Kind::Text: {
      const std::string_view whole = values.as_text(value);
      std::string text = report::printable(beginning(whole), ascii);
      if (beginning(whole).size() < whole.size()) text += report::glyphs(ascii).ellipsis;
      return reads_like_a_word(text) ? text : "\"" + text + "\"";
    }
    case ValueTable::Kind::Keyword:
      return ":" + report::printable(values.as_text(value), ascii);
    case ValueTable::Kind::List:
      return "[" + listed(values, value, ascii) + "]";
    default:
      return values.json(value);
  }
}

std::string call_text(const RecordedHistory& history, const RecordedOperation& operation, bool ascii) {
  if (of_a_model(history, operation))
    return report::operation_phrase(history.values.as_text(operation.argument), ascii);
  std::string name = report::printable(history.functions[operation.function], ascii);
  const ValueTable& values = history.values;
  if (operation.argument == nil) return name;
  const bool list = values.kind(operation.argument) == ValueTable::Kind::List;
  return name + "(" +
         (list ? listed(values, operation.argument, ascii) : value_text(values, operation.argument, ascii)) + ")";
}

std::string answer_text(const RecordedHistory& history, const RecordedOperation& operation, bool ascii) {
  if (of_a_model(history, operation)) return report::operation_phrase(history.values.as_text(operation.result), ascii);
  return value_text(history.values, operation.result, ascii);
}

bool answers(const RecordedHistory& history, const RecordedOperation& operation) {
  if (operation.outcome != Outcome::Ok) return false;
  if (of_a_model(history, operation)) {
    return !report::says_nothing(history.values.as_text(operation.argument), history.values.as_text(operation.result));
  }
  // Many recorders repeat the argument, or nothing, as the answer of an operation that has none.
  return operation.argument == nil || (operation.result != operation.argument && operation.result != nil);
}

std::string operation_text(const RecordedHistory& history, const RecordedOperation& operation, bool ascii) {
  std::string text = call_text(history, operation, ascii);
  if (operation.outcome == Outcome::Unknown) return text + " ?";
  if (!answers(history, operation)) return text;
  return fmt::format("{} {} {}", text, report::glyphs(ascii).becomes, answer_text(history, operation, ascii));
}

}  // namespace heddle::explain
