// The bytes of a history, checked to be UTF-8, with the line and column of every position for error messages.
//
// The bytes are not copied; they belong to an InputFile or to the caller and outlive everything here.
// Not thread-safe: line() remembers how far it has counted.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace heddle::history {

// Some editors write this before the text.
inline constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

// Thrown if a history cannot be read or written; what() is "file:line:column: what is wrong; what to do".
class HistoryError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Thrown if a budget ran out, or Ctrl-C was pressed, before the end of the file; what() is the reason.
class ReadingStopped : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class SourceText {
 public:
  // Throws HistoryError at the first byte that is not UTF-8. A byte order mark is left out.
  SourceText(std::string_view text, std::string file_name);

  std::string_view text() const { return text_; }
  const std::string& file_name() const { return file_name_; }
  // The number of the line, from 1. Fast for ascending positions.
  std::uint32_t line(const char* at) const;
  // Columns count code points, from 1.
  [[noreturn]] void fail(const char* at, std::string_view message) const;

 private:
  std::string_view text_;
  std::string file_name_;
  mutable const char* counted_;
  mutable std::uint32_t line_ = 1;
};

}  // namespace heddle::history
