// Ranges of wide, combining and harmful characters, and walks over a text by them.
#include "report/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace heddle::report {
namespace {

struct Range {
  char32_t first, last;
};

bool among(const Range* begin, const Range* end, char32_t c) {
  const Range* range = std::lower_bound(begin, end, c, [](const Range& r, char32_t value) { return r.last < value; });
  return range != end && range->first <= c;
}

// Whole blocks instead of single characters keep columns straight for names that people write, without a Unicode
// database.
constexpr Range zero_width[] = {{0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x064B, 0x065F},
                                {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200F}, {0x20D0, 0x20FF},
                                {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}};
constexpr Range wide[] = {
    {0x1100, 0x115F}, {0x231A, 0x231B},   {0x23E9, 0x23EC},   {0x26A1, 0x26A1},   {0x2705, 0x2705},  {0x274C, 0x274C},
    {0x2E80, 0x303E}, {0x3041, 0xA4CF},   {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},  {0xFF00, 0xFF60},
    {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1FAFF}, {0x20000, 0x3FFFD}};
// Marks that reorder the text around them: one of them in a name could make a trace read backwards.
constexpr Range direction_marks[] = {{0x200E, 0x200F}, {0x202A, 0x202E}, {0x2066, 0x2069}};

// True if a line may end before the space at `space`. It must not end after an arrow, which makes the reader look for
// its target to the right, nor before a number, which mostly belongs to the name before it ("acceptor 2"), nor around
// "=".
bool may_break(std::string_view text, std::size_t space) {
  const std::string_view line = text.substr(0, space);
  const bool digit_follows = space + 1 < text.size() && text[space + 1] >= '0' && text[space + 1] <= '9';
  const bool equals_follows = space + 1 < text.size() && text[space + 1] == '=';
  return !digit_follows && !equals_follows && !line.ends_with("▶") && !line.ends_with("◀─") && !line.ends_with("→") &&
         !line.ends_with(">") && !line.ends_with("=");
}

bool continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

}  // namespace

CodePoint decode(std::string_view text, std::size_t offset) {
  const auto lead = static_cast<unsigned char>(text[offset]);
  const CodePoint invalid{0xFFFD, text.substr(offset, 1), false};
  if (lead < 0x80) return {lead, text.substr(offset, 1), true};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || offset + length > text.size()) return invalid;
  char32_t value = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (!continuation(text[offset + i])) return invalid;
    value = (value << 6) | (static_cast<unsigned char>(text[offset + i]) & 0x3FU);
  }
  const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (overlong || surrogate || value > 0x10FFFF) return invalid;
  return {value, text.substr(offset, length), true};
}

std::string repair_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint c = decode(text, i);
    out += c.valid ? c.bytes : "\xEF\xBF\xBD";
    i += c.bytes.size();
  }
  return out;
}

std::string printable(std::string_view text, bool ascii) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint c = decode(text, i);
    i += c.bytes.size();
    if (c.value == '\n') {
      out += "\\n";
    } else if (c.value == '\t') {
      out += "\\t";
    } else if (!c.valid || c.value < 0x20 || c.value == 0x7F) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c.bytes.front()));
    } else if ((c.value > 0x7F && ascii) || (c.value >= 0x80 && c.value < 0xA0) ||
               among(std::begin(direction_marks), std::end(direction_marks), c.value)) {
      out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c.value));
    } else {
      out += c.bytes;
    }
  }
  return out;
}

int cell_width(char32_t code_point) {
  if (code_point < 0x300) return 1;
  if (among(std::begin(zero_width), std::end(zero_width), code_point)) return 0;
  return among(std::begin(wide), std::end(wide), code_point) ? 2 : 1;
}

int display_width(std::string_view text) {
  int width = 0;
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint c = decode(text, i);
    width += cell_width(c.value);
    i += c.bytes.size();
  }
  return width;
}

std::string_view prefix(std::string_view text, int width) {
  int used = 0;
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint c = decode(text, i);
    used += cell_width(c.value);
    if (used > width) return text.substr(0, i);
    i += c.bytes.size();
  }
  return text;
}

bool fits(std::string_view text, int width) { return prefix(text, width).size() == text.size(); }

std::string shorten(std::string_view text, int width, std::string_view mark) {
  if (fits(text, width)) return std::string(text);
  const int kept = width - display_width(mark);
  if (kept <= 0) return std::string(prefix(mark, width));
  return std::string(prefix(text, kept)).append(mark);
}

std::vector<std::string> wrap(std::string_view text, int width, int indent) {
  std::vector<std::string> lines;
  std::string margin;
  while (!fits(text, width - static_cast<int>(margin.size()))) {
    const int room = std::max(2, width - static_cast<int>(margin.size()));
    std::string_view line = prefix(text, room);
    if (line.empty()) break;
    const std::size_t rest_at = line.size();
    // A line may end right before a space; otherwise go back to the last one, unless that leaves most of the line
    // empty.
    std::size_t space = text[rest_at] == ' ' ? rest_at : line.rfind(' ');
    while (space != std::string_view::npos && space > 0 && !may_break(text, space)) {
      space = line.rfind(' ', space - 1);
    }
    if (space != std::string_view::npos && space > line.size() / 3) line = line.substr(0, space);
    lines.push_back(margin + std::string(line.substr(0, line.find_last_not_of(' ') + 1)));
    text.remove_prefix(line.size());
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    margin.assign(static_cast<std::size_t>(indent), ' ');
  }
  text = text.substr(0, text.find_last_not_of(' ') + 1);
  if (!text.empty() || lines.empty()) lines.push_back(margin + std::string(text));
  return lines;
}

}  // namespace heddle::report
