// Chooses between picture, list and interleaving, and writes what stands around them.
#include "report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "report/interleaving.h"
#include "report/picture.h"
#include "report/refinement_text.h"
#include "report/step_list.h"
#include "report/step_text.h"
#include "report/utf8.h"

namespace heddle::report {
namespace {

std::string lines(const std::string& words, const TextOptions& options, Style style, int indent = 2) {
  std::string out;
  for (const std::string& line : wrap(words, options.width, indent)) out += styled(line, style, options.color) + "\n";
  return out;
}

std::string settings(const std::map<std::string, std::string>& all, bool ascii) {
  std::string out;
  for (const auto& [name, value] : all) {
    out += fmt::format("{}{}={}", out.empty() ? "" : ", ", printable(name, ascii), printable(value, ascii));
  }
  return out;
}

// "paxos (acceptors=3, proposers=2) with bug no-quorum; network=lossy"
std::string title(const trace::Trace& trace, bool ascii) {
  std::string out = printable(trace.model, ascii);
  if (!trace.parameters.empty()) out += fmt::format(" ({})", settings(trace.parameters, ascii));
  if (!trace.bug.empty()) out += " with bug " + printable(trace.bug, ascii);
  if (!trace.options.empty()) out += "; " + settings(trace.options, ascii);
  return out;
}

std::string verdict(const trace::Trace& trace, const Glyphs& glyphs) {
  const std::string property = printable(trace.property, glyphs.ascii);
  std::string out;
  if (trace.verdict == "violated") {
    out = fmt::format("{} {}", glyphs.bad, property.empty() ? "violated" : property + " is violated");
  } else if (trace.verdict == "holds") {
    out = fmt::format("{} {}", glyphs.good, property.empty() ? "nothing is violated" : property + " is reached");
  } else {
    out = fmt::format("? unknown{}{}", property.empty() ? "" : ": ", property);
  }
  return out;
}

// "race: thread 1 writes y at race.c:5 while thread 2 writes y at race.c:7; nothing orders them". If that is too long,
// each part has a line.
std::string sentence(const trace::Trace& trace, const std::vector<std::string>& parts, const Glyphs& glyphs,
                     const TextOptions& options, Style style) {
  const std::string head = fmt::format("{} {}:", glyphs.bad, printable(trace.property, glyphs.ascii));
  std::string together = head;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    together += i == 0 || parts[i - 1].ends_with(" while") ? " " : "; ";
    together += parts[i];
  }
  if (display_width(together) <= options.width) return lines(together, options, style);
  std::string out = lines(head, options, style);
  for (const std::string& part : parts) out += lines("  " + part, options, Style::Plain, 4);
  return out;
}

// Of a call that was rejected, one sentence: the picture and the table of calls have shown the values. Otherwise the
// verdict and the values that decided it: on one line if they fit, otherwise with a line for each lane. Empty for a
// run that shows nothing in particular, such as a random one.
std::string outcome(const trace::Trace& trace, const Glyphs& glyphs, const TextOptions& options, Style style) {
  if (trace.verdict == "unknown" && trace.property.empty() && trace.explanation.empty()) return "";
  if (const std::string sentence = rejection(trace, glyphs.ascii); !sentence.empty()) {
    return lines(fmt::format("{} {}", glyphs.bad, sentence), options, style);
  }
  if (const std::vector<std::string> parts = finding_parts(trace, glyphs.ascii); !parts.empty()) {
    return sentence(trace, parts, glyphs, options, style);
  }
  std::string out = verdict(trace, glyphs);
  if (trace.explanation.empty()) return lines(out, options, style);
  std::string together;
  std::vector<std::string> lanes;
  for (std::size_t i = 0; i < trace.explanation.size(); ++i) {
    const trace::Field& field = trace.explanation[i];
    const std::string value = field_phrase(field, glyphs.ascii);
    const std::string name = lane_names(trace, {field.lane}, glyphs.ascii);
    together += fmt::format("{}{} {}", i == 0 ? ": " : "; ", name, value);
    if (i > 0 && trace.explanation[i - 1].lane == field.lane) {
      lanes.back() += ", " + value;
    } else {
      lanes.push_back(fmt::format("  {} {}", name, value));
    }
  }
  if (display_width(out + together) <= options.width) return lines(out + together, options, style);
  out = lines(out + ":", options, style);
  for (const std::string& lane : lanes) out += lines(lane, options, Style::Plain, 4);
  return out;
}

}  // namespace

std::string render_text(const trace::Trace& trace, TextOptions options) {
  options.width = std::max(options.width, 40);
  const Glyphs& symbols = glyphs(options.ascii);
  const std::vector<StepText> steps = describe_steps(trace, symbols, std::max<std::size_t>(options.most_steps, 2));

  std::string out;
  if (options.title) out = lines(title(trace, options.ascii), options, Style::Plain) + "\n";
  const PictureOptions picture_options{.width = options.width, .color = options.color};
  std::optional<std::string> picture;
  if (is_interleaving(trace)) {
    picture = draw_interleaving(
        trace, symbols,
        {.width = options.width, .color = options.color, .most_steps = std::max<std::size_t>(options.most_steps, 2)});
  } else if (!trace.lanes.empty()) {
    picture = draw_picture(trace, steps, symbols, picture_options);
  }
  if (picture) {
    out += *picture;
  } else if (!trace.steps.empty()) {
    const std::string why =
        fmt::format("({} lanes are too many for {} columns: a list)", trace.lanes.size(), options.width);
    out += lines(why, options, Style::Lifeline);
    out += list_steps(trace, steps, symbols, options.width, options.color);
  }

  if (const std::string table = refinement_table(trace, options.width, options.ascii); !table.empty()) {
    out += "\n" + table + "\n";
  }
  const Style style = trace.verdict == "violated" ? Style::Bad : trace.verdict == "holds" ? Style::Good : Style::Name;
  return out + outcome(trace, symbols, options, style);
}

}  // namespace heddle::report
