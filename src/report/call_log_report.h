// The result for a log of calls on an abstract object, as a section of the report of a run. It is what the closing line
// is about:
//
//   holds: 1,204 calls in paxos.jsonl are calls on qtree; 602 adds, 600 commits, ...; 0.00 s, 8.1 MiB
//   violated: paxos.jsonl:7: qtree rejects add(4, "x", 2): extendsTrunk (P4); 5 calls before it; ...
//   unknown: time limit of 10 s; qtree accepts the first 40,211,000 calls in paxos.jsonl; ...
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "report/section.h"

namespace heddle::report {

struct CallLogReport final : SectionOf<CallLogReport> {
  std::string file;
  std::uint64_t calls = 0;  // calls read, including a rejected one
  std::uint64_t instances = 0, rounds = 0;
  std::uint64_t line = 0;                                      // line of the rejected call; 0: no call was rejected
  std::vector<std::pair<std::uint64_t, std::string>> earlier;  // calls that its witness refers to, with their lines
  std::string tree;                                            // the tree before it, or the part around it; JSON
  std::vector<std::string> left_out;                           // fields that were not read

  Place place() const override { return Place::Calls; }
  std::vector<JsonField> fields(const RunReport& run) const override;
  // Tells of the RefinementReport of the run, too.
  ClosingWords closing_words(const RunReport& run) const override;
};

}  // namespace heddle::report
