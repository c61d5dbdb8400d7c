// Executions as a file: one JSON object a line (docs/root-cause.md). Other tools write them, and so does `heddle
// explain`.
//
//   {"event": "call", "thread": 1, "invocation": 0, "function": "Stack::pop", "text": "pop()"}
//   {"event": "read", "thread": 1, "invocation": 0, "address": "0x7f08", "size": 8, "file": "stack.cpp", "line": 46}
//   {"event": "return", "thread": 1, "invocation": 0}
//   {"execution": 2}                                                       the next one begins
//
//   ExecutionFiles files(RealTime::Ignored);
//   files.read(lines);                                                     the bad ones, and then the good ones
//   const ReadExecutions bad = files.executions(0);
//   files.tree()
//
// Each line of the source is a statement, those of an invocation are in one file, and loops are seen from steps back
// (explain/line_statements.h), unless the files say which statements there are and when one is entered:
//
//   {"statement": 3, "parent": 0, "function": "pop", "file": "s.cpp", "first_line": 46, "last_line": 48, "loop": true}
//   {"event": "enter", "thread": 1, "invocation": 0, "statement": 3}
//
// Nothing is guessed: a field that is missing, of the wrong type or out of range is an error with its place. Fields
// that are not known are skipped.
// Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "explain/conflict_graph.h"
#include "explain/line_statements.h"
#include "explain/recorded_execution.h"
#include "history/line_reader.h"

namespace heddle::run {

struct ReadExecutions {
  // Different ones: no two of them differ only in the order of independent actions.
  std::vector<explain::RecordedExecution> list;
  std::size_t read = 0;                         // with repetitions
  std::vector<std::vector<std::string>> calls;  // of each execution: texts, by invocation
  std::vector<std::uint64_t> lines;             // of each execution: where it begins
};

class ExecutionFiles {
 public:
  explicit ExecutionFiles(explain::RealTime real_time) : real_time_(real_time) {}

  // Throws HistoryError, with the place.
  void read(history::LineReader& lines);
  // The statements of all files. REQUIRES: no read() after this.
  const explain::StatementTree& tree();
  // The names of the files that actions are in, by Action::file.
  const std::vector<std::string>& source_files() const { return source_files_; }
  // The executions of the n-th file, from 0.
  ReadExecutions executions(std::size_t n);

 private:
  struct Event {
    enum class Kind : std::uint8_t { Call, Return, Enter, Read, Write };
    Kind kind = Kind::Call;
    std::uint32_t thread = 0, invocation = 0;  // numbered as they come
    std::uint32_t statement = 0;               // of Enter
    std::uint32_t place = 0;                   // of accesses, in places_
    std::uint64_t address = 0;
    std::uint32_t size = 1;
    bool together = false;  // with the access before: nobody can come in between
  };
  struct Execution {
    std::uint64_t line = 0;
    std::uint32_t threads = 0;
    std::vector<Event> events;
    std::vector<std::string> functions, texts;  // by invocation
  };
  // Of a declared statement.
  struct Declared {
    std::uint32_t body = 0, depth = 0, children = 0;
  };
  class Reader;

  explain::RecordedExecution recorded(const Execution& execution) const;

  explain::RealTime real_time_;
  std::vector<std::vector<Execution>> files_;
  std::vector<explain::SourceLine> places_;  // of accesses
  std::map<explain::SourceLine, std::uint32_t> place_numbers_;
  std::vector<std::string> source_files_;
  std::map<std::string, std::uint32_t> source_file_numbers_;
  std::map<std::uint64_t, std::uint32_t> declared_;  // statements by the number in the files
  std::vector<Declared> about_;                      // by statement, if they are declared
  explain::LineStatements by_line_;                  // if none is declared
  bool lines_only_ = false;                          // an access was read, and no statement before it
  explain::StatementTree tree_;
  bool finished_ = false;  // the tree is
};

}  // namespace heddle::run
