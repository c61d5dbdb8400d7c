// Statements of code of which only line numbers are known.
//
//   LineStatements lines;
//   lines.add(visits)                          for every invocation: the lines that it came by, in order
//   const StatementTree tree = lines.tree();
//   lines.statement("push", place)             the number of a line
//
// A function is known by its name and its file, since functions of one name may be in several files. Each line of a
// function is a statement. A step back from line b to line a means a loop around lines a to b; loops that
// overlap without one being inside the other are one, and so are loops that begin at the same line. A loop that stands
// on one line is not seen.
// Not thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "explain/recorded_execution.h"

namespace heddle::explain {

struct SourceLine {
  std::string file;
  std::uint32_t line = 0;
  friend auto operator<=>(const SourceLine&, const SourceLine&) = default;
};

class LineStatements {
 public:
  // REQUIRES: all lines are in one file.
  void add(const std::string& function, std::span<const SourceLine> visits);
  // Call it once, after all add().
  StatementTree tree();
  // REQUIRES: tree() was called, and the line was added.
  std::uint32_t statement(const std::string& function, const SourceLine& line) const;

 private:
  struct Function {
    std::set<SourceLine> lines;
    std::set<std::pair<SourceLine, SourceLine>> loops;  // first and last line
    std::map<SourceLine, std::uint32_t> numbers;        // of statements
  };
  std::map<std::pair<std::string, std::string>, Function> functions_;  // by name and file
};

}  // namespace heddle::explain
