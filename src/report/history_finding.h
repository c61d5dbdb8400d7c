// A history that is not linearizable, as plain data for pictures: the operations, an order of as many as possible, the
// core, and what is wrong in words. A section of the report of a run, "history" in its JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/section.h"

namespace heddle::report {

struct HistoryFinding final : SectionOf<HistoryFinding> {
  struct Shown {
    std::string process, text;              // "process 2", "read → nil"
    std::uint32_t begin = 0;                // events of the history
    std::optional<std::uint32_t> end = {};  // none: it never returned
    std::uint32_t line = 0;                 // of the file; 0: none
  };
  struct Placed {
    std::size_t operation = 0;  // index into `operations`
    std::string object = {};    // after it, JSON; empty: not known
  };

  std::string subject;            // "12 operations of key 3"
  std::string specification;      // "register"
  std::vector<Shown> operations;  // by `begin`
  std::vector<Placed> order;      // the longest that works, of those that are shown
  std::size_t order_skipped = 0;  // operations at its beginning that are not shown
  std::vector<std::size_t> core;  // indices into `operations`
  bool core_proven = false;       // the core alone leaves no order
  std::size_t stuck = 0;          // the member of the core that is explained
  std::vector<std::string> sentences;
  std::size_t left_out = 0;  // operations of the partition that are not shown

  Place place() const override { return Place::Failure; }
  std::vector<JsonField> fields(const RunReport& run) const override;
};

}  // namespace heddle::report
