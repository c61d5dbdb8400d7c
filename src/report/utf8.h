// Text as a terminal shows it: how many cells it takes, how to cut it, and how to make it harmless.
//
// Names and values come from models and files. Printed as they are, an escape character would repaint the user's
// terminal and an invalid byte would shift every column after it. So everything passes through printable() once.
// REQUIRES: all functions but repair_utf8() and printable() take valid UTF-8 without control characters.
// Pure functions, thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::report {

struct CodePoint {
  char32_t value;
  std::string_view bytes;  // a part of the text it was read from
  bool valid;              // false: `bytes` is one byte that belongs to no code point
};

// The code point at `offset`. REQUIRES: offset < text.size().
CodePoint decode(std::string_view text, std::size_t offset);

// Replaces each invalid byte by U+FFFD.
std::string repair_utf8(std::string_view text);

// Spells out control and direction-changing characters (\n, \x1b, \u202e), and with `ascii` everything beyond ASCII.
std::string printable(std::string_view text, bool ascii = false);

// Cells a code point takes: 0 for combining marks, 2 for wide East Asian characters and emoji, otherwise 1.
int cell_width(char32_t code_point);
int display_width(std::string_view text);

// The longest prefix of at most `width` cells.
std::string_view prefix(std::string_view text, int width);
// True if `text` takes at most `width` cells. A text of megabytes is not looked at beyond that.
bool fits(std::string_view text, int width);

// Returns `text` if it fits into `width` cells, otherwise its start and `mark`.
std::string shorten(std::string_view text, int width, std::string_view mark = "…");

// Returns lines of at most `width` cells without spaces at their ends, broken at spaces where there are any; every line
// but the first starts with `indent` spaces. REQUIRES: `width` leaves room for a character beside the indentation.
std::vector<std::string> wrap(std::string_view text, int width, int indent = 2);

}  // namespace heddle::report
