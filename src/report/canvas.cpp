// Rows of cells that grow as they are drawn on.
#include "report/canvas.h"

#include <cstddef>

#include "report/utf8.h"

namespace heddle::report {
namespace {

constexpr std::string_view escapes[] = {"",         "\x1b[2m",  "\x1b[1m",    "\x1b[36m",  "\x1b[33m",
                                        "\x1b[35m", "\x1b[31m", "\x1b[1;32m", "\x1b[1;31m"};
constexpr std::string_view reset = "\x1b[0m";

}  // namespace

std::string styled(std::string_view text, Style style, bool color) {
  std::string out;
  const bool on = color && style != Style::Plain && !text.empty();
  if (on) out += escapes[static_cast<std::size_t>(style)];
  out += text;
  if (on) out += reset;
  return out;
}

int Canvas::add_row() {
  rows_.emplace_back(static_cast<std::size_t>(width_));
  return rows() - 1;
}

int Canvas::put(int row, int column, std::string_view text, Style style) {
  std::vector<Cell>& cells = rows_[static_cast<std::size_t>(row)];
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint c = decode(text, i);
    i += c.bytes.size();
    const int cell_count = cell_width(c.value);
    if (cell_count == 0) {
      if (column > 0 && column <= width_) cells[static_cast<std::size_t>(column) - 1].text += c.bytes;
      continue;
    }
    if (column < 0 || column + cell_count > width_) break;
    cells[static_cast<std::size_t>(column)] = {std::string(c.bytes), style, false};
    if (cell_count == 2) cells[static_cast<std::size_t>(column) + 1] = {"", style, true};
    column += cell_count;
  }
  return column;
}

bool Canvas::blank(int row, int column) const {
  const Cell& cell = rows_[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
  return !cell.second_half && (cell.text.empty() || cell.text == " ");
}

std::string Canvas::str(bool color) const {
  std::string out;
  for (int row = 0; row < rows(); ++row) {
    int end = width_;
    while (end > 0 && blank(row, end - 1)) --end;
    // Neighbours of one style share one pair of escapes.
    std::string run;
    Style style = Style::Plain;
    for (int column = 0; column < end; ++column) {
      const Cell& cell = rows_[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
      if (cell.second_half) continue;
      const bool is_blank = blank(row, column);
      if (!is_blank && cell.style != style) {
        out += styled(run, style, color);
        run.clear();
        style = cell.style;
      }
      run += cell.text.empty() ? " " : cell.text;
    }
    out += styled(run, style, color) + "\n";
  }
  return out;
}

}  // namespace heddle::report
