// Guesses loops from lines that come again, and nests them into a tree.
#include "explain/line_statements.h"

#include <algorithm>
#include <cassert>
#include <vector>

namespace heddle::explain {
namespace {

using Range = std::pair<SourceLine, SourceLine>;

// Ranges that are disjoint or nested, the outer ones first.
std::vector<Range> nested(const std::set<Range>& loops) {
  std::vector<Range> all, open;  // `open`: each inside the one before it
  for (Range one : loops) {      // ascending
    while (!open.empty() && open.back().second < one.first) {
      all.push_back(std::move(open.back()));
      open.pop_back();
    }
    while (!open.empty() && (open.back().first == one.first || open.back().second < one.second)) {
      one = {open.back().first, std::max(open.back().second, one.second)};
      open.pop_back();
    }
    open.push_back(std::move(one));
  }
  all.insert(all.end(), open.begin(), open.end());
  std::ranges::sort(
      all, [](const Range& a, const Range& b) { return a.first != b.first ? a.first < b.first : b.second < a.second; });
  return all;
}

}  // namespace

void LineStatements::add(const std::string& function, std::span<const SourceLine> visits) {
  if (visits.empty()) return;
  Function& one = functions_[{function, visits.front().file}];
  const SourceLine* before = nullptr;
  for (const SourceLine& line : visits) {
    assert(line.file == visits.front().file);
    one.lines.insert(line);
    if (before != nullptr && line < *before) one.loops.emplace(line, *before);
    before = &line;
  }
}

StatementTree LineStatements::tree() {
  StatementTree out;
  const auto add = [&](std::uint32_t parent, bool loop, const std::string& function, const Range& range) {
    out.push_back({.parent = parent,
                   .order = 0,
                   .loop = loop,
                   .function = function,
                   .file = range.first.file,
                   .first_line = range.first.line,
                   .last_line = range.second.line});
    return static_cast<std::uint32_t>(out.size() - 1);
  };
  for (auto& [key, function] : functions_) {
    const std::string& name = key.first;
    std::vector<std::pair<Range, std::uint32_t>> around;  // what is open, from the body down
    const Range whole{*function.lines.begin(), *function.lines.rbegin()};
    around.emplace_back(whole, add(nothing, false, name, whole));
    const std::vector<Range> loops = nested(function.loops);
    auto loop = loops.begin();
    for (const SourceLine& line : function.lines) {
      while (around.size() > 1 && around.back().first.second < line) around.pop_back();
      for (; loop != loops.end() && loop->first == line; ++loop) {
        const std::uint32_t number = add(around.back().second, true, name, *loop);
        around.emplace_back(*loop, number);
      }
      function.numbers[line] = add(around.back().second, false, name, {line, line});
    }
  }
  // Statements of one parent stand in the order of the source already.
  std::map<std::uint32_t, std::uint32_t> count;
  for (CodeStatement& statement : out) {
    if (statement.parent != nothing) statement.order = count[statement.parent]++;
  }
  return out;
}

std::uint32_t LineStatements::statement(const std::string& function, const SourceLine& line) const {
  return functions_.at({function, line.file}).numbers.at(line);
}

}  // namespace heddle::explain
