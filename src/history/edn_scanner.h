// Reads EDN, the notation of Clojure's data, in place.
//
//   nil true -7 2.5 "text" :keyword [1 2] (1 2) #{1 2} {:a 1} #inst "2026-01-01" ; comment   #_ discarded
//
// A form can be skipped, which only checks that it is closed, or turned into a Value. A reader is fast because it skips
// first and interns only what is needed: most of a line is of no interest. Recursion is limited, and only what is
// interned is copied, so a file of one long line is not a problem.
//
// Values: a map is a list of pairs and a set is a list, both in an order that does not depend on how they were written.
// Tags are left out. Symbols and characters are text. A number that is not an integer is the text of its shortest
// spelling, unless its fraction is zero. An integer beyond 64 bits is an error, not a rounded number.
// Not thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "check/recorded_history.h"
#include "history/source_text.h"

namespace heddle::history {

// How deep a Value may be nested; a map counts as two levels, itself and its pairs. The limit is below the limits of
// forms and of JSON, so that whatever was read can be written and read again with a map around it.
inline constexpr std::size_t value_depth_limit = 100;

// True if `:name` is one token of EDN.
bool is_keyword_name(std::string_view name);

class EdnScanner {
 public:
  static constexpr std::size_t depth_limit = 128;  // of forms

  // REQUIRES: `text` is a part of the source.
  EdnScanner(const SourceText& source, std::string_view text)
      : source_(source), at_(text.data()), end_(text.data() + text.size()) {}

  const char* at() const { return at_; }
  // Skips white space, commas, comments and discarded forms. Returns false at the end.
  bool skip_space();
  // The character here. REQUIRES: skip_space() returned true.
  char peek() const { return *at_; }
  void advance() { ++at_; }
  // Goes on at `at`. REQUIRES: it lies between at() and the end, outside of strings and comments.
  void skip_to(const char* at) { at_ = at; }
  // Skips a form and returns its text. REQUIRES: skip_space() returned true.
  std::string_view skip_form();
  // Skips a symbol, keyword or number and returns it, a keyword with its colon.
  // REQUIRES: the character here is not a space and not one of ()[]{}".
  std::string_view token();
  // Returns the value of a form. REQUIRES: skip_space() returned true.
  Value value(ValueTable& values, std::size_t depth = 0);
  // Returns the content of a string. REQUIRES: the character here is a quote.
  std::string string();

  [[noreturn]] void fail(const char* at, std::string_view message) const { source_.fail(at, message); }

 private:
  bool skip_blank();
  void skip_string(const char* form);
  void skip_character();
  [[noreturn]] void fail_unclosed(const char* form) const;
  void read_members(char closer, const char* form, ValueTable& values, std::size_t depth, std::vector<Value>& out);
  Value number(std::string_view token, ValueTable& values) const;
  Value character(ValueTable& values);

  const SourceText& source_;
  const char* at_;
  const char* end_;
};

// Returns a number with a fraction as the readers keep it: 2.0 is the integer 2, 2.50 the text "2.5".
Value real_number(double number, ValueTable& values);
// Sorts by content, not by the order of interning: equal sets of one history have equal lists.
void sort_values(std::vector<Value>& values, const ValueTable& table);
// Returns a map as a list of pairs in the order of the keys; `members` are keys and values in turn.
Value map_value(const std::vector<Value>& members, ValueTable& table);

}  // namespace heddle::history
