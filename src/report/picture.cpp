// Draws step after step onto a canvas with the columns that lay_out has found.
#include "report/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "report/columns.h"
#include "report/utf8.h"
#include "report/values.h"

namespace heddle::report {
namespace {

constexpr std::size_t most_lines_of_a_note = 4;
// "├─ label ─▶" where there is room, "├ label ▶" where there is not.
constexpr int around_label = 6;
constexpr int closely_around_label = 4;
constexpr int shortest_label = 3;

// "on node 1" for a lane that shares its process with others.
std::string host(const trace::Lane& lane) {
  return lane.process.empty() || lane.process == lane.name ? "" : "on " + lane.process;
}

std::vector<LaneNeed> needs_of(const trace::Trace& trace, const std::vector<StepText>& steps, bool ascii) {
  std::vector<LaneNeed> needs(trace.lanes.size());
  const auto text = [&](std::uint32_t lane, const std::string& words) {
    needs[lane].text = std::max(needs[lane].text, display_width(words));
  };
  for (std::uint32_t lane = 0; lane < trace.lanes.size(); ++lane) {
    text(lane, printable(trace.lanes[lane].name, ascii));
    text(lane, printable(host(trace.lanes[lane]), ascii));
    needs[lane].always_drawn = !trace.lanes[lane].role.empty();
  }
  for (const StepText& step : steps) {
    needs[step.lane].takes_part = true;
    text(step.lane, step.title);
    for (const Note& note : step.notes) {
      needs[note.lane].takes_part = true;
      text(note.lane, note.text);
    }
    for (const Arrow& arrow : step.arrows) {
      needs[arrow.from].takes_part = needs[arrow.to].takes_part = true;
      const auto [left, right] = std::minmax(arrow.from, arrow.to);
      if (right == left + 1) {
        needs[left].to_next = std::max(needs[left].to_next, display_width(arrow.label) + around_label);
      }
    }
  }
  return needs;
}

// Shortens a name but keeps its number, which distinguishes it from its siblings: "accep… 12".
std::string shorten_name(const std::string& name, int width, std::string_view mark) {
  if (display_width(name) <= width) return name;
  const std::size_t space = name.rfind(' ');
  const std::string tail = space == std::string::npos ? "" : name.substr(space);
  const int room = width - display_width(tail);
  return room >= 4 ? shorten(name.substr(0, space), room, mark) + tail : shorten(name, width, mark);
}

class Picture {
 public:
  Picture(const trace::Trace& trace, const Glyphs& glyphs, const PictureOptions& options, Columns columns, int gutter)
      : trace_(trace),
        glyphs_(glyphs),
        options_(options),
        columns_(std::move(columns)),
        gutter_(gutter),
        down_(trace.lanes.size(), false),
        canvas_(options.width) {}

  std::string draw(const std::vector<StepText>& steps) {
    header();
    std::size_t next = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (canvas_.rows() - header_row_ > options_.repeat_header && i + 3 < steps.size()) {
        row();
        header();
      }
      if (const std::string gap = gap_before(steps, i); !gap.empty()) canvas_.put(row(), gutter_, gap, Style::Lifeline);
      // A step that is not shown may still crash a process.
      for (; next < steps[i].index; ++next) follow(trace_.steps[next], trace_.steps[next].kind);
      step(steps[i]);
      next = steps[i].index + 1;
    }
    row();
    return canvas_.str(options_.color);
  }

 private:
  int x(std::uint32_t lane) const { return columns_.lifeline[lane]; }
  int room_right_of(std::uint32_t lane) const { return canvas_.width() - x(lane) - 2; }

  // The nearest lifeline right of `lane`, or the edge.
  int next_lifeline(std::uint32_t lane) const {
    int nearest = canvas_.width();
    for (const int other : columns_.lifeline) {
      if (other > x(lane)) nearest = std::min(nearest, other);
    }
    return nearest;
  }

  int row() {
    const int y = canvas_.add_row();
    for (std::uint32_t lane = 0; lane < trace_.lanes.size(); ++lane) {
      if (x(lane) == Columns::absent) continue;
      canvas_.put(y, x(lane), down_[lane] ? glyphs_.lifeline_down : glyphs_.lifeline, Style::Lifeline);
    }
    return y;
  }

  void header() {
    header_row_ = canvas_.rows();
    header_line([](const trace::Lane& lane) { return lane.name; }, Style::Name);
    const auto hosted = [](const trace::Lane& lane) { return !host(lane).empty(); };
    if (std::any_of(trace_.lanes.begin(), trace_.lanes.end(), hosted)) header_line(host, Style::Lifeline);
    row();
  }

  template <class Name>
  void header_line(Name&& name, Style style) {
    const int y = canvas_.add_row();
    for (std::uint32_t lane = 0; lane < trace_.lanes.size(); ++lane) {
      if (x(lane) == Columns::absent) continue;
      const std::string text = printable(name(trace_.lanes[lane]), glyphs_.ascii);
      canvas_.put(y, x(lane), shorten_name(text, next_lifeline(lane) - x(lane) - 1, glyphs_.ellipsis), style);
    }
  }

  void step(const StepText& step) {
    const int first = canvas_.rows();
    follow(trace_.steps[step.index], "recover");
    if (!(step.arrows.size() == 1 && merged_arrow(step, step.arrows.front()))) {
      for (const Arrow& one : step.arrows) arrow(one, step.lost);
      title(row(), step);
    }
    const std::string number = fmt::format("{}", step.index + 1);
    canvas_.put(first, gutter_ - 2 - static_cast<int>(number.size()), number, Style::Lifeline);
    follow(trace_.steps[step.index], "crash");
    notes(step.notes);
  }

  void title(int y, const StepText& step) {
    const int width = room_right_of(step.lane);
    text(y, step.lane, shorten_phrase(step.title, width, glyphs_.ellipsis), step.marker.style);
    canvas_.put(y, x(step.lane), step.marker.glyph, step.marker.style);
  }

  // Writes text beside a lifeline. It must not touch the next lifeline it ends at.
  void text(int y, std::uint32_t lane, std::string_view words, Style style) {
    const int end = canvas_.put(y, x(lane) + 2, words, style);
    if (end < canvas_.width() && !canvas_.blank(y, end)) canvas_.put(y, end, " ");
  }

  // Draws arrow and title in one row: "├─ Prepare(1) ─▶● promise" or "● propose ◀─ Promise(1) ─┤". Returns false if
  // that does not fit.
  bool merged_arrow(const StepText& step, const Arrow& one) {
    if (one.to != step.lane) return false;
    const int from = x(one.from);
    const int to = x(one.to);
    const bool right = from < to;
    const int after_title = to + 2 + display_width(step.title);
    if (!right && from - after_title - closely_around_label < display_width(one.label)) return false;
    const int y = row();
    // The mark of a loss stands where the head would.
    const Head head = step.lost ? Head{glyphs_.line, Style::Arrow} : arrow_head(right);
    line(y, right ? from : after_title, right ? to : from, one.label, right, head);
    canvas_.put(y, from, right ? glyphs_.leaves_right : glyphs_.leaves_left, Style::Arrow);
    title(y, step);
    return true;
  }

  void arrow(const Arrow& one, bool lost) {
    const int y = row();
    const int from = x(one.from);
    const int to = x(one.to);
    const bool right = from < to;
    const Marker loss = marker("lose", glyphs_.ascii);
    const Head head = lost ? Head{loss.glyph, loss.style} : arrow_head(right);
    line(y, std::min(from, to), std::max(from, to), one.label, right, head);
    canvas_.put(y, from, right ? glyphs_.leaves_right : glyphs_.leaves_left, Style::Arrow);
  }

  struct Head {
    std::string_view glyph;
    Style style;
  };
  Head arrow_head(bool right) const { return {right ? glyphs_.head_right : glyphs_.head_left, Style::Arrow}; }

  // Draws the line strictly between two cells, across the lifelines it meets, with the label at its left end.
  void line(int y, int left, int right, const std::string& label, bool points_right, Head head) {
    for (int column = left + 1; column < right; ++column) {
      const bool meets =
          std::find(columns_.lifeline.begin(), columns_.lifeline.end(), column) != columns_.lifeline.end();
      canvas_.put(y, column, meets ? glyphs_.crossing : glyphs_.line, Style::Arrow);
    }
    const bool close = display_width(label) > right - left - around_label;
    const int room = right - left - (close ? closely_around_label : around_label);
    if (room >= shortest_label) {
      const int start = left + (points_right ? 1 : 2) + (close ? 0 : 1);
      canvas_.put(y, start, " " + shorten_phrase(label, room, glyphs_.ellipsis) + " ", Style::Arrow);
    }
    canvas_.put(y, points_right ? right - 1 : left + 1, head.glyph, head.style);
  }

  // Changes that fit side by side into their column share a row.
  void notes(const std::vector<Note>& all) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      std::string words = all[i].text;
      const int column_width = next_lifeline(all[i].lane) - x(all[i].lane) - 3;
      while (i + 1 < all.size() && all[i].style == Style::Change && all[i + 1].style == Style::Change &&
             all[i + 1].lane == all[i].lane &&
             display_width(words) + 2 + display_width(all[i + 1].text) <= column_width) {
        words += ", " + all[++i].text;
      }
      note(all[i].lane, words, all[i].style);
    }
  }

  void note(std::uint32_t lane, const std::string& words, Style style) {
    const int room = room_right_of(lane);
    std::vector<std::string> lines = wrap(words, room);
    if (lines.size() > most_lines_of_a_note) {
      lines.resize(most_lines_of_a_note);
      lines.back() = std::string(prefix(lines.back(), room - 2)).append(glyphs_.ellipsis);
    }
    for (const std::string& one : lines) text(row(), lane, one, style);
  }

  // Updates which lanes are up if the step is a crash or a recovery. A crash takes down all lanes of the same process.
  void follow(const trace::Step& step, std::string_view kind) {
    if (step.kind != kind || (kind != "crash" && kind != "recover")) return;
    const std::string& process = trace_.lanes[step.lane].process;
    for (std::uint32_t lane = 0; lane < trace_.lanes.size(); ++lane) {
      const bool struck = lane == step.lane || (!process.empty() && trace_.lanes[lane].process == process);
      if (struck) down_[lane] = kind == "crash";
    }
  }

  const trace::Trace& trace_;
  const Glyphs& glyphs_;
  const PictureOptions& options_;
  Columns columns_;
  int gutter_;
  std::vector<bool> down_;
  int header_row_ = 0;
  Canvas canvas_;
};

}  // namespace

std::optional<std::string> draw_picture(const trace::Trace& trace, const std::vector<StepText>& steps,
                                        const Glyphs& glyphs, const PictureOptions& options) {
  const int digits = static_cast<int>(fmt::format("{}", trace.steps.size()).size());
  const int gutter = std::max(2, digits) + 3;
  std::optional<Columns> columns = lay_out(needs_of(trace, steps, glyphs.ascii), gutter, options.width);
  if (!columns) return std::nullopt;
  std::string left_out;
  if (!columns->left_out.empty()) {
    const std::string names = lane_names(trace, columns->left_out, glyphs.ascii);
    for (const std::string& line : wrap(fmt::format("(not drawn, no part in this trace: {})", names), options.width)) {
      left_out += line + "\n";
    }
  }
  return left_out + Picture(trace, glyphs, options, std::move(*columns), gutter).draw(steps);
}

}  // namespace heddle::report
