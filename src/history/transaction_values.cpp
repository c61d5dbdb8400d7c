#include "history/transaction_values.h"

#include <boost/json.hpp>

#include "history/history_builder.h"
#include "history/json_values.h"
#include "history/read_history.h"

namespace heddle::history {

std::string shortened(std::string_view text) {
  constexpr std::size_t enough = 60;
  if (text.size() <= enough) return std::string(text);
  std::size_t end = enough;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "...";
}

std::string_view TransactionValues::bare(std::string_view form, std::string& storage) const {
  if (form.empty() || form[0] != '"') return bare_name(form);
  if (form.find('\\') == form.npos) return bare_name(form.substr(1, form.size() - 2));
  storage = text_of(form);
  return bare_name(storage);
}

// The content of a string. JSON has an escape that EDN does not know, and the other way round.
std::string TransactionValues::text_of(std::string_view form) const {
  if (!json_) return EdnScanner(source_, form).string();
  boost::json::error_code error;
  const boost::json::value value = boost::json::parse(form, error);
  if (error || !value.is_string())
    source_.fail(form.data(), "malformed JSON: a string that cannot be read; correct it");
  return std::string(value.as_string());
}

Datum TransactionValues::other_datum(EdnScanner& scanner) const {
  if (scanner.peek() == '"' && json_) {
    const std::string_view string = scanner.skip_form();
    return history_.datum(json_text(text_of(string), history_.values()));
  }
  const Value value = scanner.value(history_.values());
  if (history_.values().kind(value) == ValueTable::Kind::Integer)
    return history_.integer(history_.values().as_integer(value));
  return history_.datum(value);
}

bool TransactionValues::is_nil(EdnScanner& scanner) const {
  if (scanner.peek() != 'n') return false;
  EdnScanner ahead = scanner;
  const std::string_view word = ahead.token();
  if (word != (json_ ? "null" : "nil")) return false;
  scanner.advance();
  for (std::size_t i = 1; i < word.size(); ++i) scanner.advance();
  return true;
}

void TransactionValues::check_budget() const {
  if (budget_ != nullptr && !budget_->check(history_.bytes())) throw ReadingStopped(budget_->reason());
}

}  // namespace heddle::history
