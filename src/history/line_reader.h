// Reads a text file, a pipe or standard input ("-") line by line, in constant memory whatever its length.
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

  // Throws HistoryError if the file cannot be read.
  explicit LineReader(const std::string& path);
  // Reads `text`. REQUIRES: it outlives the reader.
  LineReader(std::string_view text, std::string name);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  // Returns false at the end. Throws HistoryError if reading fails or a line is too long, and ReadingStopped after
  // Ctrl-C while waiting for a pipe.
  bool next(std::string_view& line);
  // The number of the line that was read last, from 1.
  std::uint64_t number() const { return number_; }
  // The name in messages, also for standard input.
  const std::string& name() const { return name_; }
  // Throws HistoryError, "file:line:column: message". Columns count code points.
  // REQUIRES: `at` points into the line that was read last.
  [[noreturn]] void fail(const char* at, std::string_view message) const;

 private:
  bool fill();

  std::string name_;
  int descriptor_ = -1;  // -1: everything has been read
  std::string buffer_;
  std::string_view rest_;  // what has been read and not returned yet
  std::string_view line_;
  std::uint64_t number_ = 0;
};

}  // namespace heddle::history
