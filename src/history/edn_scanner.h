// EDN, the notation of Clojure's data, read in place.
//
//   nil true -7 2.5 "text" :keyword [1 2] (1 2) #{1 2} {:a 1} #inst "2026-01-01" ; comment   #_ discarded
//
// A form can be skipped, which only checks that it is closed, or turned into a Value. Skipping first and interning only what is
// needed is what makes a reader fast: most of a line is of no interest. Nothing recurses without a limit and nothing is copied
// but what is interned, so a file of one line is as good as any.
//
// Values: a map is a list of pairs and a set is a list, both in an order that does not depend on how they were written; tags
// are left out; symbols and characters are text; a number that is no integer is the text of its shortest spelling, unless its
// fraction is zero. An integer beyond 64 bits is an error, not a rounded number.
// Not thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "check/recorded_history.h"
#include "history/source_text.h"

namespace heddle::history {

// Levels of a Value; a map has two, itself and its pairs. Less than the limits of forms and of JSON, so that whatever was read can
// be written and read again, with a map around it.
inline constexpr std::size_t value_depth_limit = 100;

// Whether `:name` is one token of EDN.
bool is_keyword_name(std::string_view name);

class EdnScanner {
 public:
  static constexpr std::size_t depth_limit = 128;  // of forms

  // `text` is a part of the source.
  EdnScanner(const SourceText& source, std::string_view text)
      : source_(source), at_(text.data()), end_(text.data() + text.size()) {}

  const char* at() const { return at_; }
  // Skips white space, commas, comments and discarded forms. False at the end.
  bool skip_space();
  // The character at a place where skip_space() was true.
  char peek() const { return *at_; }
  void advance() { ++at_; }
  // A form, without what is before it. Requires skip_space().
  std::string_view skip_form();
  // A symbol, keyword or number, with its colon. Requires a character that is none of ()[]{}" and no space.
  std::string_view token();
  // The value of a form. Requires skip_space().
  Value value(ValueTable& values, std::size_t depth = 0);
  // The content of a string. Requires a quote.
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

// A number that is no integer, as the readers keep it: 2.0 is the integer 2, 2.50 the text "2.5".
Value real_number(double number, ValueTable& values);
// Sorted by what they are, not by when they were interned: equal sets of one history have equal lists.
void sort_values(std::vector<Value>& values, const ValueTable& table);
// A map as a list of pairs, by the order of the keys; `members` are keys and values in turn.
Value map_value(const std::vector<Value>& members, ValueTable& table);

}  // namespace heddle::history
