// Joins the steps of a run into rows of source, and writes remarks beside them.
#include "report/interleaving.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "report/canvas.h"
#include "report/columns.h"
#include "report/json_view.h"
#include "report/source_lines.h"
#include "report/step_text.h"
#include "report/utf8.h"
#include "report/values.h"

namespace heddle::report {
namespace {

constexpr std::size_t most_lines_of_a_text = 3;
// Of a step that goes over many lines of source, the first and the last are shown.
constexpr std::size_t first_lines = 4, last_lines = 8;
constexpr std::size_t most_remarks = 12;  // under one line of source

struct Remark {
  std::string text;
  Style style;
  std::string read;  // the variable, if it is a read that a write may follow
};

// A line of source, with what happens there.
struct SourceRow {
  std::size_t step;
  std::uint32_t lane;
  trace::Place place;
  std::vector<Remark> remarks;
  std::size_t left_out = 0;  // lines that are not shown before this one
};

// "queue.c:12"
std::string place_text(const trace::Place& place, bool ascii) {
  if (!place.known()) return printable(place.function, ascii);
  return fmt::format("{}:{}", printable(place.file.substr(place.file.rfind('/') + 1), ascii), place.line);
}

bool same_line(const trace::Place& a, const trace::Place& b) {
  return a.file == b.file && a.line == b.line && a.function == b.function;
}

// A string without its quotes, anything else as a value.
std::string words_of(const std::string& json, bool ascii) {
  if (json.empty()) return "";
  if (!json.starts_with('"') || !is_json(json)) return value_phrase(json, ascii);
  return printable(JsonDocument(json, "value").root().string(), ascii);
}

// What an access is to a reader.
Remark remark_on(const trace::Access& access, const Glyphs& glyphs) {
  const bool ascii = glyphs.ascii;
  const std::string object = printable(access.object + access.part, ascii);
  const std::string before = access.before.empty() ? "" : value_phrase(access.before, ascii);
  const std::string after = access.after.empty() ? "" : value_phrase(access.after, ascii);
  const std::string& kind = access.kind;
  if (kind == "read" || kind == "atomic read") {
    return {before.empty() ? "reads " + object : fmt::format("{} is {}", object, before), Style::Plain, object};
  }
  if (kind == "write" || kind == "atomic write") {
    if (after.empty()) return {"writes " + object, Style::Change, ""};
    if (before.empty()) return {fmt::format("{}: {}", object, after), Style::Change, ""};
    return {fmt::format("{}: {} {} {}", object, before, glyphs.becomes, after), Style::Change, ""};
  }
  if (kind == "try lock" && !before.empty()) {
    return {fmt::format("{} is {}", object, words_of(access.before, ascii)), Style::Operation, ""};
  }
  if (kind == "print") return {"prints " + after, Style::Name, ""};
  if (kind == "call") return {fmt::format("{} {}", glyphs.invoke, object), Style::Operation, ""};
  if (kind == "return") {
    const bool no_value = after.empty() || access.after == "null";
    return {fmt::format("{} {}", glyphs.respond, no_value ? "returns" : after), Style::Operation, ""};
  }
  if (kind == "fail")
    return {fmt::format("{} {}", glyphs.bad, after.empty() ? object : words_of(access.after, ascii)), Style::Bad, ""};
  if (kind == "left out") return {fmt::format("({} are not shown)", object), Style::Lifeline, ""};
  if (kind == "end") return {object + " ends", Style::Change, ""};
  constexpr std::pair<std::string_view, std::string_view> verbs[] = {
      {"free", "frees"},          {"lock", "locks"},      {"unlock", "unlocks"}, {"try lock", "tries to lock"},
      {"wait", "has waited for"}, {"notify", "notifies"}, {"use", "uses"},       {"start", "starts"},
      {"join", "joins"},
  };
  for (const auto& [known, verb] : verbs) {
    if (kind == known) return {fmt::format("{} {}", verb, object), Style::Operation, ""};
  }
  return {fmt::format("{} {}", printable(kind, ascii), object), Style::Operation, ""};
}

// A variable that is read and then written is told once; a value that is read again and again, too.
void add_remark(std::vector<Remark>& remarks, Remark remark, const trace::Access* access) {
  const bool write = access != nullptr && (access->kind == "write" || access->kind == "atomic write");
  if (write && !remarks.empty() && !remarks.back().read.empty() &&
      remark.text.starts_with(remarks.back().read + ": ")) {
    remarks.pop_back();
  }
  if (!remarks.empty() && remarks.back().text == remark.text) return;
  remarks.push_back(std::move(remark));
}

// The lines that a step goes over. The first is where it begins.
std::vector<SourceRow> rows_of(const trace::Trace& trace, std::size_t index, const Glyphs& glyphs) {
  const trace::Step& step = trace.steps[index];
  std::vector<SourceRow> rows = {{index, step.lane, step.place, {}}};
  if (!step.place.known()) rows.back().place.function = step.place.function.empty() ? step.name : step.place.function;
  const auto remark = [&](const std::string& text, Style style) {
    add_remark(rows.back().remarks, {text, style, ""}, nullptr);
  };
  if (!step.choice.empty()) remark("chooses " + choice_phrase(step.choice, glyphs.ascii), Style::Operation);
  const auto any = [&](std::string_view kind) {
    return std::ranges::find(step.accesses, kind, &trace::Access::kind) != step.accesses.end();
  };
  if (!any("call") && !any("return")) {
    for (const trace::Operation& operation : step.operations) {
      const bool invoke = operation.kind == trace::Operation::Kind::Invoke;
      remark(fmt::format("{} {}", invoke ? glyphs.invoke : glyphs.respond,
                         operation_phrase(operation.value, glyphs.ascii)),
             Style::Operation);
    }
  }
  for (const trace::Access& access : step.accesses) {
    if (access.place.known() && !same_line(access.place, rows.back().place)) {
      rows.push_back({index, step.lane, access.place, {}});
    }
    add_remark(rows.back().remarks, remark_on(access, glyphs), &access);
  }
  if (!step.output.empty() && !any("print")) remark("prints " + printable(step.output, glyphs.ascii), Style::Name);
  if (rows.size() > first_lines + last_lines + 1) {
    const std::size_t left_out = rows.size() - first_lines - last_lines;
    rows.erase(rows.begin() + first_lines, rows.end() - last_lines);
    rows[first_lines].left_out = left_out;
  }
  return rows;
}

class Interleaving {
 public:
  Interleaving(const trace::Trace& trace, const Glyphs& glyphs, const InterleavingOptions& options)
      : trace_(trace), glyphs_(glyphs), options_(options), canvas_(options.width), inside_(trace.lanes.size()) {}

  std::string draw() {
    const std::vector<StepText> shown = describe_steps(trace_, glyphs_, options_.most_steps);
    std::vector<std::vector<SourceRow>> rows;
    for (const StepText& step : shown) rows.push_back(rows_of(trace_, step.index, glyphs_));
    lay_out_columns(rows);
    header();
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const std::uint32_t lane = shown[i].lane;
      const bool goes_on = i > 0 && shown[i - 1].lane == lane;
      if (!goes_on && i > 0 && canvas_.rows() - header_row_ > options_.repeat_header) {
        row();
        header();
      } else if (!goes_on && (i > 0 || stacked_)) {
        rule(lane);
      }
      const std::string gap = gap_before(shown, i);
      if (!gap.empty()) canvas_.put(row(), gutter_, gap, Style::Lifeline);
      if (!goes_on || !gap.empty()) last_ = nullptr;
      for (const SourceRow& one : rows[i]) {
        draw_row(one);
        last_ = &one;
      }
    }
    row();
    return canvas_.str(options_.color);
  }

 private:
  int x(std::uint32_t lane) const { return columns_.lifeline[lane]; }
  int room(std::uint32_t lane) const { return canvas_.width() - x(lane) - 2; }

  void lay_out_columns(const std::vector<std::vector<SourceRow>>& rows) {
    std::set<std::string> files;
    std::uint32_t last_line = 0;
    std::vector<LaneNeed> needs(trace_.lanes.size());
    for (std::uint32_t lane = 0; lane < needs.size(); ++lane) {
      needs[lane].always_drawn = false;
      needs[lane].text = display_width(printable(trace_.lanes[lane].name, glyphs_.ascii));
    }
    for (const auto& step : rows) {
      for (const SourceRow& one : step) {
        if (one.place.known()) files.insert(one.place.file);
        last_line = std::max(last_line, one.place.line);
      }
    }
    one_file_ = files.size() <= 1;
    number_width_ = static_cast<int>(fmt::format("{}", last_line).size());
    for (const auto& step : rows) {
      for (const SourceRow& one : step) {
        LaneNeed& need = needs[one.lane];
        need.takes_part = true;
        need.text = std::max(need.text, display_width(source_text(one.place)));
        for (const Remark& remark : one.remarks) {
          need.text = std::max(need.text, indent() + display_width(remark.text));
        }
      }
    }
    const int digits = static_cast<int>(fmt::format("{}", trace_.steps.size()).size());
    gutter_ = std::max(2, digits) + 3;
    if (auto columns = lay_out(needs, gutter_, canvas_.width())) {
      columns_ = std::move(*columns);
      return;
    }
    stacked_ = true;
    columns_.lifeline.assign(needs.size(), Columns::absent);
    for (std::uint32_t lane = 0; lane < needs.size(); ++lane) {
      if (needs[lane].takes_part) columns_.lifeline[lane] = gutter_;
    }
  }

  int indent() const { return one_file_ ? number_width_ + 4 : 4; }

  // "12  x = x + 1;", or with the file's name if there are several.
  std::string source_text(const trace::Place& place) {
    if (!place.known()) return printable(place.function, glyphs_.ascii);
    const std::string text = printable(with_blanks(source_.line(place.file, place.line)), glyphs_.ascii);
    if (text.empty()) return place_text(place, glyphs_.ascii);
    if (one_file_) return fmt::format("{:>{}}  {}", place.line, number_width_, text);
    return fmt::format("{}  {}", place_text(place, glyphs_.ascii), text);
  }
  // Whether the line itself names the function that it is in: "int main(void) {".
  bool begins_function(const trace::Place& place) {
    std::string name = place.function.substr(0, place.function.find('('));
    if (const auto scope = name.rfind("::"); scope != name.npos) name.erase(0, scope + 2);
    return !name.empty() && source_.line(place.file, place.line).find(name + "(") != std::string::npos;
  }

  static std::string with_blanks(std::string text) {
    std::ranges::replace(text, '\t', ' ');
    return text;
  }

  int row() {
    const int y = canvas_.add_row();
    for (std::uint32_t lane = 0; lane < trace_.lanes.size(); ++lane) {
      if (x(lane) != Columns::absent) canvas_.put(y, x(lane), glyphs_.lifeline, Style::Lifeline);
    }
    return y;
  }

  void header() {
    header_row_ = canvas_.rows();
    if (stacked_) return;
    const int y = canvas_.add_row();
    for (std::uint32_t lane = 0; lane < trace_.lanes.size(); ++lane) {
      if (x(lane) == Columns::absent) continue;
      int end = canvas_.width();
      for (const int other : columns_.lifeline) {
        if (other > x(lane)) end = std::min(end, other);
      }
      const std::string name = printable(trace_.lanes[lane].name, glyphs_.ascii);
      canvas_.put(y, x(lane), shorten(name, end - x(lane) - 1, glyphs_.ellipsis), Style::Name);
    }
    row();
  }

  // Another thread goes on.
  void rule(std::uint32_t lane) {
    const int y = canvas_.add_row();
    for (int column = gutter_; column < canvas_.width(); ++column) {
      canvas_.put(y, column, glyphs_.line, Style::Lifeline);
    }
    for (const int column : columns_.lifeline) {
      if (column != Columns::absent) {
        canvas_.put(y, column, column == gutter_ ? glyphs_.leaves_right : glyphs_.crossing, Style::Lifeline);
      }
    }
    if (!stacked_) return;
    const std::string name = printable(trace_.lanes[lane].name, glyphs_.ascii);
    const int most = canvas_.width() - gutter_ - 6;
    canvas_.put(y, gutter_ + 2, fmt::format(" {} ", shorten(name, most, glyphs_.ellipsis)), Style::Name);
  }

  void draw_row(const SourceRow& one) {
    const std::uint32_t lane = one.lane;
    if (one.left_out > 0) {
      text(lane, 0, fmt::format("({} lines are not shown)", one.left_out), Style::Lifeline);
      last_ = nullptr;
    }
    if (last_ == nullptr || !same_line(last_->place, one.place)) {
      if (one.place.known() && !one.place.function.empty() && inside_[lane] != one.place.function) {
        inside_[lane] = one.place.function;
        if (!begins_function(one.place)) {
          text(lane, 0, "in " + printable(one.place.function, glyphs_.ascii), Style::Lifeline);
        }
      }
      number(text(lane, 0, source_text(one.place), Style::Plain), one.step);
    }
    std::size_t left = one.remarks.size() > most_remarks ? one.remarks.size() - most_remarks : 0;
    for (const Remark& remark : one.remarks) {
      if (left > 0 && &remark - one.remarks.data() >= 2) {
        if (--left == 0) {
          const std::size_t count = one.remarks.size() - most_remarks;
          text(lane, indent(), fmt::format("({} more)", count), Style::Lifeline);
        }
        continue;
      }
      number(text(lane, indent(), remark.text, remark.style), one.step);
    }
  }

  // Writes the step's number beside its first row.
  void number(int y, std::size_t step) {
    if (numbered_ == step + 1) return;
    numbered_ = step + 1;
    const std::string digits = fmt::format("{}", numbered_);
    canvas_.put(y, gutter_ - 2 - static_cast<int>(digits.size()), digits, Style::Lifeline);
  }

  // Writes beside a lifeline, over the columns to the right if it must. Returns the first row.
  int text(std::uint32_t lane, int shift, const std::string& words, Style style) {
    const int first = canvas_.rows();
    shift = std::min(shift, room(lane) / 3);
    std::vector<std::string> lines = wrap(words, room(lane) - shift, std::min(4, (room(lane) - shift) / 3));
    if (lines.size() > most_lines_of_a_text) {
      lines.resize(most_lines_of_a_text);
      lines.back() = std::string(prefix(lines.back(), room(lane) - shift - 2)).append(glyphs_.ellipsis);
    }
    for (const std::string& line : lines) {
      const int y = row();
      const int end = canvas_.put(y, x(lane) + 2 + shift, line, style);
      if (end < canvas_.width() && !canvas_.blank(y, end)) canvas_.put(y, end, " ");
    }
    if (lines.empty()) row();
    return first;
  }

  const trace::Trace& trace_;
  const Glyphs& glyphs_;
  const InterleavingOptions& options_;
  Canvas canvas_;
  std::vector<std::string> inside_;  // by lane: the function that was named last
  SourceLines source_;
  Columns columns_;
  bool one_file_ = true;
  bool stacked_ = false;  // all threads in one column
  int number_width_ = 1;
  int gutter_ = 0;
  int header_row_ = 0;
  std::size_t numbered_ = 0;         // the step whose number was written last
  const SourceRow* last_ = nullptr;  // of this thread, right before
};

}  // namespace

bool is_interleaving(const trace::Trace& trace) {
  const auto place = [](const trace::Step& step) { return step.place.known(); };
  const auto messages = [](const trace::Step& step) { return !step.received.empty() || !step.sent.empty(); };
  return !trace.lanes.empty() && std::ranges::any_of(trace.steps, place) && std::ranges::none_of(trace.steps, messages);
}

std::string draw_interleaving(const trace::Trace& trace, const Glyphs& glyphs, const InterleavingOptions& options) {
  return Interleaving(trace, glyphs, options).draw();
}

std::vector<std::string> finding_parts(const trace::Trace& trace, bool ascii) {
  if (trace.verdict != "violated" || trace.explanation.empty() || !is_interleaving(trace)) return {};
  std::vector<std::string> parts;
  for (const trace::Field& field : trace.explanation) {
    if (!field.value.starts_with('"')) return {};
    const trace::Lane& lane = trace.lanes[field.lane];
    parts.push_back(fmt::format("{} {} {}", lane.role == "Memory" ? "the" : printable(lane.name, ascii),
                                printable(field.name, ascii), words_of(field.value, ascii)));
  }
  if (trace.property == "race" && parts.size() == 2) {
    parts[0] += " while";
    parts[1] += "; nothing orders them";
    return parts;
  }
  // Of something that is no longer there: who took it away.
  const auto& last = trace.steps.back().accesses;
  if (!last.empty() && last.back().kind == "fail") {
    for (auto step = trace.steps.rbegin(); step != trace.steps.rend(); ++step) {
      for (auto access = step->accesses.rbegin(); access != step->accesses.rend(); ++access) {
        if ((access->kind != "free" && access->kind != "end") || access->object != last.back().object) continue;
        const std::string where = access->place.known() ? " at " + place_text(access->place, ascii) : "";
        parts.push_back(fmt::format("{} {} it{}", printable(trace.lanes[step->lane].name, ascii),
                                    access->kind == "free" ? "freed" : "left", where));
        return parts;
      }
    }
  }
  return parts;
}

}  // namespace heddle::report
