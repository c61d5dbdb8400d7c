// Keys and values of recorded transactions, as their forms say it: what is the same for every workload.
//
// Most of a history is small integers in lists. They are read without the general reader of values.
// Not thread-safe.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "check/transactions/transaction_history.h"
#include "core/budget.h"
#include "history/edn_scanner.h"

namespace heddle::history {

// As much of a text as belongs into a message.
std::string shortened(std::string_view text);

class TransactionValues {
 public:
  // All outlive this object; `budget` may be null.
  TransactionValues(const SourceText& source, bool json, TransactionHistory& history, Budget* budget)
      : source_(source), json_(json), history_(history), budget_(budget) {}

  // The name that a keyword, a symbol or a string is; `storage` holds it if it had escapes.
  std::string_view bare(std::string_view form, std::string& storage) const;
  // Reads a key or a value. `form` is what the scanner reads.
  Datum datum(EdnScanner& scanner, std::string_view form) const {
    const char* at = scanner.at();
    const char* end = form.data() + form.size();
    if (is_digit(*at) || (*at == '-' && at + 1 < end && is_digit(at[1]))) {
      const char* digit = at;
      std::int64_t number = 0;
      const bool negative = *digit == '-';
      digit += negative ? 1 : 0;
      const char* limit = std::min(end, digit + 17);
      for (; digit < limit && is_digit(*digit); ++digit) number = number * 10 + (*digit - '0');
      if (digit == end || *digit == ' ' || *digit == ']' || *digit == ',' || *digit == ')' || *digit == '\n') {
        scanner.skip_to(digit);
        return history_.integer(negative ? -number : number);
      }
    }
    return other_datum(scanner);
  }
  // Consumes nil (EDN) or null (JSON) if it is there.
  bool is_nil(EdnScanner& scanner) const;
  // Throws ReadingStopped if the budget has run out.
  void check_budget() const;

 private:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  Datum other_datum(EdnScanner& scanner) const;
  std::string text_of(std::string_view form) const;

 protected:
  const SourceText& source_;
  const bool json_;
  TransactionHistory& history_;

 private:
  Budget* const budget_;
};

}  // namespace heddle::history
