// Places moments from left to right, as near to each other as the texts allow.
#include "report/timeline.h"

#include <algorithm>
#include <map>
#include <optional>

#include "report/canvas.h"
#include "report/glyphs.h"
#include "report/utf8.h"

namespace heddle::report {
namespace {

constexpr int shortest_text = 5;

// The cells of the moments: as near to each other as the texts allow.
struct Layout {
  std::map<std::uint32_t, int> cell;
  int end = 0;  // after the last moment
};

Layout lay_out(const std::vector<TimelineBar>& bars, const std::vector<int>& widths, int text_width) {
  std::map<std::uint32_t, const TimelineBar*> moments;  // the bar that ends here; null: a beginning
  for (const TimelineBar& bar : bars) {
    moments.emplace(bar.begin, nullptr);
    if (!bar.open) moments.emplace(bar.end, &bar);
  }
  const auto room = [&](const TimelineBar& bar) {
    return std::min(widths[static_cast<std::size_t>(&bar - bars.data())], text_width) + 3;
  };
  Layout out;
  int next = 0;
  for (const auto& [moment, ends] : moments) {
    const int at = ends == nullptr ? next : std::max(next, out.cell.at(ends->begin) + room(*ends));
    out.cell[moment] = at;
    next = at + 1;
  }
  out.end = next;
  for (const TimelineBar& bar : bars) {
    if (bar.open) out.end = std::max(out.end, out.cell.at(bar.begin) + room(bar));
  }
  return out;
}

std::string list(const std::vector<TimelineBar>& bars, const TimelineOptions& options) {
  std::string out;
  const Glyphs& g = glyphs(options.ascii);
  for (const TimelineBar& bar : bars) {
    const std::string end = bar.open ? "never" : std::to_string(bar.end);
    out += bar.row + "  " + shorten(bar.text, std::max(shortest_text, options.width), g.ellipsis) + "  [" +
           std::to_string(bar.begin) + ", " + end + "]";
    if (bar.bad) out += "  " + std::string(g.bad);
    out += '\n';
  }
  return out;
}

}  // namespace

std::string draw_timeline(const std::vector<TimelineBar>& bars, const TimelineOptions& options) {
  if (bars.empty()) return {};
  const Glyphs& g = glyphs(options.ascii);
  std::vector<std::string> rows;
  int names = 0, longest = 0;
  std::vector<int> widths;  // of the texts; a text wider than the picture is shortened anyway
  for (const TimelineBar& bar : bars) {
    if (std::ranges::find(rows, bar.row) == rows.end()) rows.push_back(bar.row);
    names = std::max(names, display_width(bar.row));
    widths.push_back(display_width(prefix(bar.text, options.width)));
    longest = std::max(longest, widths.back());
  }
  const int left = names + 2;
  const int right = options.width - 3;  // a mark after the bar
  std::optional<Layout> layout;
  int text_width = longest;
  for (; text_width >= std::min(shortest_text, longest); --text_width) {
    Layout one = lay_out(bars, widths, text_width);
    if (left + one.end <= right) {
      layout = std::move(one);
      break;
    }
  }
  if (!layout) return list(bars, options);

  Canvas canvas(options.width);
  for (const std::string& name : rows) canvas.put(canvas.add_row(), 0, name, Style::Name);
  for (const TimelineBar& bar : bars) {
    const auto row = static_cast<int>(std::ranges::find(rows, bar.row) - rows.begin());
    const int from = left + layout->cell.at(bar.begin);
    const int to = left + (bar.open ? layout->end : layout->cell.at(bar.end));
    const Style style = bar.bad ? Style::Bad : Style::Operation;
    for (int c = from + 1; c < to; ++c)
      canvas.put(row, c, bar.open ? g.ellipsis.substr(0, g.ascii ? 1 : 3) : g.line, style);
    canvas.put(row, from, g.leaves_right, style);
    if (!bar.open) canvas.put(row, to, g.leaves_left, style);
    canvas.put(row, from + 1, " " + shorten(bar.text, text_width, g.ellipsis) + " ", style);
    if (bar.bad) canvas.put(row, to + 2, g.bad, Style::Bad);
  }
  return canvas.str(options.color);
}

}  // namespace heddle::report
