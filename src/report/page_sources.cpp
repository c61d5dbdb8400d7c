// Collects the places that a trace and a run mention, and reads the lines around them.
#include "report/page_sources.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "report/json_view.h"
#include "report/source_lines.h"

namespace heddle::report {
namespace {

constexpr std::uint32_t lines_around = 12;          // lines before the first and after the last one that is mentioned
constexpr std::uint32_t most_source_lines = 4'000;  // of a file
constexpr std::size_t most_files = 40;
constexpr std::array<std::string_view, 10> endings = {".c",   ".h",  ".cc",  ".cpp", ".cxx",
                                                      ".hpp", ".hh", ".hxx", ".ipp", ".inl"};

bool is_source(std::string_view file) {
  return std::ranges::any_of(endings, [&](std::string_view ending) { return file.ends_with(ending); });
}

class Mentioned {
 public:
  void add(const std::string& file, std::uint32_t line) {
    if (line == 0 || !is_source(file) || (files_.size() >= most_files && !files_.contains(file))) return;
    const auto [place, is_new] = files_.try_emplace(file, Range{line, line});
    if (is_new) return;
    place->second.first = std::min(place->second.first, line);
    place->second.last = std::max(place->second.last, line);
  }
  void add(const trace::Place& place) {
    add(place.file, place.line);
    for (const trace::Place& caller : place.stack) add(caller.file, caller.line);
  }

  std::vector<PageSource> read() const {
    std::vector<PageSource> out;
    SourceLines lines;
    for (const auto& [file, range] : files_) {
      PageSource source{
          .file = file, .first = range.first > lines_around ? range.first - lines_around : 1, .lines = {}};
      const std::uint32_t last = std::min(range.last + lines_around, source.first + most_source_lines);
      std::size_t until = 0;  // the file may end before
      for (std::uint32_t number = source.first; number <= last; ++number) {
        source.lines.push_back(lines.indented(file, number));
        if (!source.lines.back().empty()) until = source.lines.size();
      }
      source.lines.resize(until);
      if (until > 0) out.push_back(std::move(source));
    }
    return out;
  }

 private:
  struct Range {
    std::uint32_t first, last;
  };
  std::map<std::string, Range> files_;
};

std::uint32_t line_in(const JsonView& object, std::string_view key) {
  const auto line = object.find(key);
  if (!line || line->type() != JsonView::Type::Number) return 0;
  const std::string text(line->text());
  return text.size() > 7 ? 0 : static_cast<std::uint32_t>(std::strtoul(text.c_str(), nullptr, 10));
}

// Repairs and the cycle of `heddle explain`.
void add_root_cause(const JsonView& run, Mentioned& mentioned) {
  if (const auto repairs = run.find("repairs"); repairs && repairs->type() == JsonView::Type::Array) {
    for (const JsonView& repair : repairs->elements()) {
      for (const JsonView& block : repair.member("blocks").elements()) {
        const std::string file = block.member("file").string();
        mentioned.add(file, line_in(block, "first_line"));
        mentioned.add(file, line_in(block, "last_line"));
      }
    }
  }
  if (const auto accesses = run.find("cycle_accesses"); accesses && accesses->type() == JsonView::Type::Array) {
    for (const JsonView& access : accesses->elements()) {
      mentioned.add(access.member("file").string(), line_in(access, "line"));
    }
  }
}

}  // namespace

std::vector<PageSource> page_sources(const trace::Trace* trace, std::string_view run) {
  Mentioned mentioned;
  if (trace != nullptr) {
    for (const trace::Step& step : trace->steps) {
      mentioned.add(step.place);
      for (const trace::Access& access : step.accesses) mentioned.add(access.place);
    }
  }
  if (!run.empty()) {
    const JsonDocument document(run, "the JSON of the run");
    add_root_cause(document.root(), mentioned);
  }
  return mentioned.read();
}

}  // namespace heddle::report
