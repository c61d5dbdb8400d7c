// Finds statements by function and lines, and turns sections into sets of statement numbers.
#include "native/statements.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "native/operation_shape.h"

namespace heddle::native {
namespace {

struct Lines {
  std::uint32_t first = 0, last = 0;
};

// "8-9" or "8"
std::optional<Lines> parse_lines(std::string_view text) {
  const char* const end = text.data() + text.size();
  Lines lines;
  const auto first = std::from_chars(text.data(), end, lines.first);
  if (first.ec != std::errc()) return std::nullopt;
  lines.last = lines.first;
  if (first.ptr == end) return lines;
  if (*first.ptr != '-') return std::nullopt;
  const auto last = std::from_chars(first.ptr + 1, end, lines.last);
  if (last.ec != std::errc() || last.ptr != end) return std::nullopt;
  return lines;
}

// The name as a whole, or its end after a separator: "pop" of "Stack::pop", "stack.cpp" of "src/stack.cpp".
bool is_named(std::string_view name, std::string_view by, std::string_view separator) {
  if (!name.ends_with(by)) return false;
  name.remove_suffix(by.size());
  return name.empty() || name.ends_with(separator);
}

class SectionParser {
 public:
  SectionParser(const Image& image, std::string_view text) : image_(image), text_(text) {}

  Section parse() {
    std::string_view name = text_;
    std::optional<Lines> lines;
    if (const auto colon = text_.rfind(':'); colon != text_.npos) {
      lines = parse_lines(text_.substr(colon + 1));
      if (lines) name = text_.substr(0, colon);
    }
    if (name.empty()) fail("a section is FUNCTION, FUNCTION:LINES or FILE:LINES, such as pop:46-47");
    if (lines && lines->first > lines->last) fail("the lines end before they begin");
    const std::vector<std::uint32_t> chosen = statements_named(name, lines.has_value());
    if (lines) return in_lines(chosen, *lines);
    Section bodies;
    for (const std::uint32_t s : chosen) {
      if (image_.statements[s].parent == none) bodies.push_back(s);
    }
    return bodies;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const { throw SectionError(fmt::format("{}: {}", text_, why)); }

  std::vector<std::uint32_t> statements_named(std::string_view name, bool or_file) const {
    std::vector<std::uint32_t> chosen;
    std::set<std::string> functions;
    for (std::uint32_t s = 0; s < image_.statements.size(); ++s) {
      const SourceStatement& x = image_.statements[s];
      if (x.function == none || x.file == none) continue;
      functions.insert(image_.texts[x.function]);
      if (is_named(image_.texts[x.function], name, "::") || (or_file && is_named(image_.files[x.file], name, "/"))) {
        chosen.push_back(s);
      }
    }
    if (!chosen.empty()) return chosen;
    std::string known;
    for (const std::string& one : functions) known += (known.empty() ? "" : ", ") + one;
    fail(fmt::format("there is no function{} of that name; the program's functions are: {}", or_file ? " or file" : "",
                     known.empty() ? "none" : known));
  }

  Section in_lines(const std::vector<std::uint32_t>& of, Lines lines) const {
    const auto inside = [&](std::uint32_t s) {
      return image_.statements[s].first_line >= lines.first && image_.statements[s].last_line <= lines.last;
    };
    Section found;
    std::set<std::uint32_t> around, opened;  // opened: one inside begins in the first line
    for (const std::uint32_t s : of) {
      std::uint32_t parent = image_.statements[s].parent;
      if (!inside(s) || (parent != none && inside(parent))) continue;
      found.push_back(s);
      for (; parent != none; parent = image_.statements[parent].parent) {
        around.insert(parent);
        if (image_.statements[s].first_line == lines.first) opened.insert(parent);
      }
    }
    for (const std::uint32_t s : of) {
      const SourceStatement& x = image_.statements[s];
      const bool begins = x.first_line >= lines.first && x.first_line <= lines.last;
      const bool ends = x.last_line >= lines.first && x.last_line <= lines.last;
      // What begins before the lines and ends in the last of them may be the loop around them. So may what begins in
      // the first of them before a statement inside it; a body has nothing but these.
      const bool opens =
          x.first_line == lines.first && (opened.contains(s) || (x.parent == none && around.contains(s)));
      if (inside(s) || opens || (!begins && (!ends || around.contains(s)))) continue;
      fail(fmt::format("the statement from line {} to line {} is cut; a section holds whole statements", x.first_line,
                       x.last_line));
    }
    if (found.empty()) fail("there is no statement in these lines");
    return found;
  }

  const Image& image_;
  const std::string_view text_;
};

}  // namespace

Section parse_section(const Image& image, std::string_view text) { return SectionParser(image, text).parse(); }

std::vector<std::uint32_t> section_numbers(const Image& image, const std::vector<Section>& sections) {
  std::vector<std::uint32_t> numbers(image.statements.size(), none);
  for (std::uint32_t number = 0; number < sections.size(); ++number) {
    for (const std::uint32_t s : sections[number]) {
      if (s >= numbers.size()) throw SectionError(fmt::format("there is no statement {}", s));
      numbers[s] = number;
    }
  }
  // A parent comes before what is in it.
  for (std::uint32_t s = 0; s < numbers.size(); ++s) {
    const std::uint32_t parent = image.statements[s].parent;
    if (parent == none || numbers[parent] == none) continue;
    if (numbers[s] != none && numbers[s] != numbers[parent]) {
      throw SectionError(fmt::format("two atomic sections share the statement at line {}; give one that holds both",
                                     image.statements[s].first_line));
    }
    numbers[s] = numbers[parent];
  }
  return numbers;
}

std::vector<std::uint32_t> statements_of(const Function& function) {
  std::vector<std::uint32_t> statements(function.operations.size(), none);
  std::vector<bool> seen(function.operations.size(), false);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> work = {{0, none}};  // operation, statement before it
  while (!work.empty()) {
    const auto [at, before] = work.back();
    work.pop_back();
    if (seen[at]) continue;
    seen[at] = true;
    const Operation& x = function.operations[at];
    statements[at] = x.code == Code::Statement ? static_cast<std::uint32_t>(x.immediate) : before;
    for (const std::uint32_t next : successors(function, at)) work.emplace_back(next, statements[at]);
  }
  return statements;
}

std::string dump_statements(const Image& image) {
  std::vector<std::vector<std::uint32_t>> children(image.statements.size());
  for (std::uint32_t s = 0; s < image.statements.size(); ++s) {
    if (image.statements[s].parent != none) children[image.statements[s].parent].push_back(s);
  }
  std::string out;
  const auto write = [&](std::uint32_t body) {
    std::vector<std::pair<std::uint32_t, std::size_t>> work = {{body, 1}};  // statement, depth
    while (!work.empty()) {
      const auto [s, depth] = work.back();
      work.pop_back();
      const SourceStatement& x = image.statements[s];
      out += fmt::format("{:{}}{}:{}-{}:{}{}\n", "", 2 * depth, x.first_line, x.first_column, x.last_line,
                         x.last_column, x.loop ? " loop" : "");
      for (std::size_t i = children[s].size(); i-- > 0;) work.emplace_back(children[s][i], depth + 1);
    }
  };
  for (std::uint32_t s = 0; s < image.statements.size(); ++s) {
    const SourceStatement& x = image.statements[s];
    if (x.parent != none) continue;
    out += fmt::format("{} in {}\n", x.function == none ? "?" : image.texts[x.function],
                       x.file == none ? "?" : std::filesystem::path(image.files[x.file]).filename().string());
    write(s);
  }
  return out;
}

}  // namespace heddle::native
