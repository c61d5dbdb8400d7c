// A sheet of terminal cells that can be drawn on in any order and is printed at the end.
//
// A cell holds one character with the combining marks that follow it; a wide character takes two cells. What does not
// fit on the sheet is cut off.
// REQUIRES: text is printable (report/utf8.h).
// Not thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::report {

enum class Style : unsigned char { Plain, Lifeline, Name, Arrow, Change, Operation, Fault, Good, Bad };

// Returns `text` in `style`, with ANSI escapes if `color`.
std::string styled(std::string_view text, Style style, bool color);

class Canvas {
 public:
  explicit Canvas(int width) : width_(width) {}

  int width() const { return width_; }
  int add_row();  // returns its number
  int rows() const { return static_cast<int>(rows_.size()); }
  // Returns the column after the text.
  int put(int row, int column, std::string_view text, Style style = Style::Plain);
  bool blank(int row, int column) const;

  // Rows without trailing spaces, each ended by a newline.
  std::string str(bool color) const;

 private:
  struct Cell {
    std::string text;  // empty: blank, or the second half of a wide character
    Style style = Style::Plain;
    bool second_half = false;
  };
  int width_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace heddle::report
