// Puts title, messages and notes of a step behind each other and breaks the line.
#include "report/step_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/canvas.h"
#include "report/utf8.h"

namespace heddle::report {
namespace {

constexpr int widest_name = 16;
constexpr int widest_title = 24;
constexpr int narrowest_details = 20;  // cells beside the title; with less room, details stand below it
constexpr std::size_t most_lines = 3;  // for one step, if one line is not enough

std::string details(const trace::Trace& trace, const StepText& step, const Glyphs& glyphs) {
  std::vector<std::string> parts;
  for (const Arrow& arrow : step.arrows) {
    std::string part = fmt::format("{} {} {}", arrow.label, glyphs.from, lane_names(trace, {arrow.from}, glyphs.ascii));
    if (arrow.to != step.lane) part += fmt::format(" {} {}", glyphs.to, lane_names(trace, {arrow.to}, glyphs.ascii));
    parts.push_back(part);
  }
  for (const Note& note : step.notes) {
    const bool elsewhere = note.lane != step.lane;
    parts.push_back(elsewhere ? lane_names(trace, {note.lane}, glyphs.ascii) + ": " + note.text : note.text);
  }
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : "; ") + part;
  return out;
}

}  // namespace

std::string list_steps(const trace::Trace& trace, const std::vector<StepText>& steps, const Glyphs& glyphs, int width,
                       bool color) {
  int name_width = 0;
  int title_width = 0;
  for (const StepText& step : steps) {
    name_width = std::max(name_width, display_width(lane_names(trace, {step.lane}, glyphs.ascii)));
    title_width = std::max(title_width, display_width(step.title));
  }
  name_width = std::min(name_width, widest_name);
  title_width = std::min(title_width, widest_title);
  const int number_width = std::max(3, static_cast<int>(fmt::format("{}", trace.steps.size()).size()));

  Canvas canvas(width);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const StepText& step = steps[i];
    if (const std::string gap = gap_before(steps, i); !gap.empty()) {
      canvas.put(canvas.add_row(), number_width + 2, gap, Style::Lifeline);
    }
    const int y = canvas.add_row();
    int x = canvas.put(y, 0, fmt::format("{:>{}}  ", step.index + 1, number_width), Style::Lifeline);
    canvas.put(y, x, shorten(lane_names(trace, {step.lane}, glyphs.ascii), name_width, glyphs.ellipsis), Style::Name);
    x += name_width + 2;
    canvas.put(y, x, step.marker.glyph, step.marker.style);
    canvas.put(y, x + 2, shorten(step.title, std::min(title_width, width - x - 2), glyphs.ellipsis), step.marker.style);
    x += title_width + 4;
    const bool below = width - x < narrowest_details;
    if (below) x = number_width + 4;
    const int room = width - x;
    std::vector<std::string> lines = wrap(details(trace, step, glyphs), room);
    if (lines.size() > most_lines) {
      lines.resize(most_lines);
      lines.back() = std::string(prefix(lines.back(), room - 2)).append(glyphs.ellipsis);
    }
    for (std::size_t k = 0; k < lines.size(); ++k) canvas.put(k == 0 && !below ? y : canvas.add_row(), x, lines[k]);
  }
  return canvas.str(color);
}

}  // namespace heddle::report
