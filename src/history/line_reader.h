// A text file, a pipe or standard input ("-"), line by line, in constant memory whatever its length.
//
//   LineReader lines("calls.jsonl");
//   for (std::string_view line; lines.next(line);) ...      // valid until the next call
//
// A line ends at \n or \r\n or at the end of the file; a byte order mark is left out.
// Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace heddle::history {

class LineReader {
 public:
  static constexpr std::size_t longest_line = std::size_t{16} << 20;

  // Throws HistoryError if it cannot be read.
  explicit LineReader(const std::string& path);
  // The text itself, which outlives the reader.
  LineReader(std::string_view text, std::string name);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  // False at the end. Throws HistoryError, also for a line that is longer than the longest, and ReadingStopped after Ctrl-C while
  // waiting for a pipe.
  bool next(std::string_view& line);
  // Of the line that was read last, from 1.
  std::uint64_t number() const { return number_; }
  // For messages: standard input has no name of its own.
  const std::string& name() const { return name_; }
  // Throws HistoryError, "file:line:column: message"; `at` points into the line that was read last. Columns count code points.
  [[noreturn]] void fail(const char* at, std::string_view message) const;

 private:
  bool fill();

  std::string name_;
  int descriptor_ = -1;  // -1: everything has been read
  std::string buffer_;
  std::string_view rest_;  // of what has been read
  std::string_view line_;
  std::uint64_t number_ = 0;
};

}  // namespace heddle::history
