// Which code should have been atomic, as a section of the report of `heddle explain`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "report/section.h"

namespace heddle::report {

struct RootCauseReport final : SectionOf<RootCauseReport> {
  struct Block {
    std::string function, file;
    std::uint32_t first_line = 0, last_line = 0;
    std::string where;  // "pop:45-46", as --atomic takes it
  };
  struct Repair {
    std::vector<Block> blocks;
    std::uint32_t rank = 1;
    std::size_t excluded_good = 0, statements = 0;
    std::string standing;  // "verified", "rejected", "not tried"
    std::string why = {};  // it was rejected
  };
  struct Event {
    enum class Kind : std::uint8_t { Read, Write, Call, Return };
    Kind kind = Kind::Read;
    std::uint32_t thread = 0;  // of the client, from 1
    std::string call;          // "pop()"
    std::string file;          // of an access
    std::uint32_t line = 0;

    bool is_access() const { return kind == Kind::Read || kind == Kind::Write; }
  };
  struct Place {
    Event event;
    std::vector<std::uint32_t> conflicts;  // numbers of those that it is part of
  };
  struct Conflict {
    Event from, to;
  };

  enum class Source : std::uint8_t { Program, Trace, Files };
  Source source = Source::Program;
  bool explained = false;
  std::string why;                   // nothing can be explained, a sentence; otherwise empty
  std::string violation;             // of a run that cannot be explained, in words; may be empty
  std::string client;                // whose executions are explained
  std::string bad, good;             // executions compared: "62", "5000 of 7312"
  std::size_t compared_clients = 1;  // whose they are
  bool cycles = false;               // runs that come back to a state were left out
  std::vector<Repair> repairs;
  bool all_repairs = true;  // there are no others
  bool list_all = false;    // print all of them
  int width = 80;           // of the picture
  bool ascii = false;
  std::string check;  // the command that searches with the best repair in place; empty: there is none
  std::uint32_t rounds = 0;
  std::string also_fails;    // a property that is violated with the best repair and without it; empty: none
  std::size_t clients = 0;   // that the best repair was verified on
  std::string clients_text;  // "all 78 clients of ..."
  std::vector<Place> cycle;
  std::vector<Conflict> conflicts;

  std::vector<JsonField> fields(const RunReport& run) const override;
  std::string text(const RunReport& run) const override;
  ClosingWords closing_words(const RunReport& run) const override;
};

}  // namespace heddle::report
